"""Which language a text is in: English, modern Chinese, classical Chinese, or another.

Script decides first, then function words. Only alphabetic text in which neither is enough is
given to py3langid, whose model takes most of a second to load.
"""

from __future__ import annotations

import re

from quill_ls.text.script import HAN_CLASS

Language = str
"""A BCP 47 tag: "en", "zh" (modern Chinese), "lzh" (classical Chinese), another one of
py3langid's, or "und" when nothing can be said."""

UNDETERMINED: Language = "und"

_SAMPLE = 4000
"""Characters of a text that are looked at: more do not change the answer."""

_MARGIN = 0.7
"""How much higher py3langid's log-probability of the best language must be than that of the next
(twice the probability); below it nothing can be said."""

_LETTERS_PER_WORD = 5
"""Letters of a Latin word that weigh as much as one Han character."""

_HAN = re.compile(f"[{HAN_CLASS}]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CLAUSE_END = re.compile(r"[，。！？；：、,.!?;:\s「」『』“”‘’《》…—]+")

# Words that are frequent in English and rare or absent in the other languages of Europe:
# "in", "die", "an", "was", "me", "no" are left out because others have them too.
_ENGLISH_WORDS = """
the of and to is that it for you with are be this have from they not what all were when your can
there which their said if do will each how them then she he his her many some would make like into
has two more could been who its than whom whose where why because every never only our we us my
those these through must should shall ourselves himself themselves nothing everything something
yourself myself about without upon things life love know always great good thy thou thee hath doth
may might cannot don't isn't it's i'm
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())

# How much one character or word in a Chinese text speaks for modern (+) or classical (-) Chinese:
# function words of the spoken language of today against those of the written one of old, and
# abstract nouns that translation brought.
_CHINESE_WORDS = (
    (2.0, "的 们 这 你 它 她 什么 怎么 没有 自己 一个 我们 他们 可以 因为 所以 如果 但是 就是"),
    (2.0, "不是 时候 东西 已经 还是 吗 吧 呢 啊"),
    (1.2, "生活 科学 真理 成功 努力 社会 责任 爱情 生命 时间 精神 世界 人们 学习 幸福 知识 思想"),
    (1.2, "进步 工作 失败 永远 应当 必须 需要 能够 不会 不要 不能 任何 使人 时代 理想 智慧 一种"),
    (1.2, "爱国 友谊"),
    (0.9, "是 了 个 都 就 和 最 把 被 着 很 那 能 会 到 对 在 让 给 说 想 做"),
    (-0.5, "之 者 其 也 而 以 於 乃 若 皆 亦 为 何 无 欲 此 莫 且 与 君"),
    (-1.2, "乎 矣 焉 哉 曰 吾 汝 兮 岂 孰 尔 弗 毋 奚 耶 欤 耳 夫 勿 朕 卿 妾"),
)
_CHINESE_WEIGHTS = {word: weight for weight, words in _CHINESE_WORDS for word in words.split()}
_CHINESE_MARKS = re.compile("|".join(sorted(_CHINESE_WEIGHTS, key=len, reverse=True)))


def detect(text: str) -> Language:
    """Return the language of `text`, or "und" when nothing can be said.

    Parameters
    ----------
    text
        Prose without markup; only its first 4,000 characters are looked at.
    """
    text = text[:_SAMPLE]
    if text.isascii():
        return _alphabetic(text)
    han = len(_HAN.findall(text))
    kana = len(_KANA.findall(text))
    hangul = len(_HANGUL.findall(text))
    words = _WORD.findall(_HAN.sub(" ", text))
    letters = sum(map(len, words)) - kana - hangul
    if max(han + kana, hangul) * _LETTERS_PER_WORD <= letters:
        return _alphabetic(text)
    if hangul > han + kana:
        return "ko"
    if kana * 10 > han:  # a few kana in a Chinese text are a name; Japanese has a third or more
        return "ja"
    return chinese_period(text) if han else UNDETERMINED


def chinese_period(text: str) -> Language:
    """Return "lzh" if the Chinese `text` is classical, "zh" if it is modern.

    Function words speak for either; clauses of five or seven characters without modern ones are
    verse. Traditional characters are understood as their simplified forms.
    """
    from quill_ls.text.fold import simplify

    text = simplify(text[:_SAMPLE])
    clauses = [clause for clause in _CLAUSE_END.split(text) if clause]
    if not clauses:
        return "zh"
    score = sum(_CHINESE_WEIGHTS[mark] for mark in _CHINESE_MARKS.findall(text))
    lengths = [len(clause) for clause in clauses]
    mean = sum(lengths) / len(lengths)
    # Old prose and verse have short clauses, modern prose long ones; in between words decide.
    score += 0.35 * len(clauses) ** 0.5 * (mean - 8)
    if all(length in (5, 7) for length in lengths) and len(lengths) > 1:
        score -= 0.8 * len(lengths)
    return "zh" if score > 0 else "lzh"


def _alphabetic(text: str) -> Language:
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if not words:
        return UNDETERMINED
    english = sum(word in _ENGLISH for word in words)
    foreign = sum(not word.isascii() for word in words)
    if english > foreign and english >= 0.25 * len(words):
        return "en"
    if len(words) == 1 and english:
        return "en"
    import py3langid  # loads its model at the first call

    (best, score), (_, next_score), *_ = py3langid.rank(text)
    if best == "zxx" or score - next_score < _MARGIN:  # "zxx": not a language at all
        return UNDETERMINED
    return str(best)
