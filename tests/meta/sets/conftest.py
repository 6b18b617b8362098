"""What tests of evaluation sets share: a way to write a table."""

from __future__ import annotations

import pytest


@pytest.fixture
def table(tmp_path):
    def write(content, name="r.tsv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write
