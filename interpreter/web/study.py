"""A small analysis of a game in half a minute and one process: some games, a look at the rules, a page."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from interpreter.analysis.analyse import Plan
from interpreter.analysis.coverage import cover
from interpreter.analysis.games import Options, pack, play_task
from interpreter.analysis.measures import Findings
from interpreter.analysis.pages import report_page
from interpreter.analysis.report import Report
from interpreter.errors import counted
from interpreter.game import Game

#: Games of the main series; seconds for all games, and for the look at the rules.
GAMES, SECONDS, LOOKING = 60, 25.0, 5.0

#: The fewest games that say anything.
FEWEST = 2

#: The moves after which a game is stopped.
MOST_PLIES = 400

#: The seconds a game should take; with time for fewer than LEAST playouts a move, the player moves at random.
GAME, LEAST, MOST = 1.0, 16, 200


def study(name: str, options: Options, watch: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """What some games show about the rules of this name or path, in sentences and as a page.

    `watch` receives how much is `done` (0..1) and what, in words. Raises what loading the game raises.
    """
    game = Game.load(name, **options)
    watch({"done": 0.0, "says": "The rules are made ready."})
    plan = Plan(name, game, _player(game), GAMES, most_plies=MOST_PLIES, both_pies=False)
    findings, rules, tasks = Findings(plan), pack(name), plan.tasks()
    start = monotonic()
    for number, task in enumerate(tasks, 1):
        findings.add(play_task(task, rules))
        passed = (monotonic() - start) / SECONDS
        done = min(max(passed, number / len(tasks)), 1.0)
        watch({"done": round(0.8 * done, 3), "says": f"{counted(number, 'game')} played."})
        if passed > 1 and len(findings.plain) >= FEWEST:
            break
    watch({"done": 0.8, "says": "Looking which rules mattered."})
    report = Report(findings, cover(name, game.options, findings.plain, LOOKING))
    return {"title": report.title, "sentences": report.sentences(), "page": report_page(report)}


def _player(game: Game) -> str:
    """A player that thinks as much as there is time for."""
    position = game.start()
    position.playouts(1, most_plies=MOST_PLIES)  # warms up the rules
    start = monotonic()
    plies = position.playouts(10, most_plies=MOST_PLIES).plies
    thought = (
        2 * GAME / ((monotonic() - start) / 10 * max(1.0, plies.mean()))
    )  # a thought is half a game long
    return "random" if thought < LEAST else f"mcts:{min(int(thought), MOST)}"
