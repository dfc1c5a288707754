"""What can be chosen for playing, and how long a game may be: light to load, as the command line needs it."""

from __future__ import annotations

#: The engines that play: compiled rules, and their plain meaning.
ENGINES = ("native", "reference")

#: How random games draw a move: each legal move alike, or each choice of the turn in its turn alike.
POLICIES = ("uniform", "stepwise")

#: A game that goes on for so many plies is left unfinished: rules need not end it.
MOST_PLIES = 10_000
