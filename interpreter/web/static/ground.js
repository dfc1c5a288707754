// The empty board: its cells or lines, whose edges are whose goals, where it wraps, its coordinates.

import { s } from "./dom.js";

export const UNIT = 40; // from a site to its neighbour

const HEX = [30, 90, 150, 210, 270, 330].map((angle) => {
  const turn = (angle * Math.PI) / 180;
  return [Math.cos(turn) / Math.sqrt(3), Math.sin(turn) / Math.sqrt(3)];
});
const SQUARE = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];

/** How far the ground goes beyond the outermost sites, how far goals lie from their sites, to how far one sees. */
const REACH = { hex: [0.62, 0.53, 1.2], point: [0.62, 0.55, 1.1], square: [0.5, 0.53, 0.92] };
const STORE = 1.1; // from the outermost pit to a store

export const round = (value, digits = 2) => Number(value.toFixed(digits));

export class Ground {
  /** `at` turns a place of the board into one of the picture; `paint` names the paint of a player. */
  constructor(board, at, flipped, paint) {
    Object.assign(this, { ...board, at, flipped, paint });
    this.names = new Map(board.sites.map((site) => [site.name, site]));
    this.quiet = new Set(board.idle);
    const xs = board.sites.map((site) => site.x), ys = board.sites.map((site) => site.y);
    const aside = board.stores ? STORE : 0;
    [this.left, this.right, this.bottom, this.top] = [Math.min(...xs) - aside, Math.max(...xs) + aside, Math.min(...ys), Math.max(...ys)];
    [this.half, this.off, this.beside] = REACH[board.cell];
  }

  /** What of the picture can be seen: x, y, width, height. */
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
    return [rect, this.quiet.size ? this.#slots() : this.#grid(), this.#stars(), this.#wraps(), this.#goals()];
  }

  #grid() {
    const { sites, cell, lines } = this;
    if (cell === "point") {
      const path = lines.map(([[x, y], [u, v]]) => `M${this.at({ x, y }).join(" ")}L${this.at({ x: u, y: v }).join(" ")}`);
      return s("path", { class: "line", d: path.join("") });
    }
    const shade = ({ column, row }) => (cell === "hex" ? (((column - row) % 3) + 3) % 3 : (column + row) % 2);
    return Array.from({ length: cell === "hex" ? 3 : 2 }, (_, i) =>
      s("path", { class: `cell shade${i}`, d: this.outline(sites.filter((site) => shade(site) === i)) }),
    );
  }

  // --- sites without a purpose ---------------------------------------------------

  #near({ x, y }, dx, dy) {
    return this.sites.find((site) => Math.abs(site.x - x - dx) < 0.01 && Math.abs(site.y - y - dy) < 0.01);
  }

  /** The way from one idle site to another that lies over this one: [1, 0], [0, 1], or none. */
  slot(site) {
    if (!this.quiet.size || this.quiet.has(site.name)) return null;
    const idle = (dx, dy) => this.quiet.has(this.#near(site, dx, dy)?.name);
    return [[1, 0], [0, 1]].find(([dx, dy]) => idle(dx, dy) && idle(-dx, -dy)) ?? null;
  }

  /** Idle sites are dots; a site between two of them is a place for what joins them. */
  #slots() {
    const ways = this.sites.map((site) => [site, this.slot(site)]).filter(([, way]) => way);
    const path = ways.map(([site, [dx, dy]]) => {
      const end = (far) => this.at({ x: site.x + far * dx, y: site.y + far * dy }).join(" ");
      return `M${end(-1)}L${end(1)}`;
    });
    const dots = [...this.quiet].map((name) => {
      const [cx, cy] = this.at(this.names.get(name));
      return s("circle", { class: "dot", cx, cy, r: UNIT * 0.13 });
    });
    return [s("path", { class: "slot", d: path.join("") }), dots];
  }

  /** The points by which one finds one's way on a large square of lines. */
  #stars() {
    const { kind, sites, around } = this;
    const size = Math.max(...sites.map((site) => site.column));
    if (kind !== "points" || size < 9 || size % 2 === 0 || sites.length !== size * size || around.some(Boolean)) return null;
    const [first, middle] = [size < 12 ? 3 : 4, (size + 1) / 2];
    const lines = [first, middle, size + 1 - first];
    const stars = sites.filter(({ column, row }) => {
      const inner = [column, row].filter((line) => line === middle).length;
      return lines.includes(column) && lines.includes(row) && (inner !== 1 || size > 13);
    });
    return stars.map((site) => {
      const [cx, cy] = this.at(site);
      return s("circle", { class: "star", cx, cy, r: UNIT * 0.09 });
    });
  }

  // --- pits ----------------------------------------------------------------------

  /** The paint of the player to whom a site belongs, if it belongs to one. */
  owner(name) {
    const players = new Set(this.goals.filter(({ sites }) => sites.includes(name)).map(({ player }) => player));
    return players.size === 1 ? this.paint([...players][0]) : null;
  }

  /** How many pits are above each other. */
  get height() {
    return this.top - this.bottom + 1;
  }

  /** How high a pit is: one that is alone in its column, where others are not, is a store. */
  tall(site) {
    return this.sites.some(({ x, name }) => x === site.x && name !== site.name) ? 1 : this.height;
  }

  /** Where that is drawn which is on a site. */
  place(site) {
    return this.pits && this.tall(site) > 1 ? { x: site.x, y: this.#middle } : site;
  }

  /** Where the store of a player is: the first one's to the right. */
  store(seat) {
    return { x: seat ? this.left : this.right, y: this.#middle };
  }

  get #middle() {
    return (this.bottom + this.top) / 2;
  }

  // --- goals ---------------------------------------------------------------------

  /** The outer edges of the sites that a player has to reach, in the player's colour. */
  #goals() {
    if (this.pits) return null; // whose a pit is, its rim tells
    const [middleX, middleY] = [(this.left + this.right) / 2, (this.bottom + this.top) / 2];
    const goals = this.goals.map(({ player, sites }) => {
      const places = sites.map((name) => this.names.get(name));
      const [x, y] = ["x", "y"].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
      const far = Math.hypot(x - middleX, y - middleY) || 1;
      return { player, places: new Set(places), x: (x - middleX) / far, y: (y - middleY) / far };
    });
    const corners = this.cell === "hex" ? HEX : SQUARE;
    const paths = new Map();
    for (const site of new Set(goals.flatMap(({ places }) => [...places]))) {
      const mine = goals.filter(({ places }) => places.has(site));
      corners.forEach(([x, y], i) => {
        const [u, v] = corners[(i + 1) % corners.length];
        const far = Math.hypot(x + u, y + v), [nx, ny] = [(x + u) / far, (y + v) / far];
        const along = ({ x, y }) => x * nx + y * ny;
        const goal = mine.reduce((best, other) => (along(other) > along(best) + 1e-3 ? other : best));
        if (along(goal) < 0.3 || this.sites.some((other) => this.#beyond(site, other, nx, ny))) return;
        const out = this.off - 0.5;
        const end = (x, y) => this.at({ x: site.x + x + nx * out, y: site.y + y + ny * out }).join(" ");
        paths.set(goal.player, `${paths.get(goal.player) ?? ""}M${end(x, y)}L${end(u, v)}`);
      });
    }
    return [...paths].map(([player, d]) => [s("path", { class: "goal under", d }), s("path", { class: `goal ${this.paint(player)}`, d })]);
  }

  /** Whether another site lies in this direction. */
  #beyond(site, other, nx, ny) {
    const [dx, dy] = [other.x - site.x, other.y - site.y];
    return dx * nx + dy * ny > 0.1 && Math.abs(dx * ny - dy * nx) < 0.4;
  }

  // --- edges and coordinates -----------------------------------------------------

  /** Arrows out of the edges behind which the board begins again. */
  #wraps() {
    const { sites, cell, around: [across, up] } = this;
    const out = cell === "point" ? 0.5 : 0.53;
    const arrow = (site, dx, dy) => {
      const [x, y] = this.at({ x: site.x + dx * out, y: site.y + dy * out });
      const [u, v] = this.flipped ? [-dx, dy] : [dx, -dy];
      const [tip, wing] = [UNIT * 0.12, UNIT * 0.11];
      return `M${round(x - v * wing)} ${round(y + u * wing)}L${round(x + u * tip)} ${round(y + v * tip)}L${round(x + v * wing)} ${round(y - u * wing)}z`;
    };
    const stub = (site, dx, dy) => {
      const [x, y] = this.at(site), [u, v] = this.at({ x: site.x + dx * 0.45, y: site.y + dy * 0.45 });
      return `M${x} ${y}L${u} ${v}`;
    };
    const ends = [
      ...(across ? sites.filter((site) => site.column === 1).map((site) => [site, -1, 0]) : []),
      ...(across ? sites.filter((site) => site.column === across).map((site) => [site, 1, 0]) : []),
      ...(up ? sites.filter((site) => site.row === 1).map((site) => [site, 0, -1]) : []),
      ...(up ? sites.filter((site) => site.row === up).map((site) => [site, 0, 1]) : []),
    ];
    if (!ends.length) return null;
    return [
      cell === "point" ? s("path", { class: "line faded", d: ends.map((end) => stub(...end)).join("") }) : null,
      s("path", { class: "around", d: ends.map((end) => arrow(...end)).join("") }),
    ];
  }

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
