// The course of a game so far: its moves, the positions between them as far as they are known, and the one shown.

import { get } from "./api.js";

export class Story {
  /** From the data of a table. */
  constructor({ id, view, moves, movers }) {
    this.id = id;
    this.moves = [];
    this.views = new Map(); // by the number of moves made
    this.shown = null; // the ply shown, if it is not the last one
    this.wanted = null; // the ply to be shown, while it is being fetched
    this.set(view, moves, movers);
  }

  /** The current position; the one before it, if known; the one shown. */
  get now() {
    return this.views.get(this.live);
  }

  get before() {
    return this.views.get(this.live - 1);
  }

  get view() {
    return this.views.get(this.at);
  }

  /** The number of moves before the position shown. */
  get at() {
    return this.shown ?? this.live;
  }

  /** Set the moves, who made each, and the position after them. */
  set(view, moves, movers) {
    const other = moves.findIndex((move, i) => move !== this.moves[i]);
    for (const ply of this.views.keys()) if (ply > (other < 0 ? moves.length : other)) this.views.delete(ply);
    this.moves = moves;
    this.movers = movers;
    this.live = view.ply;
    this.views.set(this.live, view);
    if (this.shown >= this.live) this.shown = null;
  }

  /** Whether these moves, with this position after them, are known already. */
  knows(view, moves) {
    const same = moves.length === this.moves.length && moves.every((move, i) => move === this.moves[i]);
    return same && Boolean(view.result) === Boolean(this.now.result);
  }

  /** Show the position after `ply` moves. Resolves to the ply shown before, or null if nothing changes. */
  async look(ply) {
    const goal = Math.max(0, Math.min(ply, this.live));
    this.wanted = goal;
    try {
      if (!this.views.has(goal)) this.views.set(goal, await get(`/api/tables/${this.id}/plies/${goal}`));
      const from = this.at;
      if (this.wanted !== goal || goal > this.live || goal === from) return null;
      this.shown = goal === this.live ? null : goal;
      return from;
    } finally {
      if (this.wanted === goal) this.wanted = null;
    }
  }
}
