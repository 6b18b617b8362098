"""Write an encoder of the BERT family as a graph for onnxruntime, in float32 or in 8 bits.

Input: `input_ids` [texts, pieces], all texts of one length. Outputs: `layer_0`, `layer_1`, ... for the
layers that are wanted, [texts, pieces, width] each. `bert_forward.py` is the specification.

In 8 bits, a linear map y = x W + b with x [rows, inputs] is computed as

    s_r = max |x_r| / 127        q_r = round(x_r / s_r) + 128                       (one row, one piece)
    t_c = max |W_c| / 64         V_c = round(W_c / t_c)                              (one column)
    y_rc = s_r t_c * sum over i of (q_ri - 128) V_ic + b_c

in whole numbers but for the last line. Each row has a scale of its own, so a piece's result depends on
nothing but its own vector: not on other texts, as it does where one scale is taken from a whole batch,
and not on calibration data. The weights use 7 of their 8 bits because processors without VNNI add two
products in 16 bits, which 255 * 127 * 2 does not fit; with 64 the sum is exact on every processor.
Embeddings are kept in 8 bits with one scale per row. Attention and normalization run in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paragauge.encode.bert_weights import BertWeights, Dense, Layer, Norm
from paragauge.encode.onnx_graph import DATA_TYPES, Node, OnnxGraph, TensorInfo, onnx_bytes
from paragauge.errors import SettingError

# onnxruntime's own operators, which do several steps at once.
FUSED = "com.microsoft"
OPERATOR_SETS = {"": 21, FUSED: 1}
# The largest file that onnxruntime reads, a limit of protobuf.
MOST_BYTES = 2**31 - 1
# The largest activation and weight in 8 bits.
MOST_ACTIVATION, MOST_WEIGHT = 127, 64


def write_graph(
    path: str | Path,
    weights: BertWeights,
    layers: Sequence[int],
    *,
    bits: int,
    masked: bool = False,
) -> None:
    """Write the graph with these layers as outputs; `bits` is 8 or 32. Same input, same bytes.

    A `masked` graph has one more input, `attention_mask` [texts, pieces], int32: 1 for a piece, 0 for
    padding, so that texts of several lengths can be in one batch.
    """
    Path(path).write_bytes(graph_bytes(weights, layers, bits=bits, masked=masked))


def graph_bytes(
    weights: BertWeights, layers: Sequence[int], *, bits: int, masked: bool = False
) -> bytes:
    """The file that `write_graph` writes; an error if onnxruntime could not read it."""
    content = onnx_bytes(build_graph(weights, layers, bits=bits, masked=masked))
    if len(content) > MOST_BYTES:
        remedy = "convert it in 8 bits" if bits == 32 else "choose a smaller encoder"
        raise SettingError(
            f"bits: in {bits} bits the graph has {len(content):,} bytes, and onnxruntime reads at most "
            f"{MOST_BYTES:,}; {remedy}"
        )
    return content


def build_graph(
    weights: BertWeights, layers: Sequence[int], *, bits: int, masked: bool = False
) -> OnnxGraph:
    """The graph that `write_graph` writes."""
    return _GraphBuilder(bits == 8, masked).build(weights, layers)


def quantize_columns(weight: Any, most: int = MOST_WEIGHT) -> tuple[Any, Any]:
    """Whole numbers int8 [inputs, outputs] and the scale of each column, float32 [outputs].

    >>> numbers, scales = quantize_columns(np.array([[1.0, 0.0], [-0.5, 0.0]], np.float32))
    >>> numbers.tolist(), (scales[0] * 64).round(3)
    ([[64, 0], [-32, 0]], np.float32(1.0))
    """
    scales = np.abs(weight).max(axis=0) / most
    scales[scales == 0] = 1
    return np.round(weight / scales).astype(np.int8), scales.astype(np.float32)


class _GraphBuilder:
    """Nodes and constants of a graph in the making."""

    def __init__(self, quantized: bool, masked: bool) -> None:
        self._quantized = quantized
        self._masked = masked
        self._nodes: list[Node] = []
        self._constants: dict[str, Any] = {}

    def build(self, weights: BertWeights, layers: Sequence[int]) -> OnnxGraph:
        """The graph with these layers as outputs."""
        width = weights.pieces.shape[1]
        shape = self._node("Shape", "input_ids")
        self._three = self._node("Concat", shape, self._constant("width", [width]), axis=0)
        self._rows = self._constant("rows", [-1, width])
        x = self._embed(weights)
        states = {0: x}
        for number, layer in enumerate(weights.layers[: max(layers)]):
            x = self._layer(f"layer{number}", layer, x, weights)
            states[number + 1] = x
        for number in layers:
            self._nodes.append(Node("Reshape", (states[number], self._three), (f"layer_{number}",)))
        inputs = [TensorInfo("input_ids", "int64", ("texts", "pieces"))]
        if self._masked:
            inputs.append(TensorInfo("attention_mask", "int32", ("texts", "pieces")))
        outputs = [
            TensorInfo(f"layer_{number}", "float32", ("texts", "pieces", width)) for number in layers
        ]
        return OnnxGraph(
            tuple(self._nodes), tuple(inputs), tuple(outputs), self._constants, OPERATOR_SETS
        )

    def _embed(self, weights: BertWeights) -> str:
        if self._quantized:
            rows, scales = quantize_columns(weights.pieces.T, 127)
            numbers = self._node("Gather", self._constant("pieces", rows.T), "input_ids")
            scale = self._node("Gather", self._constant("piece_scales", scales[:, None]), "input_ids")
            x = self._node("Mul", self._to_float(numbers), scale)
        else:
            x = self._node("Gather", self._constant("pieces", weights.pieces), "input_ids")
        length = self._node(
            "Slice",
            self._node("Shape", "input_ids"),
            self._constant("one", [1]),
            self._constant("two", [2]),
        )
        positions = self._node(
            "Slice", self._constant("positions", weights.positions), self._constant("zero", [0]), length
        )
        x = self._node("Reshape", self._node("Add", x, positions), self._rows)
        return self._node(
            "LayerNormalization", x, *self._norm("norm", weights.norm), epsilon=weights.epsilon
        )

    def _layer(self, name: str, layer: Layer, x: str, weights: BertWeights) -> str:
        inputs = self._activations(x)
        parts = [
            self._node("Reshape", self._product(f"{name}_{part}", inputs, dense), self._three)
            for part, dense in (("query", layer.query), ("key", layer.key), ("value", layer.value))
        ]
        bias = np.concatenate([layer.query.bias, layer.key.bias, layer.value.bias])
        attended = self._node(
            "MultiHeadAttention",
            *parts,
            self._constant(f"{name}_bias", bias),
            *(["attention_mask"] if self._masked else []),
            domain=FUSED,
            num_heads=weights.heads,
        )
        attended = self._node("Reshape", attended, self._rows)
        y = self._product(f"{name}_attention", self._activations(attended), layer.attention)
        x = self._add_norm(
            f"{name}_attention", y, x, layer.attention, layer.attention_norm, weights.epsilon
        )
        inner = self._product(f"{name}_inner", self._activations(x), layer.inner)
        bias_name = self._constant(f"{name}_inner_bias", layer.inner.bias)
        inner = self._node("BiasGelu", inner, bias_name, domain=FUSED)
        y = self._product(f"{name}_outer", self._activations(inner), layer.outer)
        return self._add_norm(f"{name}_outer", y, x, layer.outer, layer.outer_norm, weights.epsilon)

    def _activations(self, x: str) -> tuple[str, str]:
        """A matrix [rows, inputs] as the products take it: whole numbers and the scale of each row."""
        if not self._quantized:
            return x, ""
        largest = self._node(
            "ReduceMax", self._node("Abs", x), self._constant("last", [-1]), keepdims=1
        )
        smallest = self._constant("smallest", np.float32(1e-30))
        scale = self._node(
            "Mul",
            self._node("Max", largest, smallest),
            self._constant("inverse", np.float32(1 / MOST_ACTIVATION)),
        )
        flat = self._node("Reshape", scale, self._constant("flat", [-1]))
        middle = self._node("Expand", self._middle(), self._node("Shape", flat))
        return self._node("QuantizeLinear", x, flat, middle, axis=0), scale

    def _product(self, name: str, inputs: tuple[str, str], dense: Dense) -> str:
        """The product with a weight, without the bias."""
        x, scale = inputs
        if not self._quantized:
            return self._node("MatMul", x, self._constant(f"{name}_weight", dense.weight))
        numbers, scales = quantize_columns(dense.weight)
        y = self._node(
            "MatMulIntegerToFloat",
            x,
            self._constant(f"{name}_weight", numbers),
            self._constant("unit", np.float32(1)),
            self._constant(f"{name}_scale", scales),
            self._middle(),
            domain=FUSED,
        )
        return self._node("Mul", y, scale)

    def _add_norm(self, name: str, y: str, x: str, dense: Dense, norm: Norm, epsilon: float) -> str:
        """LN(x + y + bias)."""
        bias = self._constant(f"{name}_bias", dense.bias)
        weights = self._norm(f"{name}_norm", norm)
        return self._node("SkipLayerNormalization", y, x, *weights, bias, domain=FUSED, epsilon=epsilon)

    def _norm(self, name: str, norm: Norm) -> tuple[str, str]:
        return self._constant(f"{name}_scale", norm.scale), self._constant(f"{name}_shift", norm.shift)

    def _middle(self) -> str:
        return self._constant("middle", np.uint8(128))

    def _to_float(self, x: str) -> str:
        return self._node("Cast", x, to=DATA_TYPES["float32"])

    def _constant(self, name: str, value: Any) -> str:
        if name not in self._constants:
            kind = np.int64 if isinstance(value, list) else None
            self._constants[name] = np.array(value, kind, order="C")
        return name

    def _node(self, operator: str, *inputs: str, domain: str = "", **attributes: int | float) -> str:
        name = f"{operator}_{len(self._nodes)}"
        self._nodes.append(Node(operator, inputs, (name,), domain, attributes))
        return name
