// What is on a board: discs, the shapes of chess pieces, crosses and noughts, bars, pits and stores with seeds.

import { s } from "./dom.js";
import { UNIT, round } from "./ground.js";

/** How pieces look, by the player's name, else by the seat. */
export const PAINTS = ["black", "white", "red", "blue", "green", "yellow"];
const MARKS = { cross: "M-9-9 9 9M9-9-9 9", nought: "M10 0a10 10 0 1 1-20 0 10 10 0 1 1 20 0z" };

/** The radii of the rings of seeds in a pit, and the number of seeds in each ring; more are not drawn. */
const RINGS = [12.8, 8.8], RING = 12;

/** The name of the paint of a player: a class of the style sheet. */
export function paintOf(players, player) {
  const name = (player ?? "").toLowerCase();
  if (PAINTS.includes(name)) return name;
  const seat = players.indexOf(player);
  const other = (players[1 - seat] ?? "").toLowerCase();
  return other === PAINTS[seat] ? PAINTS[1 - seat] : PAINTS[seat] ?? "neutral";
}

/** The gradients that discs are filled with. */
export const gradients = (id) =>
  [...PAINTS, "neutral"].map((paint) =>
    s(
      "radialGradient",
      { id: `${paint}${id}`, class: paint, cx: "38%", cy: "32%", r: "75%" },
      s("stop", { class: "light", offset: "0" }),
      s("stop", { class: "deep", offset: "1" }),
    ),
  );

/** The path of a bar in this direction through the middle of its site. */
export function bar(way) {
  const [dx, dy] = way.map((part) => part * UNIT * 0.82);
  return `M${-dx} ${-dy}L${dx} ${dy}`;
}

/** A piece, with the number on its site at the edge if the piece has its own shape or letter. */
export function piece(shown, count, board, players, id) {
  const drawn = shape(shown, count, board, players, id);
  const told = !count || drawn.some((part) => part?.textContent === count);
  return told ? drawn : [...drawn, s("text", { class: "count badge", x: UNIT * 0.33, y: UNIT * 0.42 }, count)];
}

/** A piece: in its own shape, if the board has one for it, or as a bar if its site is a slot. */
function shape({ site, kind, owner, letter }, count, { shapes, slots }, players, id) {
  const paint = owner ? paintOf(players, owner) : "neutral";
  const mark = MARKS[(owner ?? "").toLowerCase()];
  if (mark) return [s("path", { class: `mark ${paint}`, d: mark })];
  if (slots[site]) return [s("path", { class: `bar ${paint}`, d: bar(slots[site]) })];
  if (owner && shapes[kind]) {
    const [width, path] = shapes[kind];
    const scale = (UNIT * 0.76) / 544;
    return [s("path", { class: `glyph ${paint}`, d: path, transform: `scale(${round(scale, 4)}) translate(${-width / 2} -240)` })];
  }
  const text = letter || count;
  const radius = owner || text ? UNIT * 0.43 : UNIT * 0.27;
  const second = players.indexOf(owner) === 1 && !["black", "white"].includes(paint);
  return [
    s("circle", { class: "shadow", cy: 1.6, r: radius }),
    s("circle", { class: `disc ${paint}`, r: radius, fill: `url(#${paint}${id})` }),
    second && !text ? s("circle", { class: `groove ${paint}`, r: radius * 0.55 }) : null,
    text ? s("text", { class: `letter ${paint}${text.length > 1 ? " long" : ""}`, dy: "0.35em" }, text) : null,
  ];
}

/** The shape of a pit, enlarged by `around`; a store is as high as `tall` pits. */
export function hollow(name, tall, around = 0) {
  const [half, high] = [UNIT * 0.42 + around, UNIT * ((tall - 1) / 2 + 0.42) + around];
  return s("rect", { class: name, x: -half, y: -high, width: 2 * half, height: 2 * high, rx: half });
}

/** A pit with its seeds in rings around their number; `paint` is the paint of its player. */
export function pit(count, paint, tall = 1) {
  const all = count.split("/").reduce((sum, one) => sum + Number(one), 0);
  const shown = Math.min(all, RINGS.length * RING);
  const seeds = Array.from({ length: shown }, (_, i) => {
    const ring = Math.floor(i / RING);
    const turn = (2 * Math.PI * (i % RING)) / Math.min(shown - ring * RING, RING) - Math.PI / 2;
    const [across, up] = [RINGS[ring], RINGS[ring] + ((tall - 1) / 2) * UNIT];
    return s("circle", { class: "seed", cx: round(across * Math.cos(turn)), cy: round(up * Math.sin(turn)), r: 2.2 });
  });
  return [hollow(`pit ${paint ?? ""}`, tall), seeds, s("text", { class: "count", dy: "0.36em" }, count)];
}
