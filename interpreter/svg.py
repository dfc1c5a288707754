"""A position as an SVG picture: the board with its pieces, numbers and last move.

Everything has a class (`board`, `label`, `last`, `piece`, `Black`, ...), so that a page can restyle it;
the picture itself is self-contained.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

from interpreter.ground import (
    BY_SEAT,
    LINE,
    PAINTS,
    REACH,
    STORE,
    UNIT,
    XY,
    at,
    box,
    caption,
    circle,
    coordinates,
    ground,
    number,
    outline,
    owners,
    paint,
    shifted,
    slot_ways,
    stores,
    strokes,
)

if TYPE_CHECKING:
    from interpreter.game import Game, Position

PIXELS = 2.4  # per unit of a picture shown at its own size

DARK, LIGHT, BAR, CHANGED, RING, GOLD = "#1d1f23", "#fff", "#3c2f1a", "#78a014", "#1d7a3c", "#ffd23e"
PALE = ("white", "yellow", "neutral")
#: Players whose pieces are drawn as marks.
MARKS = {"cross": "m-4.5-4.5 9 9m-9 0 9-9", "nought": "m5 0a5 5 0 1 1-10 0 5 5 0 1 1 10 0z"}

#: The radii of the rings of seeds in a pit, and how many seeds are in each; no more are drawn.
RINGS, A_RING = (0.32, 0.22), 12

#: Where the number of a site goes on a piece that shows something else.
BADGE = (0.33, -0.36)


def draw(position: Position, *, labels: bool = True) -> str:
    """The whole picture; `labels` are the coordinates around the board and the mark of the last move."""
    game = position.game
    _, without, beside = REACH[game.board.cell]
    marked = 0.1 if game.goals or any(game.board.around) else 0
    left, top, width, height = box(game, beside if labels else without + marked)
    size = f'width="{number(width * PIXELS)}" height="{number(height * PIXELS)}" ' if labels else ""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
            f'viewBox="{" ".join(map(number, (left, top, width, height)))}">',
            f"<title>{escape(str(position) if labels else game.name)}</title>",
            *_defs(position),
            f'<g class="board" fill="none">{"".join(ground(game))}</g>',
            '<g font-family="sans-serif" font-weight="bold" text-anchor="middle">',
            *(_last(position) if labels else ()),
            *(coordinates(game) if labels else ()),
            *(_pits(position) if not game.rules.kinds else _pieces(position)),
            *(_decisive(position) if labels else ()),
            "</g>",
            "</svg>\n",
        ]
    )


# --- the pieces --------------------------------------------------------------


def _defs(position: Position) -> Iterator[str]:
    """The gradients of stones and the shapes of pieces that are in use."""
    game = position.game
    drawn = shapes(game)
    sorts = set(position.board.values())
    stones = "".join(
        f'<radialGradient id="gdl-{name}" cx=".38" cy=".32" r=".75"><stop stop-color="{PAINTS[name][0]}"/>'
        f'<stop offset="1" stop-color="{PAINTS[name][1]}"/></radialGradient>'
        for name in sorted({paint(game, p.owner) for p in sorts if not (p.owner and p.kind in drawn)})
    )
    others = "".join(
        f'<path id="gdl-{kind}" transform="scale(.028)translate({-width / 2:g} -240)" d="{path}"/>'
        for kind, (width, path) in drawn.items()
    )
    if stones or others:
        yield f"<defs>{stones}{others}</defs>"


def _pieces(position: Position) -> Iterator[str]:
    """All the pieces, and the number of each site that has one."""
    game = position.game
    board, drawn, lettered, counted = game.board, shapes(game), letters(game), counts(position)
    discs, standing = [], position.board
    for name, site in board.index.items():
        xy, count = board.xy[site], counted.get(name, "")
        if name not in standing:
            if count:
                yield caption("count", xy, 6.5, 'fill="#2a2013"', count)
            continue
        kind, owner = standing[name].kind, standing[name].owner
        painted = paint(game, owner)
        _, _, plain, edge = PAINTS[painted]
        text = lettered.get(kind, "") or count
        told, label = "", f"piece {owner}" if owner else "piece"
        if owner and owner.lower() in MARKS:
            path = f"M{at(*xy)}{MARKS[owner.lower()]}"
            yield _line(label, path, plain, 2.75)
        elif name in slot_ways(game):
            way = slot_ways(game)[name]
            stroke = plain if owner else BAR
            path = strokes([(shifted(xy, way, -0.82), shifted(xy, way, 0.82))])
            yield _line(label, path, stroke, 3.5)
        elif kind in drawn and owner:
            x, y = at(*xy).split()
            paints = f'fill="{plain}" stroke="{edge}" stroke-width="20" stroke-linejoin="round"'
            yield f'<use class="{label}" href="#gdl-{kind}" x="{x}" y="{y}" {paints} paint-order="stroke"/>'
        else:
            radius = 0.43 if owner or text else 0.27
            told = text
            discs.append((xy, radius))
            yield circle("shadow", shifted(xy, (0, -0.04)), radius, 'fill-opacity=".24"')
            yield circle(label, xy, radius, f'fill="url(#gdl-{painted})" stroke="{edge}" stroke-width=".4"')
            ink = DARK if painted in PALE else LIGHT
            if text:
                yield caption("letter", xy, 8.5 if len(text) == 1 else 7, f'fill="{ink}"', text)
            elif owner == game.players[1] and painted not in BY_SEAT:
                yield circle("groove", xy, radius * 0.55, f'fill="none" stroke="{ink}" stroke-opacity=".7"')
        if count and told != count:
            halo = 'fill="#2a2013" stroke="#fff" stroke-width="1.6" paint-order="stroke"'
            yield caption("count", shifted(xy, BADGE), 5, halo, count)


def _line(name: str, path: str, stroke: str, width: float) -> str:
    return (
        f'<path class="{name}" d="{path}" fill="none" stroke="{stroke}" stroke-width="{width}" '
        'stroke-linecap="round"/>'
    )


def _pits(position: Position) -> Iterator[str]:
    """The seeds of each site, and what each player has taken beside the board."""
    game = position.game
    board, counted, held, owned = game.board, counts(position), stores(game), owners(game)
    xs, ys = zip(*board.xy, strict=True)
    middle, height = (min(ys) + max(ys)) / 2, max(ys) - min(ys) + 1
    for site, name in enumerate(board.names):
        x, y = board.xy[site]
        alone = xs.count(x) == 1
        rim = PAINTS[paint(game, owned[name])][2] if name in owned else LINE
        yield _pit((x, middle if alone else y), counted.get(name, "0"), rim, height if alone else 1)
    if held:
        taken: Any = position.state[held]
        for player, x in zip(game.players, (max(xs) + STORE, min(xs) - STORE), strict=True):
            yield _pit((x, middle), str(taken[player]), PAINTS[paint(game, player)][2], height)


def _pit(xy: XY, count: str, rim: str, tall: float) -> str:
    """A pit with its seeds and their number; a store is `tall` pits high."""
    high, shown = (tall - 1) / 2 + 0.42, min(sum(map(int, count.split("/"))), len(RINGS) * A_RING)
    seeds = []
    for i in range(shown):
        ring = RINGS[i // A_RING]
        turn = 2 * pi * (i % A_RING) / min(shown - i // A_RING * A_RING, A_RING) - pi / 2
        seeds.append(shifted(xy, (ring * cos(turn), -(ring + (tall - 1) / 2) * sin(turn))))
    x, y = at(*shifted(xy, (-0.42, high))).split()
    points = "".join(f"M{at(*seed)}h0" for seed in seeds)
    looks = (("#5a4322", 2.6), ("#f7f1e2", 2))
    drawn = "".join(_line("seeds", points, stroke, width) for stroke, width in looks if points)
    halo = 'fill="#fff" stroke="#32200a" stroke-width="2" stroke-linejoin="round" paint-order="stroke"'
    return (
        f'<rect class="pit" x="{x}" y="{y}" width="16.8" height="{number(2 * high * UNIT)}" rx="8.4" '
        f'fill="#462d0f" fill-opacity=".38" stroke="{rim}" stroke-width="1.2"/>'
        f"{drawn}{caption('count', xy, 7.5, halo, count)}"
    )


def counts(position: Position) -> dict[str, str]:
    """The number of each site that has one; with several counters, all of them, separated by slashes."""
    counters = position.counters.values()
    found = {name: [counter[name] for counter in counters] for name in position.game.board.names}
    return {name: "/".join(map(str, numbers)) for name, numbers in found.items() if any(numbers)}


def shapes(game: Game) -> dict[str, tuple[int, str]]:
    """The shapes of pieces by kind: width and path, from -32 to 512 in height.

    They are those of chess; a game with any other pieces, or with just one or two kinds, has none.
    """
    owned = {kind.name for kind in game.rules.kinds if not kind.neutral}
    return _chess() if len(owned) > 2 and _chess().keys() >= owned else {}


@cache
def _chess() -> dict[str, tuple[int, str]]:
    file = files("interpreter").joinpath("web", "static", "vendor", "chess.json")
    return {kind: (width, path) for kind, (width, path) in json.loads(file.read_text()).items()}


def letters(game: Game) -> dict[str, str]:
    """The letter on each piece; the first of at most two kinds has none, nor has the only neutral one."""
    neutral, owned = ([kind for kind in game.rules.kinds if kind.neutral is whose] for whose in (True, False))
    lettered = [*(owned if len(owned) > 2 else owned[1:]), *(neutral if len(neutral) > 1 else ())]
    return {kind.name: kind.letter for kind in lettered}


def _decisive(position: Position) -> Iterator[str]:
    """Rings around the pieces that decided the game."""
    board = position.game.board
    for name in position.decisive:
        for ink, width in ((DARK, 3), (GOLD, 1.3)):
            style = f'fill="none" stroke="{ink}" stroke-width="{width}"'
            yield circle("decisive", board.xy[board.index[name]], 0.46, style)


def _last(position: Position) -> Iterator[str]:
    """What the last move has changed: tinted cells, or rings around what is there."""
    game = position.game
    board = game.board
    for name in position.last_move:
        site = board.index[name]
        if board.cell != "point" and not game.idle:
            path = outline(board, [site])
            yield f'<path class="last" d="{path}" fill="{CHANGED}" fill-opacity=".42"/>'
        else:
            radius = 0.48 if name in position.board else 0.14
            yield circle("last", board.xy[site], radius, f'fill="none" stroke="{RING}" stroke-width="1.1"')
