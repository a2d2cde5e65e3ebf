"""From a source text in any format to its prose."""

from __future__ import annotations

from collections.abc import Iterator

from quill_ls.markup.document import Block, Document, Format


def parse(source: str, format: Format) -> Document:
    """Read the prose of `source`.

    Any text is a document: markup that is broken or unfinished, as it is while somebody types,
    is read as far as it goes, and nothing is raised.
    """
    blocks = sorted(_blocks(source, format), key=lambda block: block.span.start)
    return Document(source, format, tuple(blocks))


def _blocks(source: str, format: Format) -> Iterator[Block]:
    # Each reader is loaded when a document of its format is met: a server starts faster.
    match format:
        case "markdown":
            from quill_ls.markup.markdown import markdown_blocks

            return markdown_blocks(source)
        case "latex":
            from quill_ls.markup.latex import latex_blocks

            return latex_blocks(source)
        case "rst":
            from quill_ls.markup.rst import rst_blocks

            return rst_blocks(source)
        case "typst":
            from quill_ls.markup.typst import typst_blocks

            return typst_blocks(source)
        case "html":
            from quill_ls.markup.html import html_blocks

            return html_blocks(source)
        case "plain":
            from quill_ls.markup.plain import plain_blocks

            return plain_blocks(source)
