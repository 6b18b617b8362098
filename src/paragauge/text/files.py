"""Opening and saving: compression by content, standard streams, files that appear whole or not.

Reading recognises gzip and Zstandard by their first bytes, whatever the file is called (neither
magic number can start UTF-8 text). Writing goes to a temporary file beside the target, which is
renamed when all is written: an interrupted run leaves the old file, or none.
"""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from paragauge.errors import FileFormatError

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"


def display_name(path: str | Path) -> str:
    """How error messages name a file.

    >>> display_name("-")
    '<stdin>'
    """
    return "<stdin>" if str(path) == "-" else str(path)


def open_raw(path: str | Path) -> BinaryIO:
    """The bytes of a file (or of standard input for ``-``), decompressed; bad paths in one line."""
    if str(path) == "-":
        return _decompressed(cast(io.BufferedReader, sys.stdin.buffer))
    try:
        stream = Path(path).open("rb")  # noqa: SIM115  # the caller closes it
    except OSError as error:
        raise os_error(path, error) from None
    return _decompressed(stream)


def os_error(path: str | Path, error: OSError) -> FileFormatError:
    """What went wrong with `path`, in words.

    >>> print(os_error("x", FileNotFoundError()))
    x: no such file; check the path
    """
    if isinstance(error, FileNotFoundError):
        message = "no such file; check the path"
    elif isinstance(error, IsADirectoryError):
        message = "expected a file, found a directory; name a file in it"
    elif isinstance(error, PermissionError):
        message = "no permission to open it; check its owner and mode"
    else:
        message = (error.strerror or str(error) or type(error).__name__).lower()
    return FileFormatError(display_name(path), None, message)


def _decompressed(stream: io.BufferedReader) -> BinaryIO:
    magic = stream.peek(4)[:4]
    if magic.startswith(GZIP):
        import gzip

        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if magic == ZSTD:
        import pyarrow as pa

        return cast(BinaryIO, pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), "zstd"))
    return stream


def read_block(stream: BinaryIO, size: int, path: str | Path) -> bytes:
    """At most `size` bytes, b"" at the end; a broken archive is an error that names the file."""
    try:
        return stream.read(size)
    except (EOFError, zlib.error) as error:
        raise FileFormatError(
            display_name(path), None, f"damaged gzip data ({error}); compress the file again"
        ) from None
    except OSError as error:
        if error.errno is None:  # raised by the decompressor, not by the system
            raise FileFormatError(
                display_name(path), None, f"damaged compressed data ({error}); compress it again"
            ) from None
        raise os_error(path, error) from None


def compression(path: str | Path) -> str | None:
    """The compression that a name to write to asks for.

    >>> compression("a.tsv.gz"), compression("a.tsv")
    ('gz', None)
    """
    suffix = Path(path).suffix
    return suffix[1:] if suffix in (".gz", ".zst") else None


def open_text(path: Path, packed: str | None = None) -> IO[str]:
    """A UTF-8 text file to write to, compressed as asked."""
    if packed is None:
        return path.open("w", encoding="utf-8", newline="\n")
    raw: BinaryIO
    if packed == "gz":
        import gzip

        raw = cast(BinaryIO, gzip.GzipFile(path, "wb", mtime=0))
    else:
        import pyarrow as pa

        raw = cast(BinaryIO, pa.CompressedOutputStream(str(path), "zstd"))
    return io.TextIOWrapper(raw, encoding="utf-8", newline="\n")


@contextlib.contextmanager
def atomic(path: str | Path) -> Iterator[IO[str]]:
    r"""A UTF-8 text file that appears under `path` when the block ends without an error.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "out.txt")
    ...     with atomic(target) as out:
    ...         _ = out.write("hello\n")
    ...     target.read_text()
    'hello\n'
    """
    with atomic_path(path) as temporary, open_text(temporary) as out:
        yield out


@contextlib.contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to it when the block ends without an error."""
    target = Path(path)
    if target.is_dir():
        raise os_error(path, IsADirectoryError())
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        temporary.touch(exist_ok=False)
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            message = f"its folder {target.parent} does not exist; make it first"
            raise FileFormatError(path, None, message) from None
        raise os_error(path, error) from None
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(target)
    except OSError as error:
        raise os_error(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Data on disk before the name points to it, so that a crash cannot leave an empty file."""
    with path.open("rb") as written:
        os.fsync(written.fileno())
