"""Fields of protobuf messages: by hand, and against Google's protobuf, which onnxruntime brings."""

from __future__ import annotations

import pytest
from google.protobuf.wrappers_pb2 import BytesValue, FloatValue, Int64Value, StringValue
from hypothesis import given
from hypothesis import strategies as st

from paragauge.encode.protobuf_wire import (
    bytes_field,
    float_field,
    integer_field,
    text_field,
    varint,
)


@pytest.mark.parametrize(
    ("number", "groups"),
    [
        (0, [0]),
        (1, [1]),
        (127, [127]),
        (128, [0 + 128, 1]),  # 1 * 128 + 0
        (300, [44 + 128, 2]),  # 2 * 128 + 44
        (2**14, [128, 128, 1]),
        (-1, [255] * 9 + [1]),  # 64 bits, all set: nine groups of 7 and one bit
    ],
)
def test_varints_by_hand(number: int, groups: list[int]) -> None:
    assert list(varint(number)) == groups


def test_a_message_in_a_message_by_hand() -> None:
    # Field 2 with bytes: 8 * 2 + 2. Its 2 bytes: field 1 with a varint, 8 * 1 + 0, and 5.
    assert list(bytes_field(2, integer_field(1, 5))) == [18, 2, 8, 5]
    # Field 20 needs a key of two bytes: 160 = 1 * 128 + 32.
    assert list(integer_field(20, 2)) == [32 + 128, 1, 2]
    # 1.5 is 1.1 in base 2: exponent 127, then a mantissa with its highest bit set.
    assert float_field(1, 1.5) == bytes([13]) + (127 << 23 | 1 << 22).to_bytes(4, "little")


@given(st.integers(-(2**63), 2**63 - 1))
def test_integers_are_read_back(number: int) -> None:
    assert Int64Value.FromString(integer_field(1, number)).value == number
    if number:  # protobuf leaves zeros out
        assert Int64Value(value=number).SerializeToString() == integer_field(1, number)


@given(st.floats(width=32, allow_nan=False))
def test_floats_are_read_back(number: float) -> None:
    assert FloatValue.FromString(float_field(1, number)).value == number


@given(st.text(st.characters(exclude_categories=["Cs"])), st.binary(max_size=300))
def test_texts_and_bytes_are_read_back(text: str, data: bytes) -> None:
    assert StringValue.FromString(text_field(1, text)).value == text
    assert BytesValue.FromString(bytes_field(1, data[:7], data[7:])).value == data
