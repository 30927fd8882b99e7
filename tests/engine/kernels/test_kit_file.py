"""kit.toml: what a kit declares, and what is said where it cannot be read."""

import pytest

from engine.errors import FormatError
from engine.kernels import DeclaredKernel
from engine.kernels.kit_file import read_kit
from engine.model import KernelSpec, KernelSplit, ParameterSpec

WHOLE = """
[blur]
summary = "Mean of neighbors"
python = "filters.py:blur"
cuda = "blur.cu:blur"
reference = "filters.py:plain"
reads = ["frame", "weights"]
writes = ["out"]
dtype = "float64"
one_shape = false
in_place = true
split = "rows"
tolerance = 1e-3
flops_per_item = 18
bytes_per_item = 2.5
[blur.parameters.radius]
default = 1
minimum = 0
maximum = 8
whole = true
"""
LEAST = '[blur]\npython = "f.py:blur"\nwrites = ["out"]\n'


def test_that_everything_a_kit_says_is_read() -> None:
    assert read_kit(WHOLE, "filters", "kit.toml") == (
        KernelSpec(
            "blur",
            "filters",
            ("frame", "weights"),
            ("out",),
            summary="Mean of neighbors",
            python="filters.py:blur",
            cuda="blur.cu:blur",
            reference="filters.py:plain",
            parameters=(ParameterSpec("radius", 1, 0, 8, is_whole=True),),
            dtype="float64",
            is_one_shape=False,
            is_in_place=True,
            split=KernelSplit.ROWS,
            tolerance=1e-3,
            flops_per_item=18,
            bytes_per_item=2.5,
        ),
    )


def test_that_a_function_and_a_buffer_are_enough() -> None:
    (spec,) = read_kit(LEAST, "filters", "kit.toml")
    assert spec == KernelSpec("blur", "filters", (), ("out",), python="f.py:blur")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[blur", "is not TOML"),
        ("", "declares no kernel"),
        ("blur = 3", "must be a table"),
        ('[blur]\npython = "f.py:blur"', "lacks “writes”"),
        (LEAST.replace("python", "pyhton"), "did you mean “python”?"),
        (LEAST.replace("f.py:blur", "f.py"), "must look like file.py:name"),
        (LEAST.replace("f.py", "../f.py"), "must look like file.py:name"),
        (LEAST.replace("[blur]", "[saxpy]"), "built in"),
        (LEAST.replace("[blur]", '["my blur"]'), "letters, digits and underscores"),
        (LEAST + 'tolerance = "small"', "must be a number"),
        (LEAST + "tolerance = 0", "more than 0"),
        (LEAST + 'split = "columns"', "none, rows"),
        (LEAST + "one_shape = 1", "true or false"),
        (LEAST + 'reads = ["out"]', "have one name"),
        (LEAST + 'dtype = "float31"', "unknown type"),
        (LEAST + "[blur.parameters.radius]\ndefault = 9\nmaximum = 8", "not within"),
        (LEAST + "[blur.parameters.radius]\nsize = 9", "known are"),
        (LEAST.replace('python = "f.py:blur"', ""), "neither a Python function nor a CUDA source"),
    ],
)
def test_that_a_kit_that_cannot_be_read_gets_one_sentence_with_its_path(text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says) as caught:
        read_kit(text, "filters", "/plans/filters/kit.toml")
    assert "/plans/filters/kit.toml" in caught.value.sentence
    assert "\n" not in caught.value.sentence


def test_that_a_declared_kernel_checks_and_costs_without_its_code() -> None:
    kernel = DeclaredKernel(read_kit(WHOLE, "filters", "kit.toml")[0])
    shapes, dtypes = [(4, 5), (3, 3), (4, 5)], ["float64"] * 3
    assert kernel.check(shapes, dtypes, {"radius": 2}) == ""
    assert "must hold float64" in kernel.check(shapes, ["float32"] * 3, {})
    assert "radius" in kernel.check(shapes, dtypes, {"radius": 9})
    assert kernel.cost(shapes, {}).flops == 18 * 20
    assert kernel.cost(shapes, {}).nbytes == 50
    assert kernel.scalars(shapes, {"radius": 2.0}) == (2,)


def test_that_shapes_are_one_unless_the_kit_says_otherwise() -> None:
    kernel = DeclaredKernel(KernelSpec("blur", "kit", ("a",), ("b",), python="f.py:blur"))
    assert "must have one shape" in kernel.check([(4, 5), (4, 6)], ["float32"] * 2, {})


def test_that_work_is_cut_only_where_the_kit_allows_it() -> None:
    whole = KernelSpec("blur", "kit", ("a",), ("b",), python="f.py:blur")
    rows = KernelSpec("blur", "kit", ("a",), ("b",), python="f.py:blur", split=KernelSplit.ROWS)
    items = KernelSpec("blur", "kit", ("a",), ("b",), cuda="f.cu:blur", split=KernelSplit.ROWS)
    shapes, long = [(6, 5)] * 2, 10**9
    assert [DeclaredKernel(spec).parts(long, shapes, {}) for spec in (whole, rows, items)] == [1, 6, 30]
