"""Building blocks of pages: elements of HTML, the document around them, highlighted words."""

__all__: list[str] = []
