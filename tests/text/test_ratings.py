"""Human ratings: averaged, and refused in words when they are not numbers."""

from __future__ import annotations

import pytest

from paragauge.errors import FileFormatError, InputError, SettingError
from paragauge.text.rated_pairs import SegmentRange
from paragauge.text.ratings import read_ratings

HEADER = "segment\tsystem\tjudge\toverall\n"


@pytest.fixture
def ratings(tmp_path):
    path = tmp_path / "ratings.tsv"

    def write(content: str) -> str:
        path.write_text(HEADER + content)
        return str(path)

    return write


def message(path: str, column: str = "overall") -> str:
    with pytest.raises(FileFormatError) as caught:
        read_ratings(path, column, ["mine", "yours"])
    return str(caught.value)


def test_mean_over_judges(ratings):
    path = ratings(
        "1\tmine\tj1\t4\n1\tmine\tj2\t1\n2\tmine\tj1\t\n3\tyours\tj1\t-2.5\n1\tother\tj1\tx\n"
    )
    ratings = read_ratings(path, "overall", ["mine", "yours"])
    assert ratings.means == {("mine", 0): 2.5, ("yours", 2): -2.5}


def test_ratings_of_other_systems_are_counted(ratings):
    path = ratings("1\tmine\tj\t4\n1\tb\tj\t4\n2\tb\tj\t4\n2\tc\tj\t1\n3\tb\tj\t\n")
    read = read_ratings(path, "overall", ["mine", "yours"])
    assert read.others == {("b", 0): 1, ("b", 1): 1, ("c", 1): 1}
    means, gaps = read.match(["mine", "yours"], 3, allow_missing=True)
    assert means == {("mine", 0): 4.0}
    assert gaps == [
        "2 systems of the ratings are not in the files: b, c",
        "1 system of the files is not in the ratings: yours",
    ]
    with pytest.raises(InputError, match="2 systems of the ratings are not in the files: b, c; 1 sys"):
        read.match(["mine", "yours"], 3)
    assert read.match(["mine"], 9, SegmentRange(1, 1), allow_missing=True)[1] == [
        "1 system of the ratings is not in the files: b"
    ]


def test_segments_that_the_files_lack(ratings):
    path = ratings("1\tmine\tj\t4\n2\tmine\tj\t1\n7\tmine\tj\t1\n")
    read = read_ratings(path, "overall", ["mine"])
    with pytest.raises(InputError) as caught:
        read.match(["mine"], 3)
    assert str(caught.value) == (
        "1 segment of the ratings is not in the files: 7; 1 segment of the files is not in the "
        "ratings: 3; name them alike, or give --allow-missing (in Python allow_missing=True) to leave "
        "them out and print which they are"
    )
    assert read.match(["mine"], 3, allow_missing=True)[0] == {("mine", 0): 4.0, ("mine", 1): 1.0}


def test_the_same_in_csv(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text('segment,system,note,overall\n1,mine,"a\nb",4\n1,mine,,1\n2,mine,,\n')
    assert read_ratings(path, "overall", ["mine", "yours"]).means == {("mine", 0): 2.5}
    path.write_text('segment,system,note,overall\n1,mine,"a\nb",4\n1,mine,,x\n')
    assert message(path) == f"{path}:4: column 'overall': expected a number, found \"x\""


@pytest.mark.parametrize("segment", ["0", "-1", "1.5", "", "x", "٣", "²", "+1", "1_0"])
def test_segments_count_from_one(ratings, segment):
    path = ratings(f"1\tmine\tj\t4\n{segment}\tmine\tj\t4\n")
    assert message(path) == f"{path}:3: expected a segment from 1 on, found '{segment}'"


def test_a_segment_with_thousands_of_digits(ratings):
    path = ratings(f"{'1' * 5000}\tmine\tj\t4\n")
    assert message(path).startswith(f"{path}:2: ")


@pytest.mark.parametrize("value", ["x", "inf", "-inf", "1e400", "4.5.1"])
def test_ratings_are_numbers(ratings, value):
    path = ratings(f"1\tmine\tj\t4\n2\tmine\tj\t{value}\n")
    assert message(path) == f"{path}:3: column 'overall': expected a number, found \"{value}\""


def test_no_rating_of_the_systems(ratings):
    path = ratings("1\tmin\tj\t4\n")
    assert message(path) == (
        f"{path}: expected ratings of the systems given: unknown system 'min'; did you mean 'mine'? "
        "known: mine, yours"
    )


def test_columns(ratings):
    path = ratings("1\tmine\tj\t4\n")
    assert message(path, "overal") == (
        f"{path}: unknown column 'overal'; did you mean 'overall'? "
        "known: segment, system, judge, overall"
    )


def test_field_count(ratings):
    path = ratings("1\tmine\tj\t4\n2\tmine\n")
    assert message(path) == f"{path}:3: expected 4 tab-separated fields as in the header, found 2"


def test_all_columns_that_are_missing_are_named_at_once(tmp_path):
    (tmp_path / "r.tsv").write_text("Satz\tModell\toverall\n1\ta\t2\n")
    with pytest.raises(InputError, match=r"--column segment=NAME --column system=NAME$"):
        read_ratings(tmp_path / "r.tsv", "overall", ["a"])
    with pytest.raises(InputError, match=r"which column it is: --column system=NAME$"):
        read_ratings(tmp_path / "r.tsv", "overall", ["a"], columns={"segment": "satz"})


def test_systems_that_share_a_candidate(tmp_path):
    table = tmp_path / "r.tsv"
    table.write_text("segment\tsystem\tjudge\toverall\n1\ta / b\tx\t2\n1\tb/c\ty\t4\n2\tc\tx\t\n")
    found = read_ratings(table, "overall", ["a", "b"], separator="/", columns={"judge": "Judge"})
    assert found.means == {("a", 0): 2.0, ("b", 0): 3.0}
    assert found.others == {("c", 0): 1}
    assert found.unrated == {("c", 1)}
    with pytest.raises(SettingError, match="separator: expected at least one character"):
        read_ratings(table, "overall", ["a"], separator="")
    with pytest.raises(FileFormatError, match="unknown column 'jugde'; did you mean 'judge'"):
        read_ratings(table, "overall", ["a"], columns={"judge": "jugde"})
    table.write_text("segment\tsystem\toverall\n1\t/\t2\n")
    with pytest.raises(FileFormatError, match=r"r\.tsv:2: column 'system': expected a system"):
        read_ratings(table, "overall", ["a"], separator="/")
