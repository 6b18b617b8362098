"""Open and save files: compression by content, standard streams, atomic writes.

Reading recognizes gzip and Zstandard by their first bytes, whatever the file is called (neither
magic number can start UTF-8 text). Writing goes to a temporary file beside the target, which is
renamed when all is written: an interrupted run leaves the old file, or none.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, BinaryIO, Self, cast

from paragauge.errors import FileFormatError, InputError, MissingExtraError
from paragauge.text.pyarrow_extra import require_pyarrow
from paragauge.text.saving.leftovers import hidden_path, release

BUFFER = 1 << 16
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
BLOCK = 1 << 20
MOST_MODEL = 1 << 33
UNFOLD = 20
SMALL = 1 << 26
ONE_INPUT = "standard input (-) can serve one input only; give files for the others"


def display_name(path: str | Path) -> str:
    """How error messages name a file.

    >>> display_name("-")
    '<stdin>'
    """
    return "<stdin>" if str(path) == "-" else str(path)


class Closable(ABC):
    """Base of readers that a with-statement closes."""

    @abstractmethod
    def close(self) -> None:
        """Close the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class RawFile(Closable):
    """The decompressed bytes of a file, or of standard input for ``-``."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.is_compressed = False
        self._owned: list[BinaryIO] = []
        if str(path) == "-":
            if sys.stdin is None:
                raise FileFormatError("<stdin>", None, "standard input is closed; give a file")
            stream = cast(BinaryIO, sys.stdin.buffer)
        else:
            try:
                stream = Path(path).open("rb")  # noqa: SIM115  # close() does
            except (OSError, ValueError) as error:
                raise os_error(path, error) from None
            self._owned.append(stream)
        try:
            self._stream = self._decompress(stream)
        except OSError as error:
            self.close()
            raise os_error(path, error) from None
        except MissingExtraError:
            self.close()
            raise

    def read(self, size: int) -> bytes:
        """At most `size` bytes, b"" at the end; a broken archive is an error that names the file."""
        try:
            return self._stream.read(size)
        except (EOFError, zlib.error) as error:
            raise self._damage_error(f"damaged gzip data ({error}); compress the file again") from None
        except OSError as error:
            if error.errno is None:  # raised by the decompressor, not by the system
                raise self._damage_error(
                    f"damaged compressed data ({error}); compress it again"
                ) from None
            raise os_error(self.path, error) from None

    def close(self) -> None:
        """Close the file; standard input stays open."""
        for stream in reversed(self._owned):
            stream.close()

    def _damage_error(self, message: str) -> FileFormatError:
        return FileFormatError(display_name(self.path), None, message)

    def _decompress(self, stream: BinaryIO) -> BinaryIO:
        magic = b""
        while len(magic) < len(ZSTD) and (more := stream.read(len(ZSTD) - len(magic))):
            magic += more
        whole = stream
        if self._owned and stream.seekable():
            stream.seek(-len(magic), os.SEEK_CUR)
        else:
            whole = io.BufferedReader(_PrefixedStream(magic, stream), BUFFER)
        if magic.startswith(GZIP):
            import gzip

            whole = cast(BinaryIO, gzip.GzipFile(fileobj=whole))
        elif magic == ZSTD:
            require_pyarrow()
            import pyarrow as pa

            whole = cast(BinaryIO, pa.CompressedInputStream(pa.PythonFile(whole, mode="r"), "zstd"))
        if whole is not stream:
            self._owned.append(whole)
        self.is_compressed = magic.startswith(GZIP) or magic == ZSTD
        return whole


def read_whole(path: str | Path, magic: bytes = b"", most: int = MOST_MODEL) -> bytes:
    """All bytes of a file that is read into memory, such as a model; the first if `magic` is not there.

    A compressed one may unfold to 64 MiB, or to UNFOLD times its size: models are packed already.

    >>> read_whole("none.bin")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: none.bin: no such file; check the path
    """
    parts: list[bytes] = []
    size = 0
    with RawFile(path) as file:
        if file.is_compressed and str(path) != "-":
            most = min(most, max(SMALL, UNFOLD * Path(path).stat().st_size))
        while part := file.read(BLOCK):
            parts.append(part)
            size += len(part)
            if not parts[0].startswith(magic[: len(parts[0])]):
                break
            if size > most:
                raise FileFormatError(
                    display_name(path),
                    None,
                    f"expected a file of at most {most >> 20:,} MiB, found more; check the path",
                )
    return b"".join(parts)


class _PrefixedStream(io.RawIOBase):
    """A stream whose first bytes have been read already; closing it leaves the stream open."""

    def __init__(self, prefix: bytes, stream: BinaryIO) -> None:
        self._prefix = prefix
        self._rest = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._prefix[: len(buffer)] or self._rest.read(len(buffer))
        self._prefix = self._prefix[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def os_error(path: str | Path, error: OSError | ValueError) -> FileFormatError:
    """The error that says what went wrong with `path`.

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
        reason = error.strerror if isinstance(error, OSError) else None
        message = " ".join((reason or str(error) or type(error).__name__).lower().split())
    return FileFormatError(display_name(path), None, message)


def compression(path: str | Path) -> str | None:
    """The compression that the name of an output file asks for.

    >>> compression("a.tsv.gz"), compression("a.tsv")
    ('gz', None)
    """
    suffix = Path(path).suffix
    return suffix[1:] if suffix in (".gz", ".zst") else None


def open_text(path: Path, packed: str | None = None, *, level: int = 9) -> IO[str]:
    """A UTF-8 text file to write to, compressed as asked; `level` is gzip's, 1 the fastest."""
    if packed is None:
        return path.open("w", encoding="utf-8", newline="\n")
    raw: BinaryIO
    if packed == "gz":
        import gzip

        # Without a name or a time in its header: the same text gives the same bytes.
        file = path.open("wb")
        packer = gzip.GzipFile("", "wb", level, file, mtime=0)
        packer.myfileobj = file  # type: ignore[assignment]  # closed with the packer
        raw = cast(BinaryIO, packer)
    else:
        require_pyarrow()
        import pyarrow as pa

        raw = cast(BinaryIO, pa.CompressedOutputStream(str(path), "zstd"))
    return io.TextIOWrapper(raw, encoding="utf-8", newline="\n")


def check_not_compressed(path: str | Path) -> None:
    """Raise an error if the name of a binary file asks for compression.

    >>> check_not_compressed("lm.bin.gz")
    Traceback (most recent call last):
    paragauge.errors.InputError: lm.bin.gz: binary models are not compressed further; leave out .gz
    """
    if (packed := compression(path)) is not None:
        raise InputError(f"{path}: binary models are not compressed further; leave out .{packed}")


def resolve_path(path: str | Path) -> Path:
    """The path without links; a loop of links is an error that names it.

    >>> resolve_path("/.")
    PosixPath('/')
    """
    try:
        return Path(path).resolve()
    except RuntimeError:  # until Python 3.12
        raise os_error(path, OSError(errno.ELOOP, os.strerror(errno.ELOOP))) from None
    except (OSError, ValueError) as error:
        raise os_error(path, error) from None


def check_writable(path: str | Path) -> None:
    """Raise an error before long work if its output could not be written to `path`.

    >>> check_writable("no-such-folder/model.bin")
    Traceback (most recent call last):
    paragauge.errors.FileFormatError: no-such-folder/model.bin: its folder no-such-folder does not
    exist; make it first
    """
    target = resolve_path(path)
    if target.is_dir():
        raise os_error(path, IsADirectoryError())
    if not target.parent.is_dir():
        folder = Path(path).parent
        raise FileFormatError(path, None, f"its folder {folder} does not exist; make it first")


@contextlib.contextmanager
def atomic(path: str | Path, *, level: int = 9) -> Iterator[IO[str]]:
    r"""A UTF-8 text file that appears under `path` when the block ends without an error.

    A name that ends in `.gz` or `.zst` asks for compression, `level` is gzip's; `-` is standard output.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "out.txt")
    ...     with atomic(target) as out:
    ...         _ = out.write("hello\n")
    ...     target.read_text()
    'hello\n'
    """
    if str(path) == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    with atomic_path(path) as temporary, open_text(temporary, compression(path), level=level) as out:
        yield out


@contextlib.contextmanager
def atomic_if(path: str | Path | None) -> Iterator[IO[str] | None]:
    """As `atomic`, or None where `path` is None.

    >>> with atomic_if(None) as out:
    ...     print(out)
    None
    """
    if path is None:
        yield None
        return
    with atomic(path) as out:
        yield out


@contextlib.contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path`, renamed to it when the block ends without an error.

    A link is followed. A pipe or a device is written to directly: there is nothing to replace.
    """
    try:
        target = resolve_path(path)
        if target.is_dir():
            raise IsADirectoryError
        if target.exists() and not target.is_file():
            yield target
            return
    except OSError as error:
        raise os_error(path, error) from None
    temporary = hidden_path(target.parent)
    try:  # an interrupt may come as soon as the file is there
        _touch(temporary, path)
        yield temporary
        sync(temporary)
        temporary.replace(target)
    except OSError as error:
        # A full disk has no name; an error with another name is about another file.
        if error.filename not in (None, str(temporary)):
            raise
        raise os_error(path, error) from None
    finally:
        release(temporary)


def _touch(temporary: Path, path: str | Path) -> None:
    try:
        temporary.touch(exist_ok=False)
    except FileNotFoundError:
        message = f"its folder {Path(path).parent} does not exist; make it first"
        raise FileFormatError(path, None, message) from None
    except (OSError, ValueError) as error:
        raise os_error(path, error) from None


def sync(path: Path) -> None:
    """Flush a file to disk before it is renamed, so that a crash cannot leave an empty file."""
    with path.open("rb") as written:
        os.fsync(written.fileno())
