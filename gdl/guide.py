"""How to play, as the authors of rule files explain it in a comment below the header."""

from __future__ import annotations

import re

from gdl.core import CheckedGame
from gdl.parts import walk

#: No more of it is shown.
MOST_CHARACTERS = 5_000

#: What may precede that comment: the line with the name, and the sentence.
HEAD = re.compile(r'\s*(game\b|variant\b|")')


def how_to_play(rules: CheckedGame) -> list[str]:
    """The paragraphs from all files of the rules, those of a variant after those of its base."""
    sources = dict.fromkeys(part.span.source for part in walk(rules) if hasattr(part, "span"))
    own = re.compile(rf'\s*variant\s*"{re.escape(rules.name)}"')
    texts = sorted((source.text for source in sources), key=lambda text: bool(own.match(text)))
    found = "\n".join(paragraph for text in texts for paragraph in _guide(text))
    return found[:MOST_CHARACTERS].splitlines()


def _guide(text: str) -> list[str]:
    """The paragraphs of the comment between the header of a rule text and its first declaration."""
    lines = list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            lines.append(line.strip("# "))
        elif not line.strip():
            lines.append("")
        elif not HEAD.match(line):
            break
    paragraphs = "\n".join(lines).split("\n\n")
    return [" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip()]
