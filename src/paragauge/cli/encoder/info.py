"""`paragauge encoder info`: describe an encoder."""

from __future__ import annotations

import sys
from typing import Any

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.report.tables.score_tables import json_text, readable, tsv_text


@click.command(cls=Command, examples=("paragauge encoder info", "paragauge encoder info my-encoder"))
@click.argument("encoder", default="english")
@shared_options.form
def info(encoder: str, form: str) -> None:
    """Describe the encoder of a folder or name, or the built-in one."""
    shared_options.check_format(form)
    from paragauge.encode.encoder_by_name import describe_encoder

    sys.stdout.write(_render(describe_encoder(encoder), form))


def _render(facts: dict[str, Any], form: str) -> str:
    if form == "json":
        return json_text("encoder-info", facts)
    records = [
        {"fact": name, "value": " ".join(map(str, value)) if isinstance(value, list) else str(value)}
        for name, value in facts.items()
    ]
    if form == "tsv":
        return tsv_text(("fact", "value"), records)
    rows = [[record["fact"].replace("_", " "), record["value"]] for record in records]
    return readable(form, "ll", ["fact", "value"], rows, [])
