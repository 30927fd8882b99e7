"""XML is read safely: nothing declared, nothing fetched, nothing too large, and a line for what is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import FormatError
from engine.formats import xml_text
from engine.formats.xml_text import escape, escape_attribute, parse_xml, read_root, read_xml, to_text

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"))
LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>'
FETCH = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>'
FOREIGN = '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>'


def written(folder: Path, data: bytes) -> Path:
    path = folder / "plan.xml"
    path.write_bytes(data)
    return path


def test_that_elements_know_their_name_text_attributes_and_line(tmp_path: Path) -> None:
    root = read_xml(written(tmp_path, b'<p:a xmlns:p="urn:x">\n <b c="1">one</b>\n <b>&lt;&#233;</b></p:a>'))
    assert (root.tag, root.space, root.line) == ("a", "urn:x", 1)
    assert [(b.text, b.line, b.attributes) for b in root.all("b")] == [("one", 2, {"c": "1"}), ("<é", 3, {})]
    assert (root.get("b"), root.get("z", "none"), root.find("z"), root.text) == ("one", "none", None, "")


def test_that_elements_are_found_down_a_path() -> None:
    root = parse_xml("<a><b><c>1</c></b><b><c>2</c><d/></b></a>")
    assert [found.text for found in root.below("b", "c")] == ["1", "2"]


@pytest.mark.parametrize("text", [LAUGHS, FETCH, FOREIGN])
def test_that_a_document_type_is_refused_before_it_is_read(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text.encode())
    with pytest.raises(FormatError, match=r"plan\.xml was refused at line 1: it declares a document type") as caught:
        read_xml(path)
    assert caught.value.path == str(path)
    assert read_root(path) == ("", "")


@pytest.mark.parametrize("text", ["", "  \n", "<a>\n<b>", "<a>\n<b", "<a><![CDATA[x", "<a><!-- "])
def test_that_a_file_cut_off_is_said_to_end_too_early(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="ends too early"):
        read_xml(written(tmp_path, text.encode()))


@pytest.mark.parametrize("text", ["<a>\n</b>", "<a>\n&nope;</a>", "<a>\n\0</a>", "<a>\n<b c=1/></a>"])
def test_that_a_broken_file_is_said_so_with_its_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"is not well-formed XML \(line 2: ") as caught:
        read_xml(written(tmp_path, text.encode()))
    assert caught.value.line == 2


def test_that_an_unknown_encoding_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="encoding"):
        read_xml(written(tmp_path, b'<?xml version="1.0" encoding="klingon"?><a/>'))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_that_every_encoding_of_planners_is_read(encoding: str, tmp_path: Path) -> None:
    head = '<?xml version="1.0" encoding="windows-1252"?>' if encoding == "cp1252" else ""
    path = written(tmp_path, f'{head}<a xmlns="urn:x">Größe</a>'.encode(encoding))
    assert read_xml(path).text == "Größe"
    assert read_root(path) == ("urn:x", "a")


def test_that_depth_elements_text_and_bytes_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FormatError, match="nested more than 200 elements deep"):
        parse_xml("<a>" * 100_000)
    for name in ("_MOST_ELEMENTS", "_MOST_TEXT", "_MOST_BYTES"):
        with monkeypatch.context() as patch:
            patch.setattr(xml_text, name, 3)
            with pytest.raises(FormatError, match=r"more than|larger than"):
                parse_xml("<a><b>text</b><b/><b/></a>")


@pytest.mark.parametrize("what", ["folder", "missing"])
def test_that_what_is_no_file_is_said_so(what: str, tmp_path: Path) -> None:
    path = tmp_path if what == "folder" else tmp_path / "missing.xml"
    with pytest.raises(FormatError, match=r"is a folder|There is no file"):
        read_xml(path)


@given(TEXTS, TEXTS)
def test_that_escaped_texts_come_back(text: str, attribute: str) -> None:
    root = parse_xml(f'<a b="{escape_attribute(attribute)}">{escape(text)}</a>')
    assert (root.text, root.attributes["b"]) == (text, attribute)
    again = parse_xml(to_text(root))
    assert (again.text, again.attributes) == (text, root.attributes)


def test_that_line_ends_come_back_and_control_characters_do_not() -> None:
    assert parse_xml(f"<a>{escape(chr(0) + 'x' + chr(13) + chr(10) + chr(0xD800))}</a>").text == "x\r\n"


def test_that_an_element_is_put_back_as_one_line() -> None:
    text = '<a b="1"><c/><d>x &amp; y</d></a>'
    assert to_text(parse_xml(f"\n {text.replace('><', '> <')}")) == text
