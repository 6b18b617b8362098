"""The versions of the schemas of JSON: what readers rely on does not change without a new one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import json_page
from paragauge.errors import SettingError
from paragauge.report.schemas import read_schema, schema_id, schema_names
from paragauge.report.tables import json_text


def test_the_page_and_the_record_are_current() -> None:
    assert json_page.PAGE.read_text(encoding="utf-8") == json_page.page()
    assert json_page.RECORD.read_text(encoding="utf-8") == json_page.record()


def test_a_version_keeps_its_fields() -> None:
    """The tool that writes the record refuses to drop lines of a version."""
    record = json_page.record()
    without = record.replace("paragauge/curve/1\tmetric\tstring\n", "")
    assert json_page.lost_fields(without, record) == []
    assert json_page.lost_fields(record, without) == ["paragauge/curve/1\tmetric\tstring"]
    assert json_page.lost_fields(record, without.replace("/curve/1", "/curve/2")) == []


def test_json_text_puts_the_version_first() -> None:
    text = json_text("lm-info", {"order": 3, "bytes": float("inf")})
    assert list(json.loads(text).items())[:3] == [
        ("schema", "paragauge/lm-info/1"),
        ("order", 3),
        ("bytes", None),
    ]


def test_a_schema_contains_what_it_needs() -> None:
    for name in schema_names():
        text = json.dumps(read_schema(name))
        definitions = read_schema(name).get("$defs", {})
        assert text.count("#/$defs/") >= len(definitions)
        assert all(f'"#/$defs/{inner}"' in text for inner in definitions)
        assert schema_id(name).startswith(f"paragauge/{name}/")


def test_unknown_names() -> None:
    with pytest.raises(SettingError, match="unknown schema 'scores'; did you mean 'score'"):
        read_schema("scores")


def test_the_schemas_are_in_the_package() -> None:
    """As files, which an installed package needs."""
    script = "from paragauge.report.schemas import schema_names; print(len(schema_names()))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    forms = Path(json_page.ROOT) / "src" / "paragauge" / "report" / "schemas" / "forms"
    assert int(done.stdout) == len(list(forms.glob("*.json"))) - 1
