// The empty board: its cells or lines, the edges that are players' goals, where it wraps, its coordinates.

import { s } from "./dom.js";

export const UNIT = 40; // from a site to its neighbour

const HEX = [30, 90, 150, 210, 270, 330].map((angle) => {
  const turn = (angle * Math.PI) / 180;
  return [Math.cos(turn) / Math.sqrt(3), Math.sin(turn) / Math.sqrt(3)];
});
const SQUARE = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];

/** How far the ground goes beyond the outermost sites, and how far the picture does. */
const REACH = { hex: [0.62, 1.2], point: [0.62, 1.1], square: [0.5, 0.92] };
const STORE = 1.1; // from the outermost pit to a store

export const round = (value, digits = 2) => Number(value.toFixed(digits));

export class Ground {
  /** `at` turns a place on the board into one in the picture; `paint` names the paint of a player. */
  constructor(board, at, flipped, paint) {
    Object.assign(this, { ...board, at, flipped, paint });
    this.names = new Map(board.sites.map((site) => [site.name, site]));
    const xs = board.sites.map((site) => site.x), ys = board.sites.map((site) => site.y);
    const aside = board.stores ? STORE : 0;
    [this.left, this.right, this.bottom, this.top] = [Math.min(...xs) - aside, Math.max(...xs) + aside, Math.min(...ys), Math.max(...ys)];
    [this.half, this.beside] = REACH[board.cell];
  }

  /** The visible part of the picture: x, y, width, height. */
  get box() {
    return this.#rectangle(this.beside);
  }

  #rectangle(by) {
    const [x, y] = this.at(this.flipped ? { x: this.right, y: this.bottom } : { x: this.left, y: this.top });
    return [x - by * UNIT, y - by * UNIT, (this.right - this.left + 2 * by) * UNIT, (this.top - this.bottom + 2 * by) * UNIT].map((z) => round(z));
  }

  outline(sites) {
    const corners = this.cell === "hex" ? HEX : SQUARE;
    return sites
      .map((site) => {
        const [x, y] = this.at(site);
        return "M" + corners.map(([dx, dy]) => `${round(x + dx * UNIT)} ${round(y + dy * UNIT)}`).join("L") + "z";
      })
      .join("");
  }

  draw() {
    const [x, y, width, height] = this.#rectangle(this.half);
    const rx = this.cell === "point" ? 6 : 3;
    const rect = this.cell === "hex" ? null : s("rect", { class: "ground", x, y, width, height, rx });
    const sites = this.idle.length ? this.#slots() : this.#grid();
    return [rect, sites, this.#dots(this.stars, "star", 0.09), this.#wraps(), this.#goals()];
  }

  #grid() {
    const { sites, cell, lines } = this;
    if (cell === "point") return s("path", { class: "line", d: this.#strokes(lines) });
    const shade = ({ column, row }) => (cell === "hex" ? (((column - row) % 3) + 3) % 3 : (column + row) % 2);
    return Array.from({ length: cell === "hex" ? 3 : 2 }, (_, i) =>
      s("path", { class: `cell shade${i}`, d: this.outline(sites.filter((site) => shade(site) === i)) }),
    );
  }

  /** The lines, each through its places. */
  #strokes(lines, close = "") {
    return lines.map((line) => `M${line.map(([x, y]) => this.at({ x, y }).join(" ")).join("L")}${close}`).join("");
  }

  #dots(names, kind, size) {
    return names.map((name) => {
      const [cx, cy] = this.at(this.names.get(name));
      return s("circle", { class: kind, cx, cy, r: UNIT * size });
    });
  }

  /** Idle sites are dots; a site between two of them is a place for what joins them. */
  #slots() {
    const ways = Object.entries(this.slots).map(([name, [dx, dy]]) => {
      const { x, y } = this.names.get(name);
      return [[x - dx, y - dy], [x + dx, y + dy]];
    });
    return [s("path", { class: "slot", d: this.#strokes(ways) }), this.#dots(this.idle, "dot", 0.13)];
  }

  /** The outer edges that a player has to reach, in the player's colour. */
  #goals() {
    return this.edges.map(({ player, lines }) =>
      ["under", this.paint(player)].map((look) => s("path", { class: `goal ${look}`, d: this.#strokes(lines) })));
  }

  /** Arrows out of the edges beyond which the board begins again. */
  #wraps() {
    if (!this.exits.length) return null;
    const out = this.cell === "point" ? 0.5 : 0.53;
    const drawn = (points) => this.exits.map(({ site, way: [dx, dy] }) => {
      const { x, y } = this.names.get(site);
      return points.map(([along, aside]) => [x + dx * along + dy * aside, y + dy * along + dx * aside]);
    });
    return [
      this.cell === "point" ? s("path", { class: "line faded", d: this.#strokes(drawn([[0, 0], [0.45, 0]])) }) : null,
      s("path", { class: "around", d: this.#strokes(drawn([[out, -0.11], [out + 0.12, 0], [out, 0.11]]), "z") }),
    ];
  }

  // --- pits ----------------------------------------------------------------------

  /** The paint of the player who owns a site, if any. */
  owner(name) {
    return this.owners[name] ? this.paint(this.owners[name]) : null;
  }

  /** The number of pits one above the other. */
  get height() {
    return this.top - this.bottom + 1;
  }

  /** How high a pit is: one alone in its column, when others are not, is a store. */
  tall(site) {
    return this.sites.some(({ x, name }) => x === site.x && name !== site.name) ? 1 : this.height;
  }

  /** The place where the contents of a site are drawn. */
  place(site) {
    return this.pits && this.tall(site) > 1 ? { x: site.x, y: this.#middle } : site;
  }

  /** The place of a player's store: the first player's is on the right. */
  store(seat) {
    return { x: seat ? this.left : this.right, y: this.#middle };
  }

  get #middle() {
    return (this.bottom + this.top) / 2;
  }

  // --- coordinates ---------------------------------------------------------------

  labels() {
    const { sites, cell, left, bottom } = this;
    const columns = new Map(), rows = new Map();
    for (const site of sites) {
      const lowest = columns.get(site.column), furthest = rows.get(site.row);
      if (!lowest || site.y < lowest.y) columns.set(site.column, site);
      if (!furthest || site.x > furthest.x) rows.set(site.row, site);
    }
    const away = cell === "point" ? 0.84 : 0.76;
    const label = (x, y, text, side) => {
      const [column, line] = this.at({ x, y });
      return s("text", { x: column, y: line, dy: "0.35em", class: side }, text);
    };
    const letters = (site) => site.name.replace(/[0-9]+$/, "");
    return [
      ...[...columns.values()].map((site) =>
        cell === "hex" ? label(site.x - 0.46, site.y - 0.82, letters(site)) : label(site.x, bottom - away, letters(site)),
      ),
      ...[...rows.values()].map((site) =>
        cell === "hex" ? label(site.x + 0.92, site.y, String(site.row)) : label(left - this.half - 0.12, site.y, String(site.row), this.flipped ? "after" : "before"),
      ),
    ];
  }
}
