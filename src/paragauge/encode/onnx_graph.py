"""A graph of operators and its file in ONNX, the format that onnxruntime reads.

The file is one protobuf message, `ModelProto`. Of its schema, onnx.proto3 of the ONNX project, these
are the fields that are written, each with its number:

    ModelProto          ir_version 1, producer_name 2, graph 7, opset_import 8
    OperatorSetIdProto  domain 1, version 2
    GraphProto          node 1, name 2, initializer 5, input 11, output 12
    NodeProto           input 1, output 2, op_type 4, attribute 5, domain 7
    AttributeProto      name 1, f 2, i 3, type 20
    TensorProto         dims 1, data_type 2, name 8, raw_data 9
    ValueInfoProto      name 1, type 2
    TypeProto           tensor_type 1
    TypeProto.Tensor    elem_type 1, shape 2
    TensorShapeProto    dim 1
    Dimension           dim_value 1, dim_param 2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from paragauge.encode.protobuf_wire import bytes_field, float_field, integer_field, text_field

IR_VERSION = 10
# TensorProto.DataType, for the types that the graphs have.
DATA_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
# AttributeProto.AttributeType
FLOAT_ATTRIBUTE, INT_ATTRIBUTE = 1, 2


@dataclass(frozen=True)
class Node:
    """One operator: names of what it reads and of what it gives, and its settings.

    `domain` names a set of operators. ONNX's own is empty; None leaves it out, which means the same.
    """

    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    domain: str | None = None
    attributes: Mapping[str, int | float] = field(default_factory=dict)


@dataclass(frozen=True)
class TensorInfo:
    """Name, type and shape of an input or output; a dimension with a name may have any size."""

    name: str
    dtype: str
    shape: tuple[int | str, ...]


@dataclass(frozen=True)
class OnnxGraph:
    """A graph: nodes in the order they run, what goes in and comes out, and constants by name.

    `operator_sets` has the version of each domain of operators that the nodes use.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    constants: Mapping[str, npt.NDArray[np.generic]]
    operator_sets: Mapping[str, int]


def onnx_bytes(graph: OnnxGraph) -> bytes:
    """The graph as a file in ONNX; the same graph gives the same bytes.

    >>> double = Node("Add", ("x", "x"), ("y",))
    >>> x, y = (TensorInfo(name, "float32", ("n",)) for name in "xy")
    >>> onnx_bytes(OnnxGraph((double,), (x,), (y,), {}, {"": 21}))[:13]
    b'\\x08\\n\\x12\\tparagauge'
    """
    content = bytes_field(
        7,
        *(bytes_field(1, _node(node)) for node in graph.nodes),
        text_field(2, "encoder"),
        *(bytes_field(5, _constant(name, array)) for name, array in graph.constants.items()),
        *(bytes_field(11, _tensor_info(info)) for info in graph.inputs),
        *(bytes_field(12, _tensor_info(info)) for info in graph.outputs),
    )
    operator_sets = [
        bytes_field(8, text_field(1, domain), integer_field(2, version))
        for domain, version in graph.operator_sets.items()
    ]
    return b"".join([integer_field(1, IR_VERSION), text_field(2, "paragauge"), content, *operator_sets])


def _node(node: Node) -> bytes:
    return b"".join(
        [
            *(text_field(1, name) for name in node.inputs),
            *(text_field(2, name) for name in node.outputs),
            text_field(4, node.operator),
            *(
                bytes_field(5, _attribute(name, node.attributes[name]))
                for name in sorted(node.attributes)
            ),
            b"" if node.domain is None else text_field(7, node.domain),
        ]
    )


def _attribute(name: str, value: int | float) -> bytes:
    if isinstance(value, int):
        return text_field(1, name) + integer_field(3, value) + integer_field(20, INT_ATTRIBUTE)
    return text_field(1, name) + float_field(2, value) + integer_field(20, FLOAT_ATTRIBUTE)


def _constant(name: str, array: npt.NDArray[np.generic]) -> bytes:
    """A tensor; its raw data are the numbers row by row, the lowest byte first."""
    little = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
    return b"".join(
        [
            *(integer_field(1, size) for size in array.shape),
            integer_field(2, DATA_TYPES[array.dtype.name]),
            text_field(8, name),
            bytes_field(9, little.tobytes()),
        ]
    )


def _tensor_info(info: TensorInfo) -> bytes:
    shape = (
        bytes_field(1, integer_field(1, size) if isinstance(size, int) else text_field(2, size))
        for size in info.shape
    )
    tensor = integer_field(1, DATA_TYPES[info.dtype]) + bytes_field(2, *shape)
    return text_field(1, info.name) + bytes_field(2, bytes_field(1, tensor))
