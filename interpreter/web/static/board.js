// A board with what stands on it, as SVG, for mouse, finger, keyboard and screen reader.
//
// It shows a View and makes a move of it, choice by choice; whoever owns it listens:
//   "move"    a legal move has been chosen (event.detail is one of view.moves)
//   "choices" what can be chosen has changed (board.choices says it)

import { Choices } from "./choices.js";
import { s, refill } from "./dom.js";
import { motions } from "./motion.js";
import { SHAPES } from "./vendor/chess.js";

const UNIT = 40; // from a site to its neighbour
const LABEL = 13; // pixels of the screen
const SPEED = 220; // milliseconds for a piece to go where it goes

const HEX = [30, 90, 150, 210, 270, 330].map((angle) => {
  const turn = (angle * Math.PI) / 180;
  return [Math.cos(turn) / Math.sqrt(3), Math.sin(turn) / Math.sqrt(3)];
});
const SQUARE = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];

/** How pieces look, by the player's name, else by the seat. */
const PAINTS = ["black", "white", "red", "blue", "green", "yellow"];
const MARKS = { cross: "M-9-9 9 9M9-9-9 9", nought: "M10 0a10 10 0 1 1-20 0 10 10 0 1 1 20 0z" };

/** Where the directions lead, x to the right and y up; the other half is opposite. */
const NORTH = { north: [0, 1], north_east: [1, 1], east: [1, 0], south_east: [1, -1] };
const HEX_NORTH = { north_east: [0.5, 0.87], east: [1, 0], south_east: [0.5, -0.87] };
const OPPOSITE = { north: "south", north_east: "south_west", east: "west", south_east: "north_west" };

let boards = 0;

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The name of the paint of a player: a class of the style sheet. */
export function paintOf(players, player) {
  const name = (player ?? "").toLowerCase();
  if (PAINTS.includes(name)) return name;
  const seat = players.indexOf(player);
  const other = (players[1 - seat] ?? "").toLowerCase();
  return other === PAINTS[seat] ? PAINTS[1 - seat] : PAINTS[seat] ?? "neutral";
}

export class Board extends EventTarget {
  #holder;
  #id = ++boards;
  #layers = {};
  #cells = new Map(); // site -> the element that takes clicks and the focus
  #pieces = new Map(); // site -> the element of the piece on it
  #focus = null; // the site whose turn it is in the order of tabs
  #drag = null;
  #byMouse = false; // how the focus came to the board: then arrows are not for it
  #running = []; // animations
  #ahead = null; // the piece that is shown where its move would bring it: {from, to, animation}

  /** Coordinates are of one size on the screen, however large the board. */
  #sizes = new ResizeObserver(([{ contentRect }]) => {
    const scale = contentRect.width / this.svg.viewBox.baseVal.width;
    if (scale) this.#layers.labels.setAttribute("font-size", round(Math.min(LABEL / scale, UNIT * 0.55)));
  });

  constructor(holder) {
    super();
    this.#holder = holder;
    this.flipped = false;
    this.targets = true; // whether legal choices are marked
    this.choices = new Choices();
    this.view = null;
  }

  /** Another board: its sites, and the names of the two players. */
  set(board, players, title = "") {
    this.board = board;
    this.players = players;
    this.title = title;
    this.places = new Map(board.sites.map((site) => [site.name, site]));
    this.view = null;
    this.pits = null;
    this.#build();
  }

  flip(flipped = !this.flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    if (!this.board) return;
    const view = this.view;
    this.view = null;
    this.#build();
    if (view) this.show(view, { active: this.active });
  }

  /** Show a position; `active`: moves can be made here. `after` is the View before, if pieces are to go from there. */
  show(view, { active = false, after = null, move = null } = {}) {
    this.pits ??= view.pieces.length === 0 && Object.keys(view.counts).length > 0;
    this.view = view;
    this.active = active && !view.result;
    this.choices = new Choices(this.active ? view.moves : []);
    this.svg.classList.toggle("pits", this.pits);
    const ahead = this.#ahead;
    this.#ahead = null;
    const time = ahead?.animation?.currentTime ?? SPEED;
    this.#stop();
    this.#drawPieces();
    this.#drawLast();
    this.#update();
    if (after && !calm()) {
      this.#animate(motions(after.pieces, view.pieces, move, this.places), ahead, time);
      this.#sow(after.counts, view.counts);
    }
  }

  /** Back to the first choice. */
  cancel() {
    this.choices.cancel();
    this.#update();
  }

  back() {
    this.choices.back();
    this.#update();
  }

  /** Choose something that no site stands for. */
  take(option) {
    this.choices.take(option);
    this.#chosen();
  }

  /** Show where a move would go: an arrow through its sites, or a ring. */
  point(move) {
    const sites = move ? move.c.flatMap(([sort, value]) => (sort === "site" ? [value] : sort === "sites" ? value : [])) : [];
    const places = sites.map((site) => this.#at(this.places.get(site)));
    const lines = places.slice(1).map(([x, y], i) => {
      const [fromX, fromY] = places[i];
      const length = Math.hypot(x - fromX, y - fromY) || 1;
      const [dx, dy] = [((x - fromX) / length) * 13, ((y - fromY) / length) * 13];
      return s("path", { class: "hint-line", d: `M${fromX} ${fromY}L${x - dx} ${y - dy}`, "marker-end": `url(#arrow${this.#id})` });
    });
    const rings = places.map(([cx, cy]) => s("circle", { class: "hint-ring", cx, cy, r: UNIT * 0.46 }));
    refill(this.#layers.hint, rings, lines);
  }

  /** The words for a site as a screen reader says them: "b1, Black stone". */
  describe(name) {
    const piece = this.view?.pieces.find((piece) => piece.site === name);
    const count = this.view?.counts[name];
    const words = [name];
    if (piece) words.push([piece.owner, piece.kind].filter(Boolean).join(" "));
    if (count || this.pits) words.push(String(count ?? 0));
    if (!piece && !this.pits) words.push("empty");
    if (this.view?.last.includes(name)) words.push("last move");
    if (this.choices.chosen.some(([, value]) => value === name)) words.push("chosen");
    else if (this.choices.sites.has(name)) words.push("can be chosen");
    return words.join(", ");
  }

  /** The focus to the board. */
  focus() {
    this.#cells.get(this.#focus)?.focus();
  }

  // --- drawing -----------------------------------------------------------------

  #at({ x, y }) {
    const sign = this.flipped ? -1 : 1;
    return [round(sign * x * UNIT), round(-sign * y * UNIT)];
  }

  #build() {
    const { sites, cell } = this.board;
    const xs = sites.map((site) => site.x), ys = sites.map((site) => site.y);
    const [low, high, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const half = cell === "hex" ? 0.62 : 0.5;
    const beside = cell === "hex" ? 1.15 : cell === "point" ? 1.05 : 0.86;
    const [cornerX, cornerY] = this.#at(this.flipped ? { x: high, y: bottom } : { x: low, y: top });
    const [width, height] = [(high - low) * UNIT, (top - bottom) * UNIT];
    const box = [cornerX - beside * UNIT, cornerY - beside * UNIT, width + 2 * beside * UNIT, height + 2 * beside * UNIT];

    this.#pieces.clear();
    const layer = (name, attributes = {}) => (this.#layers[name] = s("g", { class: name, ...attributes }));
    const hidden = { "aria-hidden": "true" };
    this.svg = s(
      "svg",
      { class: `board ${cell}`, viewBox: box.map(round).join(" "), role: "grid", "aria-label": `${this.title} board${this.#meeting()}`.trim() },
      this.#defs(),
      s("g", hidden, this.#ground(cell, cornerX, cornerY, width, height, half), this.#grid(), this.#wraps()),
      layer("marks", hidden),
      layer("labels", hidden),
      layer("pieces", hidden),
      layer("targets", hidden),
      layer("hint", hidden),
      layer("cells", { role: "rowgroup" }),
      layer("chips", hidden),
    );
    this.svg.style.aspectRatio = `${box[2]} / ${box[3]}`;
    this.svg.style.setProperty("--ratio", box[2] / box[3]);
    refill(this.#layers.labels, this.#labels());
    this.#fillCells();
    this.#sizes.disconnect();
    this.#sizes.observe(this.svg);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => { if (!this.#drag) this.#byMouse = false; });
    this.svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener("pointerup", (event) => this.#up(event));
    this.svg.addEventListener("pointercancel", () => this.#drop());
    refill(this.#holder, this.svg);
  }

  #defs() {
    const paints = [...PAINTS, "neutral"].map((paint) =>
      s(
        "radialGradient",
        { id: `${paint}${this.#id}`, class: paint, cx: "38%", cy: "32%", r: "75%" },
        s("stop", { class: "light", offset: "0" }),
        s("stop", { class: "deep", offset: "1" }),
      ),
    );
    const arrow = s(
      "marker",
      { id: `arrow${this.#id}`, viewBox: "0 0 10 10", refX: "5", refY: "5", markerWidth: "3.4", markerHeight: "3.4", orient: "auto" },
      s("path", { class: "hint-head", d: "M0 0 10 5 0 10z" }),
    );
    return s("defs", {}, paints, arrow);
  }

  #ground(cell, x, y, width, height, half) {
    if (cell === "hex") return null;
    const by = (cell === "point" ? 0.62 : half) * UNIT;
    return s("rect", { class: "ground", x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by, rx: cell === "point" ? 6 : 3 });
  }

  #outline(sites, corners, scale = 1) {
    return sites
      .map((site) => {
        const [x, y] = this.#at(site);
        return "M" + corners.map(([dx, dy]) => `${round(x + dx * UNIT * scale)} ${round(y + dy * UNIT * scale)}`).join("L") + "z";
      })
      .join("");
  }

  #grid() {
    const { sites, cell, lines } = this.board;
    if (cell === "point") {
      const path = lines.map(([[x, y], [u, v]]) => `M${this.#at({ x, y }).join(" ")}L${this.#at({ x: u, y: v }).join(" ")}`);
      return s("path", { class: "line", d: path.join("") });
    }
    const [shades, corners] = cell === "hex" ? [3, HEX] : [2, SQUARE];
    const shade = ({ column, row }) => (cell === "hex" ? (((column - row) % 3) + 3) % 3 : (column + row) % 2);
    return Array.from({ length: shades }, (_, i) =>
      s("path", { class: `cell shade${i}`, d: this.#outline(sites.filter((site) => shade(site) === i), corners) }),
    );
  }

  /** Which edges meet, in words. */
  #meeting() {
    const [across, up] = this.board.around;
    const edges = [across ? "left and right" : "", up ? "top and bottom" : ""].filter(Boolean);
    return edges.map((edge) => `, ${edge} edges meet`).join("");
  }

  /** Arrows out of the edges behind which the board begins again. */
  #wraps() {
    const { sites, cell, around: [across, up] } = this.board;
    const out = cell === "point" ? 0.5 : 0.53;
    const arrow = (site, dx, dy) => {
      const [x, y] = this.#at({ x: site.x + dx * out, y: site.y + dy * out });
      const [u, v] = this.flipped ? [-dx, dy] : [dx, -dy];
      const [tip, wing] = [UNIT * 0.12, UNIT * 0.11];
      return `M${round(x - v * wing)} ${round(y + u * wing)}L${round(x + u * tip)} ${round(y + v * tip)}L${round(x + v * wing)} ${round(y - u * wing)}z`;
    };
    const stub = (site, dx, dy) => {
      const [x, y] = this.#at(site), [u, v] = this.#at({ x: site.x + dx * 0.45, y: site.y + dy * 0.45 });
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

  #labels() {
    const { sites, cell } = this.board;
    const columns = new Map(), rows = new Map();
    for (const site of sites) {
      const lowest = columns.get(site.column), furthest = rows.get(site.row);
      if (!lowest || site.y < lowest.y) columns.set(site.column, site);
      if (!furthest || site.x > furthest.x) rows.set(site.row, site);
    }
    const left = Math.min(...sites.map((site) => site.x)), bottom = Math.min(...sites.map((site) => site.y));
    const away = cell === "point" ? 0.84 : 0.7;
    const label = (x, y, text) => {
      const [column, line] = this.#at({ x, y });
      return s("text", { x: column, y: line, dy: "0.35em" }, text);
    };
    const letters = (site) => site.name.replace(/[0-9]+$/, "");
    return [
      ...[...columns.values()].map((site) =>
        cell === "hex" ? label(site.x - 0.44, site.y - 0.76, letters(site)) : label(site.x, bottom - away, letters(site)),
      ),
      ...[...rows.values()].map((site) =>
        cell === "hex" ? label(site.x + 0.88, site.y, String(site.row)) : label(left - away, site.y, String(site.row)),
      ),
    ];
  }

  #fillCells() {
    const rows = new Map();
    for (const site of this.board.sites) {
      if (!rows.has(site.row)) rows.set(site.row, []);
      rows.get(site.row).push(site);
    }
    this.#cells.clear();
    const groups = [...rows.entries()].sort((a, b) => b[0] - a[0]).map(([, sites]) =>
      s("g", { role: "row" }, [...sites].sort((a, b) => a.column - b.column).map((site) => this.#cell(site))),
    );
    refill(this.#layers.cells, groups);
    if (!this.#cells.has(this.#focus)) this.#focus = this.#cells.keys().next().value;
    this.#cells.get(this.#focus).setAttribute("tabindex", "0");
  }

  #cell(site) {
    const corners = this.board.cell === "hex" ? HEX : SQUARE;
    const cell = s("path", { class: "site", d: this.#outline([site], corners), role: "gridcell", tabindex: "-1", "data-site": site.name });
    cell.addEventListener("focus", () => this.#roam(site.name));
    this.#cells.set(site.name, cell);
    return cell;
  }

  #drawPieces() {
    const { view } = this;
    this.#pieces.clear();
    const on = new Map(view.pieces.map((piece) => [piece.site, piece]));
    for (const site of this.board.sites) {
      const piece = on.get(site.name), count = view.counts[site.name];
      if (this.pits) this.#pieces.set(site.name, this.#stand(site, this.#pit(count ?? 0)));
      else if (piece) this.#pieces.set(site.name, this.#stand(site, this.#shape(piece, count)));
      else if (count) this.#pieces.set(site.name, this.#stand(site, [s("text", { class: "count", dy: "0.35em" }, String(count))]));
    }
    refill(this.#layers.pieces, [...this.#pieces.values()]);
  }

  #stand(site, children) {
    return s("g", { class: "piece", transform: `translate(${this.#at(site).join(" ")})` }, children);
  }

  #shape(piece, count) {
    const paint = piece.owner ? paintOf(this.players, piece.owner) : "neutral";
    const fill = `url(#${paint}${this.#id})`;
    const mark = MARKS[(piece.owner ?? "").toLowerCase()];
    if (mark) return [s("path", { class: `mark ${paint}`, d: mark })];
    const letter = count ? String(count) : piece.letter;
    if (piece.glyph && SHAPES[piece.glyph]) {
      const [width, path] = SHAPES[piece.glyph];
      const scale = (UNIT * 0.76) / 544;
      return [s("path", { class: `glyph ${paint}`, d: path, transform: `scale(${round(scale, 4)}) translate(${-width / 2} -240)` })];
    }
    const radius = piece.owner ? UNIT * 0.43 : UNIT * 0.27;
    const second = this.players.indexOf(piece.owner) === 1 && !["black", "white"].includes(paint);
    return [
      s("circle", { class: "shadow", cy: 1.6, r: radius }),
      s("circle", { class: `disc ${paint}`, r: radius, fill }),
      second && !letter ? s("circle", { class: `groove ${paint}`, r: radius * 0.55 }) : null,
      letter ? s("text", { class: `letter ${paint}${letter.length > 1 ? " long" : ""}`, dy: "0.35em" }, letter) : null,
    ];
  }

  #pit(count) {
    const shown = Math.min(count, 24);
    const seeds = Array.from({ length: shown }, (_, i) => {
      const far = shown === 1 ? 0 : Math.min(2.6 * Math.sqrt(i + 0.6), 12.5);
      const turn = i * 2.4;
      return s("circle", { class: "seed", cx: round(far * Math.cos(turn)), cy: round(far * Math.sin(turn) - 3), r: 2.3 });
    });
    return [
      s("circle", { class: "pit", r: UNIT * 0.45 }),
      seeds,
      s("text", { class: "count", y: UNIT * 0.33, dy: "0.3em" }, String(count)),
    ];
  }

  #drawLast() {
    const on = new Set(this.view.pieces.map((piece) => piece.site));
    const cells = this.board.cell !== "point" && !this.pits;
    const sites = this.view.last.map((name) => this.places.get(name)).filter(Boolean);
    if (cells) {
      const corners = this.board.cell === "hex" ? HEX : SQUARE;
      refill(this.#layers.marks, s("path", { class: "last", d: this.#outline(sites, corners) }));
      return;
    }
    refill(
      this.#layers.marks,
      sites.map((site) => {
        const [cx, cy] = this.#at(site);
        return s("circle", { class: "last-ring", cx, cy, r: on.has(site.name) || this.pits ? UNIT * 0.48 : UNIT * 0.14 });
      }),
    );
  }

  // --- choices -----------------------------------------------------------------

  /** Draw what has been chosen and what can be. */
  #update() {
    const { choices, view } = this;
    const sites = choices.sites;
    const chosen = new Set([...choices.chosen.flatMap(([, value]) => (Array.isArray(value) ? value : [value])), ...choices.touched]);
    const on = new Map(view.pieces.map((piece) => [piece.site, piece]));
    for (const [name, cell] of this.#cells) {
      cell.setAttribute("aria-label", this.describe(name));
      cell.setAttribute("aria-selected", chosen.has(name) ? "true" : "false");
      cell.classList.toggle("open", sites.has(name));
      cell.classList.toggle("chosen", chosen.has(name));
      cell.classList.toggle("movable", sites.has(name) && on.has(name) && !choices.begun);
    }
    this.#drawTargets(sites, chosen, on);
    this.#drawPartial(on);
    this.#drawChips();
    this.dispatchEvent(new CustomEvent("choices"));
  }

  #drawTargets(sites, chosen, on) {
    const all = this.board.sites.length;
    const mine = this.view.pieces.filter((piece) => piece.owner === this.view.to_move).length;
    const pieces = [...sites].filter((site) => on.has(site)).length;
    const few = (name) => (on.has(name) ? pieces <= mine / 2 : sites.size <= all / 3);
    const marks = [];
    const placed = this.choices.chosen[0]?.[1];
    if (this.places.has(placed) && !on.has(placed) && !this.pits) {
      const ghost = this.#mark("ghost", this.places.get(placed), UNIT * 0.43);
      ghost.setAttribute("fill", `url(#${paintOf(this.players, this.view.to_move)}${this.#id})`);
      marks.push(ghost);
    }
    for (const name of chosen) {
      const place = this.places.get(name);
      if (place) marks.push(this.#mark("chosen-mark", place, UNIT * 0.47));
    }
    for (const name of sites) {
      if (!this.targets || (!this.choices.begun && !few(name))) continue;
      const place = this.places.get(name);
      marks.push(on.has(name) || this.pits ? this.#mark("target-ring", place, UNIT * 0.46) : this.#mark("target", place, UNIT * 0.13));
    }
    refill(this.#layers.targets, marks);
  }

  #mark(name, place, r) {
    const [cx, cy] = this.#at(place);
    return s("circle", { class: name, cx, cy, r });
  }

  /** A piece that was chosen together with the site it goes to is shown there already. */
  #drawPartial(on) {
    const { choices } = this;
    const [from, to] = choices.chosen.filter(([sort]) => sort === "site").map(([, site]) => site);
    const goes = to !== undefined && on.has(from) && on.get(to)?.owner !== on.get(from).owner;
    if (this.#ahead && !(goes && this.#ahead.from === from && this.#ahead.to === to)) {
      this.#ahead.animation?.cancel();
      this.#put(this.#ahead.from, this.#ahead.from);
      this.#ahead = null;
    }
    if (!goes) return;
    if (!this.#ahead) {
      this.#ahead = { from, to };
      this.#put(from, to);
      if (!this.dragged && !calm()) this.#ahead.animation = this.#go(this.#pieces.get(from), from, to);
    }
    this.#pieces.get(from).classList.toggle("ahead", !choices.decided);
  }

  /** The piece of one site onto another. */
  #put(name, site) {
    const piece = this.#pieces.get(name);
    piece.setAttribute("transform", `translate(${this.#at(this.places.get(site)).join(" ")})`);
    piece.classList.remove("ahead");
    piece.parentNode.append(piece);
  }

  /** Arrows around the site chosen last, where a direction is to be chosen. */
  #drawChips() {
    const vectors = this.vectors();
    const ways = this.choices.words.filter(([sort, value]) => sort === "direction" && vectors[value]);
    const site = this.choices.chosen.filter(([sort]) => sort === "site").at(-1)?.[1];
    const place = this.places.get(site);
    refill(
      this.#layers.chips,
      place
        ? ways.map((option) => {
            const [dx, dy] = vectors[option[1]];
            const turn = this.turn(option[1]);
            const [x, y] = this.#at({ x: place.x + dx * 0.8, y: place.y + dy * 0.8 });
            return s(
              "g",
              { class: "chip", transform: `translate(${x} ${y}) rotate(${round(turn)})`, onclick: () => this.take(option) },
              s("circle", { r: UNIT * 0.26 }),
              s("path", { d: "M-5 0H5M1-4 5 0 1 4" }),
            );
          })
        : [],
    );
  }

  /** The directions of the board by name, from a site to the next. */
  vectors() {
    const half = this.board.cell === "hex" ? HEX_NORTH : NORTH;
    return { ...half, ...Object.fromEntries(Object.entries(half).map(([name, [x, y]]) => [OPPOSITE[name], [-x, -y]])) };
  }

  /** By how many degrees an arrow to the right must turn to show this direction; null: none has this name. */
  turn(direction) {
    const [dx, dy] = this.vectors()[direction] ?? [];
    return dx === undefined ? null : (Math.atan2(-dy, dx) * 180) / Math.PI + (this.flipped ? 180 : 0);
  }

  /** A site was clicked, or chosen by a key. */
  pick(name) {
    if (!this.active) return;
    const { choices } = this;
    const latest = choices.chosen.at(-1)?.[1];
    if (choices.pick(name)) return this.#chosen();
    if (!choices.begun) return;
    if (latest === name || choices.touched.includes(name)) return this.back();
    choices.cancel();
    if (choices.pick(name)) this.#chosen();
    else this.#update();
  }

  #chosen() {
    const move = this.choices.decided;
    this.#update();
    if (move) this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }

  // --- keys --------------------------------------------------------------------

  #roam(name) {
    if (name === this.#focus) return;
    this.#cells.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#cells.get(name).setAttribute("tabindex", "0");
    this.#focus = name;
  }

  #key(event) {
    const arrows = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key === "Enter" || event.key === " ") this.pick(this.#focus);
    else if (event.key === "Escape" && this.choices.begun) this.cancel();
    else if (event.key === "Backspace" && this.choices.begun) this.back();
    else if (arrows[event.key] && !this.#byMouse && !event.altKey && !event.ctrlKey) this.#step(...arrows[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The focus to the next site that lies most nearly in this direction. */
  #step(dx, dy) {
    const sign = this.flipped ? -1 : 1;
    const here = this.places.get(this.#focus);
    let best = null, least = Infinity;
    for (const site of this.board.sites) {
      const [x, y] = [sign * (site.x - here.x), sign * (site.y - here.y)];
      const along = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
      if (along < 0.2) continue;
      const cost = along + 2.5 * aside - (site.x < here.x && aside > 0.4 ? 0.01 : 0);
      if (aside <= along + 0.01 && cost < least) [best, least] = [site, cost];
    }
    if (best) this.#cells.get(best.name).focus({ preventScroll: false });
  }

  // --- mouse and finger --------------------------------------------------------

  #down(event) {
    const name = event.target.dataset?.site;
    this.#byMouse = true;
    if (!name || event.button) return;
    const movable = this.active && event.target.classList.contains("movable");
    this.#drag = { name, x: event.clientX, y: event.clientY, movable, dragging: false, id: event.pointerId };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag?.movable || event.pointerId !== drag.id) return;
    if (!drag.dragging) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 5) return;
      if (this.choices.begun) this.choices.cancel();
      this.choices.pick(drag.name);
      if (this.choices.decided || !this.choices.sites.size) {
        this.choices.cancel();
        this.#drag = null;
        return;
      }
      drag.dragging = true;
      this.svg.setPointerCapture(event.pointerId);
      this.svg.classList.add("dragging");
      this.#update();
      const piece = this.#pieces.get(drag.name);
      piece.parentNode.append(piece);
      piece.classList.add("held");
    }
    const { x, y } = this.#point(event);
    this.#pieces.get(drag.name).setAttribute("transform", `translate(${round(x)} ${round(y)})`);
  }

  #up(event) {
    const drag = this.#drag;
    if (!drag) return;
    this.#drag = null;
    if (!drag.dragging) {
      if (event.target.dataset?.site === drag.name) this.pick(drag.name);
      return;
    }
    this.#release(drag.name);
    const name = this.#nearest(this.#point(event));
    this.#put(drag.name, drag.name);
    this.dragged = true; // the piece is there already: it need not go there again
    if (name === drag.name) this.#update();
    else if (name && this.choices.sites.has(name)) this.pick(name);
    else this.cancel();
    this.dragged = false;
  }

  #drop() {
    if (this.#drag?.dragging) {
      this.#release(this.#drag.name);
      this.#put(this.#drag.name, this.#drag.name);
      this.cancel();
    }
    this.#drag = null;
  }

  #release(name) {
    this.svg.classList.remove("dragging");
    this.#pieces.get(name)?.classList.remove("held");
  }

  /** A place on the screen as one of the picture. */
  #point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  #nearest({ x, y }) {
    let best = null, least = UNIT * 0.7;
    for (const site of this.board.sites) {
      const [u, v] = this.#at(site);
      const far = Math.hypot(u - x, v - y);
      if (far < least) [best, least] = [site.name, far];
    }
    return best;
  }

  // --- motion ------------------------------------------------------------------

  #stop() {
    for (const animation of this.#running) animation.cancel();
    this.#running = [];
  }

  /** `ahead` went where it goes before, for `time` milliseconds so far. */
  #animate({ moved, turned, came }, ahead, time) {
    for (const [from, to] of moved) {
      const animation = this.#go(this.#pieces.get(to), from, to);
      if (ahead && ahead.from === from && ahead.to === to) animation.currentTime = time;
    }
    const shift = (site) => this.#shift(site);
    for (const site of came) this.#run(this.#pieces.get(site), [{ transform: `${shift(site)} scale(.5)`, opacity: 0 }, { transform: shift(site), opacity: 1 }]);
    for (const site of turned) this.#run(this.#pieces.get(site), [{ transform: `${shift(site)} scale(.1, 1)` }, { transform: shift(site) }]);
  }

  /** Pits whose count has changed swell for a moment. */
  #sow(before, after) {
    if (!this.pits) return;
    const changed = this.board.sites.filter(({ name }) => (before[name] ?? 0) !== (after[name] ?? 0));
    for (const { name } of changed) {
      const at = this.#shift(name);
      this.#run(this.#pieces.get(name), [{ transform: `${at} scale(1)` }, { transform: `${at} scale(1.12)` }, { transform: `${at} scale(1)` }]);
    }
  }

  #go(piece, from, to) {
    piece.parentNode.append(piece);
    return this.#run(piece, [{ transform: this.#shift(from) }, { transform: this.#shift(to) }]);
  }

  #shift(site) {
    return `translate(${this.#at(this.places.get(site)).map((value) => `${value}px`).join(", ")})`;
  }

  #run(piece, frames) {
    const animation = piece.animate(frames, { duration: SPEED, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards" });
    this.#running.push(animation);
    return animation;
  }
}

const round = (value, digits = 2) => Number(value.toFixed(digits));
