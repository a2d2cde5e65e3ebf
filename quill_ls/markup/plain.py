"""Plain text: paragraphs between empty lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quill_ls.markup.document import Block
from quill_ls.markup.prose import ProseBuilder

_EMPTY_LINES = re.compile(r"(?>\r\n|\r|\n)[ \t\u3000]*(?=[\r\n])[\r\n \t\u3000]*")


def plain_blocks(source: str) -> Iterator[Block]:
    """Yield the paragraphs of a plain text."""
    start = 0
    for gap in [*_EMPTY_LINES.finditer(source), None]:
        builder = ProseBuilder(source)
        builder.add_text(start, gap.start() if gap else len(source))
        if block := builder.build("paragraph"):
            yield block
        start = gap.end() if gap else start
