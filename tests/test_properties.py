"""Properties of every game of every bundled rule file, whatever is played."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from strategies import bundled_games, games, randoms, walk

from interpreter.game import Game, MoveError, Position
from interpreter.record import Record, parse
from interpreter.replay import replay_all


def stones(position: Position) -> Counter[str]:
    """How many stones each colour has."""
    return Counter(piece.split()[0] for piece in position.board.values())


def units(position: Position, colour: str) -> list[set[str]]:
    """The units of a colour on a board of points, worked out from the letters and numbers of their sites."""
    left = {site for site, piece in position.board.items() if piece.split()[0] == colour}
    found = []
    while left:
        unit, edge = set(), [left.pop()]
        while edge:
            site = edge.pop()
            unit.add(site)
            beside = {
                f"{chr(ord(site[0]) + dx)}{int(site[1:]) + dy}"
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            }
            edge += beside & left
            left -= beside
        found.append(unit)
    return found


# --- any game ------------------------------------------------------------------


@given(game=bundled_games(), random=randoms())
def test_a_game_ends_and_only_then_nothing_is_legal(game: Game, random: Random):
    for position, _ in walk(game.start(), random):
        assert position.over == (position.legal_moves == ()) == (position.result is not None)
    assert position.over


@given(game=bundled_games(), random=randoms())
def test_people_and_colours_agree(game: Game, random: Random):
    for position, _ in walk(game.start(), random):
        assert set(position.seats) == set(game.players)
        assert set(position.seats.values()) == {"first", "second"}
        assert position.person == position.seats[position.to_move]
    result = position.result
    assert result.person == (result.winner and position.seats[result.winner])


@given(game=bundled_games(), random=randoms())
def test_taking_back_is_playing_again_from_the_start(game: Game, random: Random):
    moves: list[str] = []
    for position, move in walk(game.start(), random):
        assert position.ply == len(moves)
        again = game.start()
        for text in moves:
            again = again.play(text)
        assert again == position
        assert hash(again) == hash(position)
        assert (again.key, again.hash64, again.legal_moves) == (
            position.key,
            position.hash64,
            position.legal_moves,
        )
        if move is not None:
            moves.append(move.notation)


@given(game=bundled_games(), random=randoms())
def test_playing_leaves_the_position_as_it_was(game: Game, random: Random):
    for position, move in walk(game.start(), random):
        before = (position.board, position.key, position.legal_moves, str(position))
        if move is not None:
            assert position.play(move) != position
        assert (position.board, position.key, position.legal_moves, str(position)) == before


@given(game=bundled_games(), random=randoms())
def test_equal_keys_and_only_these_have_equal_hashes(game: Game, random: Random):
    seen = {}
    for position, _ in walk(game.start(), random):
        assert seen.setdefault(position.hash64, position.key) == position.key
        assert 0 <= position.hash64 < 2**64
    assert len(seen) == len(set(seen.values()))


# --- notation and records --------------------------------------------------------


def spellings(notation: str) -> list[str]:
    """Different ways to type the same move."""
    plain = [notation.upper(), f"  {notation} ", notation.replace("-", " "), notation.replace("-", " - ")]
    return [
        *plain,
        notation.replace("-", ""),
        notation.replace("-", " to "),
        notation.replace("-", "").upper(),
    ]


@given(game=bundled_games(), random=randoms())
def test_every_legal_move_has_a_notation_of_its_own_that_means_it(game: Game, random: Random):
    for position, _ in walk(game.start(), random):
        notations = [move.notation for move in position.legal_moves]
        assert len(set(notations)) == len(notations)
        for move in position.legal_moves:
            assert position.parse(move.notation) == move


@given(game=bundled_games(), random=randoms())
def test_a_move_may_be_typed_in_many_ways(game: Game, random: Random):
    for position, move in walk(game.start(), random):
        if move is not None:
            assert {position.parse(text) for text in spellings(move.notation)} == {move}


@given(game=bundled_games(), random=randoms())
def test_no_other_move_of_the_game_is_taken_for_a_legal_one(game: Game, random: Random):
    positions = [position for position, _ in walk(game.start(), random)]
    known = {move.notation for position in positions for move in position.legal_moves}
    for position in positions[:: max(1, len(positions) // 5)]:
        for text in known - {move.notation for move in position.legal_moves}:
            with pytest.raises(MoveError):
                position.play(text)


@given(game=bundled_games(), random=randoms())
def test_records_are_read_as_they_are_written_and_replayed(game: Game, random: Random):
    steps = list(walk(game.start(), random, plies=random.randint(0, 60)))
    position = steps[-1][0]
    result = "*" if position.result is None else position.result.winner or "draw"
    moves = tuple(move.notation for _, move in steps if move is not None)
    record = Record(game=game.name, result=result, moves=moves, options=game.options)
    assert list(parse(str(record))) == [record]
    (report,) = replay_all(str(record), Path())
    assert (report.fault, report.plies) == (None, len(moves))


# --- each game -------------------------------------------------------------------


@given(game=games("ayu"), random=randoms())
def test_ayu_moves_one_stone_and_never_breaks_a_unit(game: Game, random: Random):
    start = game.start()
    for position, move in walk(start, random):
        assert stones(position) == stones(start)
        if move is None or move.notation == "swap":
            continue
        after = position.play(move)
        origin, target = move.notation.split("-")
        assert set(position.board) ^ set(after.board) == {origin, target}
        assert after.board[target] == position.board[origin]
        mover = position.to_move
        assert len(units(after, mover)) <= len(units(position, mover))


@given(game=games("ayu"), random=randoms())
def test_ayu_is_won_by_who_is_to_move_with_one_unit_and_only_goes_on_with_several(game: Game, random: Random):
    for position, _ in walk(game.start(), random):
        unified = [colour for colour in game.players if len(units(position, colour)) == 1]
        if position.to_move in unified:
            assert position.result.winner == position.to_move
        if not position.over:
            assert len(units(position, position.to_move)) > 1


@given(game=games("ayu"), random=randoms())
def test_who_has_unified_in_ayu_stays_unified(game: Game, random: Random):
    unified: set[str] = set()
    for position, _ in walk(game.start(), random):
        now = {colour for colour in game.players if len(units(position, colour)) == 1}
        assert unified <= now
        unified = now


@given(game=games("egotzi"), random=randoms())
def test_egotzi_adds_a_stone_a_turn_and_loses_none(game: Game, random: Random):
    placed: Counter[str] = Counter()
    for position, move in walk(game.start(), random):
        assert stones(position) == placed
        if move is not None and move.notation != "swap":
            placed[position.to_move] += 1
    assert placed.total() == game.board.size


@given(game=games("squared_egotzi"), random=randoms())
def test_squared_egotzi_fills_the_board_and_counts_at_least_each_stone(game: Game, random: Random):
    for position, _ in walk(game.start(), random):
        auction = min(position.ply, 2) if game.options["auction"] else 0
        assert position.ply == auction + stones(position).total()
    black, white = (position.result.scores[colour] for colour in game.players)
    assert black >= stones(position)["Black"]
    assert white >= stones(position)["White"] + position.state["bonus"]
    assert position.result.winner == ("Black" if black > white else "White" if white > black else None)
