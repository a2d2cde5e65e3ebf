import pytest

from quill_ls.engine.insertion import Edit, apply_edits, insertion, quoting_style
from quill_ls.markup.document import Format
from quill_ls.markup.parse import parse
from quill_ls.parsing.placeholder import placeholders
from quill_ls.store.records import Quotation
from quill_ls.text.span import Span

SENECA = Quotation(text="Leisure without study is death.", author="Seneca", work="Letters")


def inserted(
    source: str,
    format: Format = "markdown",
    quotation: Quotation = SENECA,
    *,
    attribution: bool = False,
) -> str:
    document = parse(source, format)
    edits = [
        insertion(document, placeholder, quotation, attribution=attribution)
        for placeholder in placeholders(document)
    ]
    return apply_edits(source, edits)


@pytest.mark.parametrize(
    ("source", "format", "style"),
    [
        ('She said "no".', "markdown", "straight"),
        ("She said “no”.", "markdown", "curly"),
        ("Elle a dit « non ».", "markdown", "guillemets"),
        ("Sie sagte „nein“.", "markdown", "low-high"),
        ("他說「不」。", "markdown", "corner"),
        ("他说不。", "markdown", "curly"),
        ("She said no.", "markdown", "straight"),
        ("She said ``no''.", "latex", "latex"),
        (r"She said \enquote{no}.", "latex", "enquote"),
        (r"\usepackage{csquotes} She said no.", "latex", "enquote"),
        ("She said no.", "latex", "latex"),
        ('<p class="a">She said “no”.</p>', "html", "curly"),
    ],
)
def test_the_style_is_read_off_the_document(source: str, format: Format, style: str):
    assert quoting_style(parse(source, format)) == style


@pytest.mark.parametrize(
    ("source", "format", "expected"),
    [
        ("So: [Q] It is.", "markdown", 'So: "Leisure without study is death." It is.'),
        (
            "“Yes.” So: [Q] It is.",
            "markdown",
            "“Yes.” So: “Leisure without study is death.” It is.",
        ),
        ("So: [Q].", "markdown", 'So: "Leisure without study is death".'),
        ("So: “[Q]” it is.", "markdown", "So: “Leisure without study is death.” it is."),
        ("So: [Q] It is.", "latex", "So: ``Leisure without study is death.'' It is."),
    ],
)
def test_the_placeholder_becomes_the_quotation(source: str, format: Format, expected: str):
    assert inserted(source, format) == expected


def test_the_author_is_named_unless_the_text_does_it_already():
    assert inserted("It is so. [Q] Yes.", attribution=True) == (
        'It is so. "Leisure without study is death." (Seneca, Letters) Yes.'
    )
    assert inserted("As Seneca said, [Q] Yes.", attribution=True) == (
        'As Seneca said, "Leisure without study is death." Yes.'
    )


def test_chinese_attribution():
    quotation = Quotation(text="学而不思则罔。", author="孔子", work="论语", language="lzh")
    assert inserted("他想起一句话。[Q]", quotation=quotation, attribution=True) == (
        "他想起一句话。“学而不思则罔。”（孔子《论语》）"
    )


@pytest.mark.parametrize(
    ("format", "written"),
    [
        ("latex", r"50\% \& \$5 \_x\_ \#1"),
        ("markdown", r"50% & $5 \_x\_ #1"),
        ("html", "50% &amp; $5 _x_ #1"),
        ("typst", r"50% & \$5 \_x\_ \#1"),
        ("plain", "50% & $5 _x_ #1"),
    ],
)
def test_the_words_stay_words_in_every_markup(format: Format, written: str):
    quotation = Quotation(text="50% & $5 _x_ #1")
    assert written in inserted("So: [Q] It is.", format, quotation)


def test_quotation_marks_inside_are_of_the_other_kind():
    quotation = Quotation(text='He said "no" to me')
    assert inserted("So: [Q] It is.", quotation=quotation) == "So: \"He said 'no' to me\" It is."


def test_several_edits_are_made_from_one_source():
    edits = [Edit(Span(4, 7), "two"), Edit(Span(0, 1), "one")]
    assert apply_edits("1 + [Q]", edits) == "one + two"
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("1 + [Q]", [Edit(Span(0, 3), "a"), Edit(Span(2, 5), "b")])
