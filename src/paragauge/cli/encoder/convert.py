"""`paragauge encoder convert`: make an encoder for onnxruntime from safetensors."""

from __future__ import annotations

import click

from paragauge.cli import streams
from paragauge.cli.command import Command, option


@click.command(
    cls=Command,
    examples=(
        "paragauge encoder convert all-MiniLM-L12-v2 --output my-encoder --language en",
        "paragauge encoder convert xlm-roberta-base --output large --bits 32 --layers 0,6,12",
    ),
)
@click.argument("folder")
@option(
    "--output",
    "-o",
    required=True,
    metavar="FOLDER",
    writes=streams.FOLDER,
    help="The folder to write.",
)
@option(
    "--bits",
    type=int,
    default=8,
    metavar="8|32",
    help="Precision: 8 is a quarter as large and about twice as fast.",
)
@option("--layers", metavar="N,...", help="Layers that can be asked for. Default: all.")
@option("--language", metavar="CODE", help="The one language that the encoder knows, such as en.")
def convert(folder: str, output: str, bits: int, layers: str | None, language: str | None) -> None:
    """Convert FOLDER, an encoder of the BERT family, for use by metrics.

    FOLDER has config.json, *.safetensors and tokenizer.json, as transformers and sentence-transformers
    save them, or is the name of such a model on this machine. Other architectures: export them with
    optimum-cli export onnx.
    """
    from paragauge.encode.convert import convert_encoder, parse_layers

    convert_encoder(
        folder,
        output,
        bits=bits,
        layers=None if layers is None else parse_layers(layers),
        language=language,
    )
    click.echo(f"wrote {output}")
