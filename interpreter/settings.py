"""What can be chosen for playing, and how long a game may be: quick to load, for the command line."""

from __future__ import annotations

#: The engines that play: compiled rules, and their plain meaning.
ENGINES = ("native", "reference")

#: How random games draw a move: uniformly among the legal moves, or step by step, each choice uniformly.
POLICIES = ("uniform", "stepwise")

#: A game that goes on for this many plies is left unfinished, since rules need not end it.
MOST_PLIES = 10_000
