"""`paragauge lm info`: describe a language model."""

from __future__ import annotations

import sys

import click

from paragauge.cli.command import Command
from paragauge.cli.lm.tables import render_info
from paragauge.cli.options import shared_options
from paragauge.lm import open_model


@click.command(cls=Command, examples=("paragauge lm info lm.bin",))
@click.argument("model")
@shared_options.form
def info(model: str, form: str) -> None:
    """Describe MODEL: its order, its n-grams and the form of text it was trained on."""
    shared_options.check_format(form)
    sys.stdout.write(render_info(open_model(model), model, form))
