"""`python -m interpreter` is the command `gdl`."""

from interpreter.cli import main

main(prog_name="gdl")
