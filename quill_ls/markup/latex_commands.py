"""What the commands and environments of LaTeX do with their arguments, as far as prose asks.

A command that stands in no table is taken to be one of the writer's own: its name and options
are left out, and its arguments are prose.
"""

from __future__ import annotations

import re

from quill_ls.markup.document import BlockKind


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


HEADINGS = _names(
    """
    part chapter section subsection subsubsection paragraph subparagraph title subtitle
    frametitle framesubtitle addchap addsec minisec
    """
)
CAPTIONS = _names(
    """
    caption captionof subcaption legend
    """
)
FOOTNOTES = _names(
    """
    footnote footnotetext endnote sidenote marginnote marginpar thanks
    """
)
QUOTED = _names(
    """
    enquote textquote blockquote foreignquote textcquote blockcquote say foreigntextquote
    foreignblockquote hyphenquote
    """
)
"""Commands that put quotation marks around their last argument (csquotes, dirtytalk)."""

SKIPPED_ARGUMENTS = {
    "textcolor": 1,
    "colorbox": 1,
    "fcolorbox": 2,
    "href": 1,
    "hyperlink": 1,
    "hypertarget": 1,
    "foreignlanguage": 1,
    "foreignquote": 1,
    "foreigntextquote": 1,
    "foreignblockquote": 1,
    "hyphenquote": 1,
    "textcquote": 1,
    "blockcquote": 1,
    "captionof": 1,
    "parbox": 1,
    "raisebox": 1,
    "scalebox": 1,
    "rotatebox": 1,
    "resizebox": 2,
    "multicolumn": 2,
    "multirow": 2,
}
"""How many arguments come before the one that is prose."""

NOT_PROSE = re.compile(
    r"""(?:
    [A-Za-z]*cite[A-Za-z]*|(?!href|hyperref)[A-Za-z]*ref|ref[a-z]*|label|tag|url|path|nolinkurl|texttt|code|lstinline
    |verb|Verb|mintinline|mint|input|include|includeonly|subfile|includegraphics|includepdf
    |graphicspath|documentclass|usepackage|RequirePackage|PassOptionsTo[A-Za-z]+|LoadClass
    |bibliography|bibliographystyle|addbibresource|printbibliography|nocite|bibitem
    |pagestyle|thispagestyle|pagenumbering|geometry|hypersetup|captionsetup|lstset|setlist
    |[hv]space|[hv]skip|setlength|addtolength|settowidth|setcounter|addtocounter|stepcounter
    |refstepcounter|color|definecolor|rowcolor|cellcolor|columncolor|pagecolor|selectlanguage
    |index|glossary|gls[A-Za-z]*|Gls[A-Za-z]*|ac[A-Za-z]?|newacronym|newglossaryentry
    |fontsize|selectfont|fontfamily|set[a-z]*font|rule|cline|cmidrule|hline|toprule|midrule
    |bottomrule|author|date|institute|affil|email|ORCID|keywords|ensuremath|footnotemark
    |endnotemark|pdfbookmark|phantomsection|addcontentsline|markboth|markright|tikz|tikzset
    |usetikzlibrary|todo|listoftodos|theoremstyle|DeclareMathOperator|linespread|hyphenation
    |newline|linebreak|pagebreak|nopagebreak|enlargethispage|vphantom|hphantom|phantom
    )\*?""",
    re.VERBOSE,
)
"""Commands none of whose arguments are prose."""

DEFINITIONS = _names(
    """
    newcommand renewcommand providecommand DeclareRobustCommand newenvironment renewenvironment
    newtheorem def edef gdef let newlength newcounter NewDocumentCommand RenewDocumentCommand
    NewDocumentEnvironment newif newcolumntype renewcommand* newcommand* providecommand*
    AtBeginDocument newfontfamily
    """
)
"""Commands whose arguments, none of them prose, may stand apart."""

NO_OPTION = _names(
    """
    noindent indent par centering raggedright raggedleft em it bf sc itshape bfseries scshape
    slshape upshape mdseries normalfont rmfamily sffamily ttfamily tiny scriptsize footnotesize
    small normalsize large Large LARGE huge Huge quad qquad hfill vfill hfil smallskip medskip
    bigskip newpage clearpage cleardoublepage maketitle tableofcontents begingroup endgroup
    relax protect leavevmode null today appendix frontmatter mainmatter backmatter
    onehalfspacing doublespacing singlespacing
    """
)
"""Commands without arguments: a bracket after them is text."""

ENDS_PARAGRAPH = _names(
    """
    par newpage clearpage cleardoublepage maketitle bigskip
    """
)

MATH_ENVIRONMENTS = _names(
    """
    math displaymath equation align alignat flalign gather multline eqnarray dmath dgroup split
    subequations IEEEeqnarray
    """
)
VERBATIM_ENVIRONMENTS = _names(
    """
    verbatim Verbatim BVerbatim LVerbatim lstlisting minted comment alltt filecontents luacode
    pycode sagesilent sageblock Highlighting
    """
)
CODE_ENVIRONMENTS = _names(
    """
    tikzpicture pgfpicture picture pspicture algorithm algorithmic forest thebibliography CCSXML
    axis prooftree
    """
)
ENVIRONMENT_KINDS: dict[str, BlockKind] = {
    **dict.fromkeys(["itemize", "enumerate", "description", "compactitem", "inparaenum"], "item"),
    **dict.fromkeys(["compactenum", "asparaitem", "tasks"], "item"),
    **dict.fromkeys(["quote", "quotation", "verse", "displayquote", "displaycquote"], "quote"),
    **dict.fromkeys(["foreigndisplayquote", "epigraphs"], "quote"),
    **dict.fromkeys(["tabular", "tabularx", "tabulary", "longtable", "tblr", "array"], "cell"),
}
ENVIRONMENT_ARGUMENTS = {
    "tabular": 1,
    "tabular*": 2,
    "tabularx": 2,
    "tabulary": 2,
    "longtable": 1,
    "tblr": 1,
    "array": 1,
    "minipage": 1,
    "multicols": 1,
    "wrapfigure": 2,
    "adjustbox": 1,
    "spacing": 1,
    "otherlanguage": 1,
    "otherlanguage*": 1,
    "foreigndisplayquote": 1,
    "displaycquote": 1,
    "column": 1,
    "columns": 0,
    "CJK": 2,
    "CJK*": 2,
    "subfigure": 1,
}
"""How many arguments after ``\\begin{...}`` are not prose."""

NO_OPTION_ENVIRONMENTS = _names(
    """
    quote quotation verse center flushleft flushright abstract document
    """
)
"""Environments without options: a bracket after their beginning is text."""

ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "c": "\u0327",
    "v": "\u030c",
    "H": "\u030b",
    "u": "\u0306",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
"""Combining diacritic of each accent command."""

LETTERS = {
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ss": "ß",
    "i": "ı",
    "j": "ȷ",
    "th": "þ",
    "TH": "Þ",
    "dh": "ð",
    "DH": "Ð",
    "dj": "đ",
    "DJ": "Đ",
}
"""Commands for letters: the white space after them belongs to them."""

SYMBOLS = {
    "ldots": "…",
    "dots": "…",
    "textellipsis": "…",
    "textendash": "–",
    "textemdash": "—",
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "textquoteleft": "‘",
    "textquoteright": "’",
    "lq": "‘",
    "rq": "’",
    "glqq": "„",
    "grqq": "“",
    "glq": "‚",
    "grq": "‘",
    "flqq": "«",
    "frqq": "»",
    "guillemotleft": "«",
    "guillemotright": "»",
    "textbackslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textbar": "|",
    "textbullet": "•",
    "textdegree": "°",
    "texttrademark": "™",
    "textregistered": "®",
    "copyright": "©",
    "pounds": "£",
    "euro": "€",
    "EUR": "€",
    "S": "§",
    "P": "¶",
    "dag": "†",
    "ddag": "‡",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "slash": "/",
    "space": " ",
    "&": "&",
    "%": "%",
    "$": "$",
    "#": "#",
    "_": "_",
    "{": "{",
    "}": "}",
    " ": " ",
    "\t": " ",
    "\n": " ",
    "\r": " ",
    ",": " ",
    ";": " ",
    ":": " ",
    ">": " ",
    "!": "",
    "-": "",
    "/": "",
    "@": "",
    "quad": " ",
    "qquad": " ",
    "newline": "\n",
}
