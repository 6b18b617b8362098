"""`paragauge lm convert`: convert, prune or quantize a language model."""

from __future__ import annotations

import click

from paragauge.cli import streams
from paragauge.cli.command import Argument, Command
from paragauge.cli.lm import lm_options
from paragauge.cli.lm.lm_options import TextFormOptions, with_text_form
from paragauge.cli.options import shared_options
from paragauge.errors import InputError
from paragauge.lm import LanguageModel
from paragauge.lm.model import check_name
from paragauge.text.files import resolve_path


@click.command(
    cls=Command,
    examples=(
        "paragauge lm convert lm.arpa.gz lm.bin --bits 8",
        "paragauge lm convert lm.bin small.bin --entropy-prune 1e-7",
    ),
)
@click.argument("model")
@click.argument("output", cls=Argument, metavar="OUTPUT", writes=streams.TEXT_MODEL)
@lm_options.entropy_prune
@lm_options.bits
@with_text_form
@shared_options.threads
def convert(
    model: str,
    output: str,
    entropy_prune: float,
    bits: int | None,
    text: TextFormOptions,
    threads: int,
) -> None:
    """Convert MODEL, a binary model of paragauge or an ARPA file, to OUTPUT.

    OUTPUT is an ARPA file if its name ends in .arpa, .arpa.gz or .arpa.zst, else a binary model. The
    model can be pruned and quantized on the way.
    """
    check_name(output, bits)
    threshold = lm_options.check_share(entropy_prune)
    if model != "-" and resolve_path(model) == resolve_path(output):
        raise InputError(f"{output}: the file is the input too; choose another name")
    loaded = LanguageModel.load(model, form=text.form(), threads=threads)
    if threshold:
        table = loaded.table.prune_by_entropy(threshold, threads)
        loaded = LanguageModel(table, loaded.form, threads)
    loaded.save(output, bits=bits, threads=threads)
