// A move made choice by choice. Knows the legal moves of a position as lists of choices, but not how they look.
//
// A choice is a pair [sort, value]: ["site", "b1"], ["sites", ["a1", "b2"]], ["int", 3], ["word", "swap"].

const same = (a, b) => a[0] === b[0] && String(a[1]) === String(b[1]);

const turns = (move) => move.c.some(([sort]) => sort === "direction");

/**
 * All moves; those not chosen by sites also by where their pieces go (castling by its king), unless other moves go the
 * same way. If that covers all moves with a direction, no direction need be chosen.
 */
function withPieces(moves) {
  const found = moves.flatMap((move) => (move.goes ?? []).map((pair) => ({ ...move, c: pair.map((site) => ["site", site]) })));
  const like = (move, other) => move.c.every((choice, i) => other.c[i] && same(choice, other.c[i]));
  const all = [...moves, ...found];
  const plain = found.filter((move) => all.every((other) => other === move || !like(move, other)));
  const told = new Set(plain.map((move) => move.n));
  const others = moves.every((move) => !turns(move) || told.has(move.n)) ? moves.filter((move) => !turns(move)) : moves;
  return [...others, ...plain];
}

/** The sites of a choice. */
export const sitesOf = ([sort, value]) => (sort === "site" ? [value] : sort === "sites" ? value : []);

export class Choices {
  #options = null; // worked out on demand: there can be thousands of moves
  #sites = null;

  /** `moves` are those of a View; without any, nothing can be chosen. */
  constructor(moves = []) {
    this.moves = withPieces(moves);
    this.cancel();
  }

  #changed() {
    this.#options = this.#sites = null;
  }

  /** Back to the first choice. */
  cancel() {
    this.#changed();
    this.chosen = [];
    this.steps = []; // those of them that were not forced
    this.touched = []; // the sites known so far of a next choice that has several
    this.candidates = this.moves;
  }

  /** Make all choices of this move. */
  settle(move) {
    this.#changed();
    this.chosen = move.c;
    this.touched = [];
    this.candidates = [move];
  }

  /** Take back the last choice. */
  back() {
    if (this.touched.length) {
      this.touched = [];
      this.#changed();
      return;
    }
    const steps = this.steps.slice(0, -1);
    this.cancel();
    for (const choice of steps) this.take(choice);
  }

  /** Whether part of a move has been chosen. */
  get begun() {
    return this.chosen.length > 0 || this.touched.length > 0;
  }

  /** The sites chosen so far. */
  get places() {
    return [...this.chosen.flatMap(sitesOf), ...this.touched];
  }

  /** The moves that consist of exactly the choices so far. */
  get complete() {
    return this.touched.length ? [] : this.candidates.filter((move) => move.c.length === this.chosen.length);
  }

  /** The next choices, each once. */
  get options() {
    return (this.#options ??= this.#find());
  }

  #find() {
    const found = new Map();
    for (const move of this.candidates) {
      const next = move.c[this.chosen.length];
      if (!next) continue;
      const key = next[0] + " " + next[1];
      if (!found.has(key) && this.touched.every((site) => sitesOf(next).includes(site))) found.set(key, next);
    }
    return [...found.values()];
  }

  /** The next choices without sites: numbers, words, the choice of no site at all. */
  get words() {
    return this.touched.length ? [] : this.options.filter((option) => sitesOf(option).length === 0);
  }

  /** The sites that can be chosen next. */
  get sites() {
    return (this.#sites ??= new Set(this.options.flatMap(sitesOf).filter((site) => !this.touched.includes(site))));
  }

  /** Choose a site. Returns whether that was possible. */
  pick(site) {
    const fitting = this.options.filter((option) => sitesOf(option).includes(site));
    if (!fitting.length) return this.#reach(site);
    if (fitting.length === 1) this.take(fitting[0]);
    else this.touched = [...this.touched, site];
    this.#changed();
    return true;
  }

  /** Choose the rest of the only move that ends on a site. */
  #reach(site) {
    const ends = (move) => sitesOf(move.c.findLast((choice) => sitesOf(choice).length) ?? []).includes(site);
    const [move, ...others] = this.begun && !this.touched.length ? this.candidates.filter(ends) : [];
    if (!move || others.length || move.c.length === this.chosen.length) return false;
    for (let depth = this.chosen.length; depth < move.c.length; depth = this.chosen.length) this.take(move.c[depth]);
    return true;
  }

  /** Choose one of `options`. */
  take(option) {
    this.#choose(option);
    this.steps = [...this.steps, option];
    // Once it is clear what goes where, choices with only one option are made.
    while (this.chosen.length > 1 && !this.complete.length && this.options.length === 1) this.#choose(this.options[0]);
  }

  #choose(choice) {
    const depth = this.chosen.length;
    this.candidates = this.candidates.filter((move) => move.c[depth] && same(move.c[depth], choice));
    this.chosen = [...this.chosen, choice];
    this.touched = [];
    this.#changed();
  }

  /** The move that has been chosen, if nothing is left to choose; else null. */
  get decided() {
    return this.begun && this.candidates.length === 1 && this.complete.length === 1 ? this.candidates[0] : null;
  }
}
