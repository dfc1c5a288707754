"""The command `gdl`, which is `python -m interpreter`, too."""

import sys


def main() -> None:
    """Run the command; who interrupts it while it is being read is told nothing."""
    try:
        from interpreter.cli import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command(prog_name="gdl")


if __name__ == "__main__":
    main()
