"""The command line `gdl`: exit status 0 if all is fine, 1 if the input is wrong, 2 for wrong usage.

Commands import what they need only when they run, so that `gdl --help` is quick.
"""

# Each module adds its commands, in the order in which to learn them.
from interpreter.cli import rules, play, draw, serve, measure, solve, tournament, analyse, balance  # noqa: F401  # isort: skip
from interpreter.cli.shell import main

__all__ = ["main"]
