"""Graphs in ONNX that onnxruntime reads and runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pytest

from paragauge.encode.onnx_graph import DATA_TYPES, Node, OnnxGraph, TensorInfo, onnx_bytes


def session(graph: OnnxGraph) -> Any:
    return onnxruntime.InferenceSession(onnx_bytes(graph), providers=["CPUExecutionProvider"])


def test_a_product_by_hand() -> None:
    graph = OnnxGraph(
        nodes=(
            Node("Transpose", ("weight",), ("turned",)),
            Node("MatMul", ("x", "turned"), ("y",), ""),
        ),
        inputs=(TensorInfo("x", "float32", ("rows", 2)),),
        outputs=(TensorInfo("y", "float32", ("rows", 3)),),
        # A view whose numbers are not row by row in memory.
        constants={"weight": np.array([[1, 0, 2], [0, 1, 3]], np.float32).T},
        operator_sets={"": 21},
    )
    (y,) = session(graph).run(None, {"x": np.array([[10, 1], [0, 2]], np.float32)})
    assert y.tolist() == [[10, 1, 23], [0, 2, 6]]


def test_names_types_and_shapes_are_read_back() -> None:
    graph = OnnxGraph(
        nodes=(Node("Identity", ("é",), ("out",)),),
        inputs=(TensorInfo("é", "int64", ("texts", 7, "pieces")),),
        outputs=(TensorInfo("out", "int64", ("texts", 7, "pieces")),),
        constants={},
        operator_sets={"": 21},
    )
    (info,) = session(graph).get_inputs()
    assert (info.name, info.type, info.shape) == ("é", "tensor(int64)", ["texts", 7, "pieces"])


@pytest.mark.parametrize("dtype", DATA_TYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
@pytest.mark.parametrize("order", ["<", ">"])
def test_constants_are_read_back(dtype: str, shape: tuple[int, ...], order: str) -> None:
    numbers = np.arange(np.prod(shape, dtype=int)) * 7 + 100
    constant = numbers.astype(np.dtype(dtype).newbyteorder(order)).reshape(shape)
    graph = OnnxGraph(
        nodes=(Node("Identity", ("constant",), ("copy",)),),
        inputs=(),
        outputs=(TensorInfo("copy", dtype, shape),),
        constants={"constant": constant},
        operator_sets={"": 21},
    )
    (copy,) = session(graph).run(None, {})
    assert copy.dtype == dtype
    np.testing.assert_array_equal(copy, constant)


def test_whole_numbers_and_fractions_as_attributes() -> None:
    graph = OnnxGraph(
        nodes=(
            Node("LeakyRelu", ("x",), ("y",), attributes={"alpha": 0.25}),
            Node("Softmax", ("y",), ("z",), attributes={"axis": -2}),
        ),
        inputs=(TensorInfo("x", "float32", (2, 1)),),
        outputs=(TensorInfo("y", "float32", (2, 1)), TensorInfo("z", "float32", (2, 1))),
        constants={},
        operator_sets={"": 21},
    )
    y, z = session(graph).run(None, {"x": np.array([[-8], [-8]], np.float32)})
    assert y.tolist() == [[-2], [-2]]  # a quarter of the negative ones
    assert z.tolist() == [[0.5], [0.5]]  # down the columns; along the rows they would be 1
