"""Options of metrics that compare contextual vectors: the encoder, and where vectors are kept."""

from __future__ import annotations

from dataclasses import dataclass

from paragauge.cli.command import gather_options, option
from paragauge.errors import SettingError

CONTEXT = "Context (cosine, BERTScore, BERT-iBLEU, ParaScore and *-context)"

encoder = option(
    "--encoder",
    metavar="NAME|FOLDER",
    heading=CONTEXT,
    help="Another encoder: a folder, or a model's name on this machine. Default: english, built in.",
)
cache = option(
    "--cache",
    metavar="FOLDER",
    heading=CONTEXT,
    help="Keep the vectors of all texts in this folder, for later runs.",
)


@dataclass(frozen=True)
class EncoderChoice:
    """The encoder, None being the one that comes with the package, and the folder for vectors."""

    encoder: str | None
    cache: str | None

    def settings(self) -> dict[str, str]:
        """The setting of metrics that have an encoder.

        >>> EncoderChoice("my-encoder", None).settings()
        {'encoder': 'my-encoder'}
        """
        return {} if self.encoder is None else {"encoder": self.encoder}

    def use_cache(self) -> None:
        """Keep vectors in the folder, if one is given."""
        if self.cache == "":
            raise SettingError("--cache: expected a folder, found ''; name one or leave out --cache")
        if self.cache is not None:
            from paragauge.encode.encoder_by_name import keep_vectors

            keep_vectors(self.cache)


with_encoder = gather_options("encoding", EncoderChoice, encoder, cache)
