"""Contextual vectors of words and sentences: the encoder that ships, and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paragauge.lazy import load_on_use

if TYPE_CHECKING:
    from paragauge.encode.convert import convert_encoder
    from paragauge.encode.encoder import EncodedTexts, Encoder
    from paragauge.encode.encoder_by_name import describe_encoder, keep_vectors, open_encoder
    from paragauge.encode.onnx_encoder import OnnxEncoder
else:
    __getattr__, __dir__ = load_on_use(__name__)

__all__ = [
    "EncodedTexts",
    "Encoder",
    "OnnxEncoder",
    "convert_encoder",
    "describe_encoder",
    "keep_vectors",
    "open_encoder",
]
