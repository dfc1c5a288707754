// What stands on a board: discs, the shapes of chess pieces, crosses and noughts, bars, pits and stores with seeds.

import { s } from "./dom.js";
import { UNIT, round } from "./ground.js";
import { SHAPES } from "./vendor/chess.js";

/** How pieces look, by the player's name, else by the seat. */
export const PAINTS = ["black", "white", "red", "blue", "green", "yellow"];
const MARKS = { cross: "M-9-9 9 9M9-9-9 9", nought: "M10 0a10 10 0 1 1-20 0 10 10 0 1 1 20 0z" };

const SEEDS = 24; // so many are drawn at most

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

/** A line through its middle that goes this way. */
export function bar(way) {
  const [dx, dy] = way.map((part) => part * UNIT * 0.82);
  return `M${-dx} ${-dy}L${dx} ${dy}`;
}

/** A piece with the number on it; one in a slot between idle sites lies in it: `slot` is the way it lies. */
export function piece({ owner, letter, glyph }, count, players, id, slot) {
  const paint = owner ? paintOf(players, owner) : "neutral";
  const mark = MARKS[(owner ?? "").toLowerCase()];
  if (mark) return [s("path", { class: `mark ${paint}`, d: mark })];
  if (slot) return [s("path", { class: `bar ${paint}`, d: bar(slot) })];
  if (glyph && SHAPES[glyph]) {
    const [width, path] = SHAPES[glyph];
    const scale = (UNIT * 0.76) / 544;
    return [s("path", { class: `glyph ${paint}`, d: path, transform: `scale(${round(scale, 4)}) translate(${-width / 2} -240)` })];
  }
  const text = count ? String(count) : letter;
  const radius = owner ? UNIT * 0.43 : UNIT * 0.27;
  const second = players.indexOf(owner) === 1 && !["black", "white"].includes(paint);
  return [
    s("circle", { class: "shadow", cy: 1.6, r: radius }),
    s("circle", { class: `disc ${paint}`, r: radius, fill: `url(#${paint}${id})` }),
    second && !text ? s("circle", { class: `groove ${paint}`, r: radius * 0.55 }) : null,
    text ? s("text", { class: `letter ${paint}${text.length > 1 ? " long" : ""}`, dy: "0.35em" }, text) : null,
  ];
}

/** A pit with its seeds, and how many they are; `paint` is that of its player. A store is as high as `tall` pits. */
export function pit(count, paint, tall = 1) {
  const [half, high] = [UNIT * 0.42, UNIT * ((tall - 1) / 2 + 0.42)];
  const shown = Math.min(count, SEEDS);
  const seeds = Array.from({ length: shown }, (_, i) => {
    const far = Math.min(2.45 * Math.sqrt(i + 9), 13.6), turn = i * 2.4;
    return s("circle", { class: "seed", cx: round(far * Math.cos(turn)), cy: round(far * Math.sin(turn) * (high / half)), r: 2.2 });
  });
  return [
    s("rect", { class: `pit ${paint ?? ""}`, x: -half, y: -high, width: 2 * half, height: 2 * high, rx: half }),
    seeds,
    s("text", { class: "count", dy: "0.36em" }, String(count)),
  ];
}
