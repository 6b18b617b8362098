"""The forward pass of BERT (Devlin et al. 2019), written to be read.

This is the specification of the graphs that `bert_graph.py` writes. With x the vectors of a
text's pieces [n, width], and LN the normalization to mean 0 and variance 1 followed by a scale and
a shift,

    x_0     = LN(piece + position)
    head_h  = softmax(Q_h K_h^T / sqrt(width of a head)) V_h          Q, K, V linear in x
    a       = LN(x + linear(all heads side by side))
    x_l+1   = LN(a + linear(gelu(linear(a))))                        gelu(t) = t/2 (1 + erf(t / sqrt 2))

Everything is computed in float64.
"""

from __future__ import annotations

import math

import numpy as np

from paragauge.encode.bert_weights import BertWeights, Dense, Layer, Norm
from paragauge.kernels.layout import Floats, Ints


def forward(weights: BertWeights, pieces: Ints) -> list[Floats]:
    """The vectors of one text at every layer, from 0 on: float64 [n, width] each."""
    x = weights.pieces[pieces].astype(np.float64) + weights.positions[: len(pieces)]
    x = normalize(x, weights.norm, weights.epsilon)
    layers = [x]
    for layer in weights.layers:
        attended = linear(attend(x, layer, weights.heads), layer.attention)
        x = normalize(x + attended, layer.attention_norm, weights.epsilon)
        inner = gelu(linear(x, layer.inner))
        x = normalize(x + linear(inner, layer.outer), layer.outer_norm, weights.epsilon)
        layers.append(x)
    return layers


def attend(x: Floats, layer: Layer, heads: int) -> Floats:
    """Every head's mean of the values, weighted by the softmax of query times key."""
    count, width = x.shape
    query, key, value = (
        linear(x, part).reshape(count, heads, width // heads).transpose(1, 0, 2)
        for part in (layer.query, layer.key, layer.value)
    )
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(width // heads)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return np.asarray((shares @ value).transpose(1, 0, 2).reshape(count, width))


def linear(x: Floats, dense: Dense) -> Floats:
    """A linear map.

    >>> linear(np.ones((1, 2)), Dense(np.eye(2, dtype=np.float32), np.ones(2, np.float32)))
    array([[2., 2.]])
    """
    return np.asarray(x @ dense.weight.astype(np.float64) + dense.bias)


def normalize(x: Floats, norm: Norm, epsilon: float) -> Floats:
    """Layer normalization.

    >>> normalize(np.array([[1.0, 3.0]]), Norm(np.ones(2, np.float32), np.zeros(2, np.float32)), 0)
    array([[-1.,  1.]])
    """
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return np.asarray((x - mean) / np.sqrt(variance + epsilon) * norm.scale + norm.shift)


def gelu(x: Floats) -> Floats:
    """The Gaussian error linear unit.

    >>> gelu(np.array([0.0, 1.0])).round(4)
    array([0.    , 0.8413])
    """
    erf = np.vectorize(math.erf, otypes=[np.float64])
    return np.asarray(x * 0.5 * (1 + erf(x / math.sqrt(2))))
