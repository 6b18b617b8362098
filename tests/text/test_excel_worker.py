"""Workbooks of a kilobyte whose sheets fill the memory, or end the library that reads them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from paragauge.errors import FileFormatError
from paragauge.text.tables.excel_sheet import largest_sheet, read_sheet

pytest.importorskip("python_calamine", reason="the extra excel is not installed")

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
LINK = (
    f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r" Type="{OFFICE}/{{}}" Target="{{}}"/>'
    "</Relationships>"
)
CELLS = "".join(
    f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>a{n}</t></is></c><c r="B{n}"><v>{n}.5</v></c></row>'
    for n in (1, 2, 3)
)
TOO_LARGE = "cannot be read in the memory that its size allows; look for a cell far from the others"


@pytest.fixture
def workbook(tmp_path: Path):
    def write(cells: str, after: str = "") -> Path:
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("_rels/.rels", LINK.format("officeDocument", "xl/workbook.xml"))
            archive.writestr(
                "xl/workbook.xml",
                f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
                '<sheet name="one" sheetId="1" r:id="r"/></sheets></workbook>',
            )
            archive.writestr("xl/_rels/workbook.xml.rels", LINK.format("worksheet", "sheet.xml"))
            sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData>{after}</worksheet>'
            archive.writestr("xl/sheet.xml", sheet)
        path = tmp_path / "t.xlsx"
        path.write_bytes(data.getvalue())
        return path

    return write


@pytest.mark.parametrize("far", ["XFD1048576", "AAAA4000000000", "ZZZZZZZ99999999999"])
def test_a_cell_far_from_the_others(workbook, far):
    path = workbook(CELLS.replace("B3", far))
    assert path.stat().st_size < 2000
    with pytest.raises(FileFormatError, match=TOO_LARGE):
        read_sheet(path)


def test_rows_that_are_far_have_their_numbers(workbook):
    path = workbook(CELLS.replace('r="3"', 'r="9000"').replace("A3", "A9000").replace("B3", "B9000"))
    rows = read_sheet(path)
    assert (rows.names, rows.rows, rows.numbers) == (
        ["a1", "1.5"],
        [["a2", 2.5], ["a3", 3.5]],
        [2, 9000],
    )
    assert largest_sheet(path) == "one"


def test_merged_cells_outside_and_over_each_other(workbook):
    merged = '<mergeCell ref="A99:A3"/><mergeCell ref="ZZ1:ZZ3"/><mergeCell ref="C1:C3"/>'
    many = '<mergeCell ref="A2:A3"/>' * 2000
    path = workbook(CELLS, f"<mergeCells>{merged}{many}</mergeCells>")
    assert read_sheet(path).rows == [["a2", 2.5], ["a2", 3.5]]


def test_the_library_ends_without_a_word(workbook, monkeypatch):
    path = workbook(CELLS)
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(FileFormatError, match=TOO_LARGE):
        read_sheet(path)
