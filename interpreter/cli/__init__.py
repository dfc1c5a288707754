"""The command line `gdl`: exit status 0 where all is fine, 1 where the input is wrong, 2 for wrong usage.

Commands import what they need when they run, so that `gdl --help` waits for nothing.
"""

# Each adds its commands, in the order to learn them in.
from interpreter.cli import rules, play, draw, serve, measure, solve, tournament, analyse, balance  # noqa: F401  # isort: skip
from interpreter.cli.shell import main

__all__ = ["main"]
