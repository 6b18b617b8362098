"""`paragauge pem info`: show what is in a model of PEM."""

from __future__ import annotations

import click

from paragauge.cli.command import Command
from paragauge.cli.options import shared_options
from paragauge.cli.pem.tables import model_record, model_rows
from paragauge.metrics.pem.model import open_model
from paragauge.report.tables.score_tables import json_text, readable, tsv_text


@click.command(
    "info", cls=Command, examples=("paragauge pem info", "paragauge pem info model --format json")
)
@click.argument("model", default="english")
@shared_options.form
def info(model: str, form: str) -> None:
    """Show what is in a model. MODEL is a folder, or english, which comes with the package."""
    shared_options.check_format(form)
    opened = open_model(model)
    if form == "json":
        click.echo(json_text("pem-info", model_record(opened)), nl=False)
        return
    rows = [list(row) for row in model_rows(opened)]
    if form == "tsv":
        records = [dict(zip(("what", "value"), row, strict=True)) for row in rows]
        click.echo(tsv_text(("what", "value"), records), nl=False)
        return
    click.echo(readable(form, "ll", ["PEM model", model], rows, []), nl=False)
