"""First contents, poison, and the plain run that says what a program must yield."""

from dataclasses import replace

import numpy as np
import pytest

from engine.errors import FormatError
from engine.model import Buffer, Fill, FillKind, OperationKind, OperationSpec
from engine.program.reference import expected_outputs, fill, is_equal, poison
from tests.engine.program.plans import compiled, copy_in, copy_out, device_plan, empty, host, kernel, pipeline, seeded


def test_that_zeros_and_nothing_fill_as_they_say() -> None:
    assert not fill(Buffer("x", (2, 3), fill=Fill(FillKind.ZEROS)), 0, "").any()
    assert np.isnan(fill(empty("x"), 0, "")).all()
    assert np.isnan(fill(empty("x", dtype="complex64"), 0, "")).all()
    assert (fill(empty("x", dtype="uint8"), 0, "") == 0xA5).all()
    assert (fill(empty("x", dtype="int32"), 0, "").view(np.uint8) == 0xA5).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "int16", "uint8"])
def test_that_a_seed_fills_the_same_each_time_and_otherwise_for_another_run(dtype: str) -> None:
    buffer = seeded("x", (40, 50), dtype)
    one = fill(buffer, 7, "")
    assert one.dtype == dtype
    assert one.shape == (40, 50)
    assert one.flags.c_contiguous
    assert np.array_equal(one, fill(buffer, 7, ""))
    assert np.array_equal(one, fill(replace(buffer, fill=Fill(FillKind.SEED, 8)), 0, ""))
    assert not np.array_equal(one, fill(buffer, 8, ""))
    assert np.array_equal(fill(buffer, -9, ""), fill(buffer, 2**64 - 9, ""))
    if np.dtype(dtype).kind in "iu":
        assert one.min() >= 0
        assert one.max() < 100
    else:
        assert one.real.min() >= -1
        assert one.real.max() <= 1


def from_file(name: str, shape: tuple[int, ...] = (2, 3)) -> Buffer:
    return Buffer("x", shape, fill=Fill(FillKind.FILE, file=name))


def test_that_a_file_fills_with_what_it_holds(tmp_path) -> None:
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "x.npy", np.asfortranarray(values))
    loaded = fill(from_file("x.npy"), 0, str(tmp_path))
    assert np.array_equal(loaded, values)
    assert loaded.flags.c_contiguous
    assert loaded.flags.writeable


def test_that_files_that_do_not_fit_are_refused_in_one_sentence(tmp_path) -> None:
    np.save(tmp_path / "shape.npy", np.zeros((3, 2), np.float32))
    np.save(tmp_path / "dtype.npy", np.zeros((2, 3), np.float64))
    np.save(tmp_path / "pickle.npy", np.array([{}], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "zip.npy", x=np.zeros((2, 3), np.float32))
    (tmp_path / "zip.npy.npz").rename(tmp_path / "zip.npy")
    (tmp_path / "text.npy").write_text("hello", encoding="utf-8")
    (tmp_path / "empty.npy").write_bytes(b"")
    whole = (tmp_path / "dtype.npy").read_bytes()
    (tmp_path / "short.npy").write_bytes(whole[:-9])
    (tmp_path / "header.npy").write_bytes(whole[:40])
    (tmp_path / "folder.npy").mkdir()
    vast = np.zeros((2, 3), np.float32)
    np.save(tmp_path / "vast.npy", vast)
    claimed = (tmp_path / "vast.npy").read_bytes().replace(b"(2, 3), }        ", b"(2, 3000000000),}")
    (tmp_path / "vast.npy").write_bytes(claimed)
    names = ("shape", "dtype", "pickle", "zip", "text", "empty", "short", "header", "folder", "vast", "missing")
    for name in names:
        with pytest.raises(FormatError) as caught:
            fill(from_file(f"{name}.npy"), 0, str(tmp_path))
        assert caught.value.path == str(tmp_path / f"{name}.npy"), name
        assert caught.value.sentence.endswith("."), name


def test_that_poison_leaves_no_element() -> None:
    for shape in ((3, 4), ()):
        for dtype in ("float16", "float32", "complex128"):
            array = np.zeros(shape, dtype)
            poison(array)
            assert np.isnan(array).all()
        integers = np.zeros(shape, np.uint16)
        poison(integers)
        assert (integers == 0xA5A5).all()


def test_that_the_outputs_of_a_pipeline_are_its_smoothed_frames() -> None:
    program = compiled(pipeline(2))
    outputs = expected_outputs(program, 3)
    buffers = {buffer.id: fill(buffer, 3, "").astype(np.float64) for buffer in program.buffers}
    assert sorted(outputs) == ["out 0", "out 1"]
    for number in (0, 1):
        frame, weights = buffers[f"in {number}"], buffers["w"]
        wanted = sum(weights[i, j] * frame[9 + i : 12 + i, 19 + j : 22 + j] for i in range(3) for j in range(3))
        result, tolerance = outputs[f"out {number}"]
        assert np.allclose(result[10:13, 20:23], wanted, atol=1e-12)
        assert 0 < tolerance < 1e-3


def test_that_both_sides_of_a_buffer_are_followed() -> None:
    """x is copied in, doubled on the host, and copied out over it: the first content comes back."""
    rows = [
        ("in", copy_in("x"), 0),
        ("double", host("saxpy", ["x", "x"], ["x"]), 0),
        ("keep", host("saxpy", ["x", "x"], ["twice"], beta=0.0), 0),
        ("out", copy_out("x"), 0),
    ]
    program = compiled(device_plan(rows, buffers=[seeded("x"), empty("twice")]))
    first = fill(program.buffers[0], 0, "").astype(np.float64)
    outputs = expected_outputs(program, 0)
    assert np.array_equal(outputs["x"][0], first)
    assert outputs["x"][1] == 0.0
    assert np.allclose(outputs["twice"][0], 2 * first)
    assert outputs["twice"][1] > 0


def test_that_tolerance_adds_up_along_a_chain_but_stays_small() -> None:
    shape = (32, 32)
    rows, buffers = [("in", copy_in("b0"), 0), ("m", copy_in("m"), 0)], [seeded("b0", shape), seeded("m", shape)]
    for step in range(6):
        rows.append((f"step {step}", kernel("matmul", [f"b{step}", "m"], [f"b{step + 1}"]), 0))
        buffers.append(empty(f"b{step + 1}", shape))
    rows += [("out 1", copy_out("b1"), 0), ("out 6", copy_out("b6"), 0)]
    program = compiled(device_plan(rows, buffers=buffers))
    outputs = expected_outputs(program, 0)
    shares = [tolerance / np.abs(result).max() for result, tolerance in (outputs["b1"], outputs["b6"])]
    assert shares[0] < shares[1] < 0.01


@pytest.mark.parametrize("dtype", ["int64", "uint8", "bool"])
def test_that_whole_values_are_copied_and_compared_exactly(dtype: str) -> None:
    within = OperationSpec(OperationKind.COPY_WITHIN, reads=("x",), writes=("y",))
    rows = [("in", copy_in("x"), 0), ("within", within, 0), ("out", copy_out("y"), 0)]
    program = compiled(device_plan(rows, buffers=[seeded("x", dtype=dtype), empty("y", dtype=dtype)]))
    expected, tolerance = expected_outputs(program, 0)["y"]
    actual = fill(program.buffers[0], 0, "")
    assert is_equal(actual, expected, tolerance)
    actual[999] = not actual[999]
    assert not is_equal(actual, expected, tolerance)


def test_that_equality_knows_nan_infinity_shape_and_tolerance() -> None:
    expected = np.array([1.0, 2.0, np.inf])
    assert is_equal(np.array([1.0, 2.0, np.inf], np.float32), expected, 0.0)
    assert is_equal(np.array([1.05, 2.0, np.inf]), expected, 0.1)
    assert not is_equal(np.array([1.2, 2.0, np.inf]), expected, 0.1)
    assert not is_equal(np.array([np.nan, 2.0, np.inf]), expected, 1e9)
    assert not is_equal(np.array([np.inf, 2.0, np.inf]), expected, 1e9)
    assert not is_equal(np.array([1.0, 2.0, -np.inf]), expected, 1e9)
    assert not is_equal(np.array([1.0, 2.0]), expected, 1e9)
    assert not is_equal(np.array([[1.0, 2.0, np.inf]]), expected, 1e9)
    assert is_equal(np.array([np.nan, 1.0]), np.array([np.nan, 1.0]), 0.0)
