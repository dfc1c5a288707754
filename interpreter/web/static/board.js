// A board with its pieces as SVG, for mouse, finger, keyboard and screen reader.
//
// It shows a View and lets a person build a move, choice by choice; its owner listens for:
//   "move"    a legal move has been chosen (event.detail is one of view.moves)
//   "choices" what can be chosen has changed (see board.choices)

import { Choices, sitesOf } from "./choices.js";
import { h, s, refill } from "./dom.js";
import { Ground, UNIT, round } from "./ground.js";
import { motions } from "./motion.js";
import { bar, gradients, hollow, paintOf, piece, pit } from "./pieces.js";

export { paintOf };

const LABEL = 13; // screen pixels
const SPEED = 220; // milliseconds for a piece to reach its site
const SOWING = 90; // milliseconds from one pit to the next

/** Where the directions lead, x to the right and y up; the other half are their opposites. */
const NORTH = { north: [0, 1], north_east: [1, 1], east: [1, 0], south_east: [1, -1] };
const HEX_NORTH = { north_east: [0.5, 0.87], east: [1, 0], south_east: [0.5, -0.87] };
const OPPOSITE = { north: "south", north_east: "south_west", east: "west", south_east: "north_west" };

let boards = 0;

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A position that can only be looked at. */
export function picture(board, players, view) {
  const holder = h("span", { inert: true, "aria-hidden": "true" });
  const shown = new Board(holder);
  shown.set(board, players);
  shown.show(view);
  return holder;
}

export class Board extends EventTarget {
  #holder;
  #id = ++boards;
  #layers = {};
  #cells = new Map(); // site -> the element that takes clicks and the focus
  #pieces = new Map(); // site -> the element of the piece on it
  #stood = new Map(); // site -> the piece on it in the position
  #on = new Map(); // site -> the piece on it, after the choices so far
  #focus = null; // the site that the Tab key reaches
  #drag = null;
  #byMouse = false; // whether the focus came by mouse: then the arrow keys are not for the board
  #running = []; // animations
  #ahead = null; // what is shown of a move before it is made: {key, moved, from, to, animation}

  /** Coordinates have the same size on the screen, however large the board is. */
  #sizes = new ResizeObserver(([{ contentRect }]) => {
    const scale = contentRect.width / this.svg.viewBox.baseVal.width;
    if (scale) this.#layers.labels.setAttribute("font-size", round(Math.min(LABEL / scale, UNIT * 0.5)));
  });

  constructor(holder) {
    super();
    this.#holder = holder;
    // Not on the picture: an SVG that listens for the focus becomes a stop of the Tab key.
    holder.addEventListener("focusin", ({ target }) => {
      this.#byMouse = !target.matches(":focus-visible");
      this.#roam(target.dataset.site);
    });
    this.flipped = false;
    this.targets = true; // whether legal choices are marked
    this.choices = new Choices();
    this.view = null;
  }

  /** Whether the board has pits with seeds instead of pieces. */
  get pits() {
    return Boolean(this.board?.pits);
  }

  /** Change the board: its sites, and the names of the two players. */
  set(board, players, title = "") {
    this.board = board;
    this.players = players;
    this.title = title;
    this.places = new Map(board.sites.map((site) => [site.name, site]));
    this.view = null;
    this.#build();
  }

  flip(flipped = !this.flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    if (!this.board) return;
    const view = this.view;
    const focused = this.svg.contains(document.activeElement);
    this.view = null;
    this.#build();
    if (view) this.show(view, { active: this.active });
    if (focused) this.focus();
  }

  /** Show a position; `active`: whether moves can be made here; `after`: the View before, to move pieces from there. */
  show(view, { active = false, after = null, move = null } = {}) {
    this.view = view;
    this.active = active && !view.result;
    this.choices = new Choices(this.active ? view.moves : []);
    const ahead = this.#ahead;
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

  /** A move is being sent: its effect is shown, and nothing can be chosen. */
  send(move) {
    this.active = false;
    this.choices.settle(move);
    this.#update();
  }

  /** Choose something that is not a site. */
  take(option) {
    this.choices.take(option);
    this.#chosen();
  }

  /** Show a move as a hint: an arrow through its sites, or a ring. */
  point(move) {
    const places = move.c.flatMap(sitesOf).map((site) => this.#at(this.places.get(site)));
    const lines = places.slice(1).map(([x, y], i) => {
      const [fromX, fromY] = places[i];
      const length = Math.hypot(x - fromX, y - fromY) || 1;
      const [dx, dy] = [((x - fromX) / length) * 13, ((y - fromY) / length) * 13];
      return s("path", { class: "hint-line", d: `M${fromX} ${fromY}L${x - dx} ${y - dy}`, "marker-end": `url(#arrow${this.#id})` });
    });
    const rings = places.map(([cx, cy]) => s("circle", { class: "hint-ring", cx, cy, r: UNIT * 0.46 }));
    refill(this.#layers.hint, rings, lines);
  }

  /** The words for a site that a screen reader says: "b1, Black stone". */
  describe(name) {
    const piece = this.#on.get(name);
    const count = this.view?.counts[name];
    const words = [name];
    if (piece) words.push([piece.owner, piece.kind].filter(Boolean).join(" "));
    if (count || this.pits) words.push(count ?? "0");
    if (!piece && !this.pits) words.push("empty");
    if (this.view?.last.includes(name)) words.push("last move");
    if (this.view?.decisive.includes(name)) words.push("has decided the game");
    if (this.choices.places.includes(name)) words.push("chosen");
    else if (this.choices.sites.has(name)) words.push("can be chosen");
    return words.join(", ");
  }

  /** Move the focus to the board. */
  focus() {
    this.#cells.get(this.#focus)?.focus();
  }

  // --- drawing -----------------------------------------------------------------

  #at({ x, y }) {
    const sign = this.flipped ? -1 : 1;
    return [round(sign * x * UNIT), round(-sign * y * UNIT)];
  }

  #build() {
    this.ground = new Ground(this.board, (place) => this.#at(place), this.flipped, (player) => paintOf(this.players, player));
    const { box } = this.ground;
    this.#pieces.clear();
    const layer = (name, attributes = {}) => (this.#layers[name] = s("g", { class: name, ...attributes }));
    const hidden = { "aria-hidden": "true" };
    this.svg = s(
      "svg",
      { class: `board ${this.board.cell}${this.pits ? " pits" : ""}${this.board.idle.length ? " idle" : ""}`, viewBox: box.join(" "), role: "grid", "aria-label": `${this.title} board${this.#meeting()}`.trim() },
      this.#defs(),
      s("g", hidden, this.ground.draw()),
      layer("marks", hidden),
      layer("labels", hidden),
      layer("pieces", hidden),
      layer("targets", hidden),
      layer("over", hidden),
      layer("hint", hidden),
      layer("cells", { role: "rowgroup" }),
      layer("chips", hidden),
    );
    this.svg.style.aspectRatio = `${box[2]} / ${box[3]}`;
    this.svg.style.setProperty("--ratio", box[2] / box[3]);
    refill(this.#layers.labels, this.ground.labels());
    this.#fillCells();
    this.#sizes.disconnect();
    this.#sizes.observe(this.svg);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("pointerdown", (event) => this.#down(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener("pointerup", (event) => this.#up(event));
    this.svg.addEventListener("pointercancel", () => this.#drop());
    this.svg.addEventListener("pointerover", (event) => this.#over(event));
    this.svg.addEventListener("pointerleave", () => refill(this.#layers.over));
    refill(this.#holder, this.svg);
  }

  #defs() {
    const arrow = s(
      "marker",
      { id: `arrow${this.#id}`, viewBox: "0 0 10 10", refX: "5", refY: "5", markerWidth: "3.4", markerHeight: "3.4", orient: "auto" },
      s("path", { class: "hint-head", d: "M0 0 10 5 0 10z" }),
    );
    return s("defs", {}, gradients(this.#id), arrow);
  }

  /** Which edges meet, in words. */
  #meeting() {
    const [across, up] = this.board.around;
    const edges = [across ? "left and right" : "", up ? "top and bottom" : ""].filter(Boolean);
    return edges.map((edge) => `, ${edge} edges meet`).join("");
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
    const cell = s("path", { class: "site", d: this.ground.outline([site]), role: "gridcell", tabindex: "-1", "data-site": site.name });
    this.#cells.set(site.name, cell);
    return cell;
  }

  #drawPieces() {
    const { view } = this;
    this.#pieces.clear();
    this.#ahead = null;
    this.#on = this.#stood = new Map(view.pieces.map((piece) => [piece.site, piece]));
    for (const site of this.board.sites) {
      const piece = this.#on.get(site.name), count = view.counts[site.name];
      if (this.pits) this.#pieces.set(site.name, this.#stand(this.ground.place(site), pit(count ?? "0", this.ground.owner(site.name), this.ground.tall(site))));
      else if (piece) this.#pieces.set(site.name, this.#stand(site, this.#shape(piece)));
      else if (count) this.#pieces.set(site.name, this.#stand(site, [s("text", { class: "count", dy: "0.35em" }, count)]));
    }
    refill(this.#layers.pieces, [...this.#pieces.values()], this.#stores());
  }

  #stand(site, children) {
    return s("g", { class: "piece", transform: `translate(${this.#at(site).join(" ")})` }, children);
  }

  #shape(shown) {
    return piece(shown, this.view.counts[shown.site], this.board, this.players, this.#id);
  }

  /** What each player has taken, at the ends of a board of pits. */
  #stores() {
    return Object.entries(this.view.stores ?? {}).map(([player, count]) =>
      this.#stand(this.ground.store(this.players.indexOf(player)), pit(String(count), paintOf(this.players, player), this.ground.height)),
    );
  }

  /** Draw what the last move has changed, and the way of the piece that was moved. */
  #drawLast() {
    const { last, trail } = this.view;
    const place = (name) => this.#at(this.places.get(name));
    const ends = new Set([trail[0], trail.at(-1)]);
    const [main, other] = [last.filter((name) => ends.has(name)), last.filter((name) => trail.length && !ends.has(name))];
    const marked = trail.length ? main : last;
    const way = trail.length > 2 ? s("path", { class: "trail", d: "M" + trail.map((name) => place(name).join(" ")).join("L") }) : null;
    const sites = (names) => names.map((name) => this.places.get(name));
    if (this.board.cell !== "point" && !this.pits && !this.board.idle.length) {
      const hidden = this.board.cell === "hex" ? marked.filter((name) => this.#on.has(name)) : []; // the piece hides all but six corners
      refill(
        this.#layers.marks,
        s("path", { class: "last also", d: this.ground.outline(sites(other)) }),
        s("path", { class: "last", d: this.ground.outline(sites(marked)) }),
        hidden.map((name) => this.#mark("last-ring", this.places.get(name), UNIT * 0.46)),
        way,
      );
      return;
    }
    const ring = (name, kind) => {
      const site = this.places.get(name), slot = this.board.slots[name];
      if (this.pits) return this.#stand(this.ground.place(site), [hollow(`last-ring ${kind}`, this.ground.tall(site), UNIT * 0.06)]);
      if (slot) return this.#stand(site, [s("path", { class: `last-slot ${kind}`, d: bar(slot) })]);
      return this.#mark(`last-ring ${kind}`, site, UNIT * (this.#on.has(name) ? 0.48 : 0.14));
    };
    refill(this.#layers.marks, other.map((name) => ring(name, "also")), marked.map((name) => ring(name, "")), way);
  }

  // --- choices -----------------------------------------------------------------

  /** Draw what has been and what can be chosen. */
  #update() {
    const { choices } = this;
    const sites = choices.sites;
    const chosen = new Set(choices.places);
    this.#drawAhead();
    const on = this.#on;
    for (const [name, cell] of this.#cells) {
      cell.setAttribute("aria-label", this.describe(name));
      cell.setAttribute("aria-selected", chosen.has(name) ? "true" : "false");
      cell.classList.toggle("open", sites.has(name));
      cell.classList.toggle("chosen", chosen.has(name));
      cell.classList.toggle("movable", sites.has(name) && on.has(name) && !choices.begun);
    }
    this.#drawTargets(sites, chosen, on);
    refill(this.#layers.over);
    this.#drawChips();
    this.dispatchEvent(new CustomEvent("choices"));
  }

  #drawTargets(sites, chosen, on) {
    const all = this.board.sites.length;
    const mine = this.view.pieces.filter((piece) => piece.owner === this.view.to_move).length;
    const pieces = [...sites].filter((site) => on.has(site)).length;
    const few = (name) => this.pits || (on.has(name) ? pieces <= mine / 2 : sites.size <= all / 3);
    const marks = [];
    const placed = this.choices.chosen[0]?.[1];
    if (this.places.has(placed) && !this.#stood.has(placed) && !on.has(placed) && !this.pits && this.choices.candidates.some((move) => !move.bare)) {
      const ghost = this.#mark("ghost", this.places.get(placed), UNIT * 0.43);
      ghost.setAttribute("fill", `url(#${paintOf(this.players, this.view.to_move)}${this.#id})`);
      marks.push(ghost);
    }
    for (const name of chosen) marks.push(this.#mark("chosen-mark", this.places.get(name), UNIT * 0.47));
    for (const name of this.view.decisive) marks.push(...["decisive rim", "decisive"].map((kind) => this.#mark(kind, this.places.get(name), UNIT * 0.46)));
    for (const name of sites) {
      if (!this.targets || (!this.choices.begun && !few(name))) continue;
      const place = this.places.get(name);
      marks.push(on.has(name) || this.pits ? this.#mark("target-ring", place, UNIT * 0.47) : this.#mark("target", place, UNIT * 0.13));
    }
    refill(this.#layers.targets, marks);
  }

  #mark(name, place, r) {
    const [cx, cy] = this.#at(place);
    return s("circle", { class: name, cx, cy, r });
  }

  /** Draw the board after the choices so far: as the view describes it, else with a piece where it goes. */
  #drawAhead() {
    const { choices } = this;
    const stage = this.#stage();
    const { came, left } = stage ?? this.#going() ?? { came: [], left: [] };
    const key = JSON.stringify([came, left]);
    if (key !== (this.#ahead?.key ?? "[[],[]]")) {
      const before = this.#ahead;
      before?.animation?.cancel();
      this.#drawPieces();
      if (came.length || left.length) this.#ahead = this.#leap(came, left, key, before);
    }
    if (this.#ahead?.from) this.#pieces.get(this.#ahead.from).classList.toggle("ahead", !stage && !choices.decided);
  }

  /** What the choices so far have changed, according to the view. */
  #stage() {
    const { stages } = this.view;
    const { chosen } = this.choices;
    for (let length = chosen.length; length; length--) {
      const key = JSON.stringify(chosen.slice(0, length));
      const stage = stages.find(({ c }) => JSON.stringify(c) === key);
      if (stage) return stage;
    }
    return null;
  }

  /** A piece chosen together with the site it goes to is already shown there. */
  #going() {
    const [from, to] = this.choices.chosen.filter(([sort]) => sort === "site").map(([, site]) => site);
    const piece = this.#stood.get(from);
    const goes = to !== undefined && piece && this.#stood.get(to)?.owner !== piece.owner;
    return goes ? { came: [{ ...piece, site: to }], left: [from] } : null;
  }

  /** Show these changes; a moved piece comes from where it was shown `before`. */
  #leap(came, left, key, before) {
    const pieces = this.view.pieces;
    const after = [...pieces.filter(({ site }) => !left.includes(site) && !came.some((piece) => piece.site === site)), ...came];
    const { moved } = motions(pieces, after, { c: this.choices.chosen }, this.places);
    const going = new Map(moved);
    for (const { site } of pieces) {
      if (!going.has(site) && (left.includes(site) || came.some((piece) => piece.site === site))) this.#pieces.get(site)?.classList.add(left.includes(site) ? "taken" : "gone");
    }
    for (const [from, to] of moved) this.#put(from, to);
    for (const piece of came) {
      const place = this.places.get(piece.site);
      if (!moved.some(([, to]) => to === piece.site)) this.#layers.pieces.append(this.#stand(place, this.#shape(piece)));
    }
    this.#on = new Map(after.map((piece) => [piece.site, piece]));
    const [from, to] = moved.find(([from]) => this.choices.chosen.some(([, value]) => value === from)) ?? moved[0] ?? [];
    const start = before?.from === from ? before?.to : from;
    const animation = start !== to && !this.dragged && !calm() ? this.#go(this.#pieces.get(from), start, to) : null;
    return { key, moved, from, to, animation };
  }

  /** Put the piece of one site onto another. */
  #put(name, site) {
    const piece = this.#pieces.get(name);
    piece.setAttribute("transform", `translate(${this.#at(this.places.get(site)).join(" ")})`);
    piece.classList.remove("ahead");
    piece.parentNode.append(piece);
  }

  /** Draw arrows around the site chosen last if a direction is to be chosen. */
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

  /** The directions of the board by name, as vectors from a site to the next. */
  vectors() {
    const half = this.board.cell === "hex" ? HEX_NORTH : NORTH;
    return { ...half, ...Object.fromEntries(Object.entries(half).map(([name, [x, y]]) => [OPPOSITE[name], [-x, -y]])) };
  }

  /** The degrees by which an arrow to the right must turn to show this direction; null if no direction has this name. */
  turn(direction) {
    const [dx, dy] = this.vectors()[direction] ?? [];
    return dx === undefined ? null : (Math.atan2(-dy, dx) * 180) / Math.PI + (this.flipped ? 180 : 0);
  }

  /** A site was clicked, or chosen by a key. */
  pick(name) {
    if (!this.active) return;
    const { choices } = this;
    if (this.board.falls) name = this.#under(name);
    const latest = choices.chosen.at(-1)?.[1];
    if (choices.pick(name)) return this.#chosen();
    if (!choices.begun) return;
    if (latest === name || choices.touched.includes(name)) return this.back();
    choices.cancel();
    if (choices.pick(name)) this.#chosen();
    else this.#update();
  }

  /** The site in a column where a falling piece lands. */
  #under(name) {
    const { column } = this.places.get(name);
    return [...this.choices.sites].find((site) => this.places.get(site).column === column) ?? name;
  }

  #chosen() {
    const move = this.choices.decided;
    this.#update();
    if (move) this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }

  // --- keys --------------------------------------------------------------------

  #roam(name) {
    if (!name || name === this.#focus) return;
    this.#cells.get(this.#focus)?.setAttribute("tabindex", "-1");
    this.#cells.get(name).setAttribute("tabindex", "0");
    this.#focus = name;
  }

  #key(event) {
    const arrows = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.key === "Enter" || event.key === " ") this.pick(this.#focus);
    else if (event.key === "Escape" && this.active && this.choices.begun) this.cancel();
    else if (event.key === "Backspace" && this.active && this.choices.begun) this.back();
    else if (arrows[event.key] && !this.#byMouse && !event.altKey && !event.ctrlKey) this.#step(...arrows[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the focus to the next site most nearly in this direction. */
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
    this.dragged = true; // the piece is already there and need not move
    if (name === drag.name) this.#update();
    else if (name && this.choices.sites.has(name)) this.pick(name);
    else this.cancel();
    this.dragged = false;
  }

  /** Mark the site under the mouse if it can be chosen. */
  #over(event) {
    const open = event.pointerType === "mouse" && event.target.classList.contains("open");
    const place = open && this.places.get(event.target.dataset.site);
    refill(this.#layers.over, place && this.#mark("over-mark", place, UNIT * (this.#on.has(place.name) || this.pits ? 0.47 : 0.25)));
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

  /** A place on the screen in the coordinates of the picture. */
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

  /** Animate motions; `ahead` is a motion that was shown early, for `time` milliseconds so far. */
  #animate({ moved, turned, came }, ahead, time) {
    const { trail } = this.view;
    for (const [from, to] of moved) {
      const shown = ahead?.from === from ? ahead.to : from;
      const way = trail.length > 2 && trail[0] === from && trail.at(-1) === to ? trail.slice(Math.max(0, trail.indexOf(shown))) : [shown, to];
      const animation = this.#go(this.#pieces.get(to), ...(shown === to ? [from, to] : way));
      if (shown === to) animation.currentTime = time;
    }
    const shift = (site) => this.#shift(site);
    for (const site of came) this.#run(this.#pieces.get(site), [{ transform: `${shift(site)} scale(.5)`, opacity: 0 }, { transform: shift(site), opacity: 1 }]);
    for (const site of turned) this.#run(this.#pieces.get(site), [{ transform: `${shift(site)} scale(.1, 1)` }, { transform: shift(site) }]);
  }

  /** Let the pits whose count has changed swell in turn, each the nearest to the one before. */
  #sow(before, after) {
    if (!this.pits) return;
    const changed = this.board.sites.filter(({ name }) => before[name] !== after[name]);
    let here = this.places.get(this.view.trail[0]) ?? changed[0];
    for (let turn = 0; changed.length; turn++) {
      const far = ({ x, y }) => Math.hypot(x - here.x, y - here.y);
      here = changed.reduce((best, site) => (far(site) < far(best) ? site : best));
      changed.splice(changed.indexOf(here), 1);
      const at = this.#shift(here.name);
      const frames = [1, 1.15, 1].map((scale) => ({ transform: `${at} scale(${scale})` }));
      this.#run(this.#pieces.get(here.name), frames, { delay: turn * SOWING });
    }
  }

  #go(piece, ...way) {
    piece.parentNode.append(piece);
    return this.#run(piece, way.map((site) => ({ transform: this.#shift(site) })), { duration: SPEED * (way.length - 1) });
  }

  #shift(site) {
    return `translate(${this.#at(this.ground.place(this.places.get(site))).map((value) => `${value}px`).join(", ")})`;
  }

  #run(piece, frames, timing = {}) {
    const animation = piece.animate(frames, { duration: SPEED, easing: "cubic-bezier(.3,.1,.2,1)", fill: "backwards", ...timing });
    this.#running.push(animation);
    return animation;
  }
}
