"""How much a lead in pieces decides in a game, as random games show.

If pieces are taken, a search need not play its random games to their ends: who leads after some plies
tells sooner and more clearly who is better off (Lorentz 2008, "Amazons Discover Monte-Carlo"; Winands,
Björnsson, Saito 2010, "Monte Carlo Tree Search in Lines of Action"). No rule says whether it is good to have
more pieces, so this is measured, once for each game.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from ctypes import addressof, c_int64
from time import thread_time
from weakref import WeakKeyDictionary

from attrs import evolve, frozen

from interpreter.errors import TooMuchWork
from interpreter.game import Game
from interpreter.native.context import SAMPLE
from interpreter.native.engine import Native
from interpreter.native.shape import moves_pieces, score_sign, stuck_wins, takes_pieces
from interpreter.worths import UNIT, worths_of

#: Random games are cut short after SHORT plies if they take LONG plies or more on average.
SHORT, LONG = 20, 60

#: Otherwise after PLIES plies, plus PLIES_A_SITE for each site of the board: more than most games take.
PLIES, PLIES_A_SITE = 50, 4

#: The games for measuring may be this many times longer.
PATIENCE = 3

#: FEW random games show whether pieces are ever taken. There are at most MANY games with about MOST_PLIES
#: plies in all; if they take SECONDS seconds of processor time or more, nothing is known.
FEW, MANY, MOST_PLIES, SECONDS = 32, 1000, 100_000, 2.0

#: More pieces are better if winners surely have more of them in the end; fewer, if that is sure and clear,
#: with a correlation of lead and result of at least this size. In between, random games mislead: in Misère
#: Breakthrough the player with more pieces loses by chance but wins by search. If points decide, it must be
#: just as clear that they are about pieces. If fewer than one random game in RARE ends, more are better.
CLEAR, RARE = 0.4, 8

#: Correlations are capped at this.
SURE = 0.999

#: How many standard errors count as sure.
ERRORS = 2.0

#: A lead of this many standard deviations is half a win; of this many pieces, if nothing is known.
DEVIATIONS, PIECES = 3, 8


@frozen
class Lead:
    """How a search judges a random game that it cuts short."""

    #: What pieces are worth (see `worths`).
    worths: tuple[int, ...]
    #: How much more those of the first person are worth when neither leads.
    fair: int
    #: A lead of this much is half a win; if it is negative, half a loss.
    half: int
    #: After how many plies the game is cut short.
    plies: int

    @property
    def decides(self) -> bool:
        """Whether random games are played only for the lead."""
        return self.plies == SHORT


def unknown(game: Game, fair: int = 0) -> Lead:
    """The fallback if nothing is known: nearly all random games are played to their ends."""
    return Lead(worths_of(game), fair, PIECES * UNIT, PLIES + PLIES_A_SITE * game.board.size)


_known: WeakKeyDictionary[Native, dict[str, Lead]] = WeakKeyDictionary()


def lead_of(game: Game, policy: str) -> Lead:
    """What a lead is worth in random games of a policy; measured when first asked for."""
    native = game.native
    assert native is not None
    known = _known.setdefault(native, {})
    if policy not in known:
        known[policy] = _measured(game, native, policy)
    return known[policy]


def good_worths(game: Game) -> tuple[int, ...]:
    """What pieces are worth to their owner: less than nothing if it is good to have fewer.

    Never if a player without a move wins: it takes pieces to be out of moves while the opponent is not.
    """
    assert game.native is not None
    program, worths = game.native.bound.program, worths_of(game)
    # If a score decides, or pieces do not move, there is nothing to measure.
    if score_sign(program) or not moves_pieces(program) or stuck_wins(program):
        return worths
    return tuple(-worth for worth in worths) if lead_of(game, "stepwise").half < 0 else worths


def _measured(game: Game, native: Native, policy: str) -> Lead:
    start, program = game.start().snapshot, native.bound.program
    played_out = unknown(game)
    late, until = PATIENCE * played_out.plies, thread_time() + SECONDS
    table = (c_int64 * len(played_out.worths))(*played_out.worths)
    memory = (c_int64 * len(SAMPLE))()
    for name, value in {"seed": 1, "early": SHORT, "late": late, "worths": addressof(table)}.items():
        memory[SAMPLE[name]] = value

    def play(games: int) -> Mapping[str, int]:
        """The sample with `games` more games, or fewer if time runs out."""
        more = 1
        while games > 0 and thread_time() < until:
            native.sample(start, policy, memory, min(more, games), 3 * SHORT + late)
            games, more = games - more, 2 * more
        return {name: memory[i] for name, i in SAMPLE.items()}

    native.sample(start, policy, memory, 0, 0)
    played_out = evolve(played_out, fair=memory[SAMPLE["fair"]])
    if not moves_pieces(program):
        return played_out
    try:
        sample = play(FEW)
        if not (takes_pieces(program) or sample["fewer"]):
            return played_out
        sample = play(min(MANY, FEW * MOST_PLIES // max(1, sample["plies"])) - FEW)
    except TooMuchWork:
        return played_out
    least, most = _correlation(sample)
    deviation = _spread(sample["games"], sample["leads"], sample["lead_squares"])
    fewer = most < -CLEAR
    more = least > (CLEAR if score_sign(program) else 0) or RARE * sample["ended"] < sample["games"]
    long = sample["plies"] >= LONG * sample["all_games"]
    # If every move takes a piece, having taken more is no merit.
    free = sample["taken"] < sample["looked"]
    if thread_time() >= until or not (long and free and deviation and (more or fewer)):
        return played_out
    half = max(1, round(DEVIATIONS * deviation))
    return evolve(played_out, half=-half if fewer else half, plies=SHORT)


def _correlation(sample: Mapping[str, int]) -> tuple[float, float]:
    """The bounds within which the correlation of last lead and result surely lies (Fisher 1915)."""
    games = sample["ended"]
    leads = _spread(games, sample["last_leads"], sample["last_lead_squares"])
    results = _spread(games, sample["results"], sample["result_squares"])
    if games <= 3 or not leads or not results:
        return -1.0, 1.0
    both = sample["products"] / games - sample["last_leads"] / games * sample["results"] / games
    middle = math.atanh(max(-SURE, min(SURE, both / (leads * results))))
    error = ERRORS / math.sqrt(games - 3)
    return math.tanh(middle - error), math.tanh(middle + error)


def _spread(count: int, total: int, squares: int) -> float:
    """The standard deviation of `count` numbers, from their sum and the sum of their squares."""
    return math.sqrt(max(0, count * squares - total * total)) / max(1, count)
