// What happened between two positions: which piece went where, which came, which left.

/** {moved: [[from, to]], came: [site], left: [site], turned: [site]}; `move` is the move between them, if known. */
export function motions(before, after, move, places) {
  const was = new Map(before.map((piece) => [piece.site, piece]));
  const is = new Map(after.map((piece) => [piece.site, piece]));
  const turned = [], gone = [], come = [];
  for (const [site, piece] of is) {
    const old = was.get(site);
    if (!old) come.push(piece);
    else if (old.owner !== piece.owner && old.kind === piece.kind) turned.push(site);
    else if (!alike(old, piece)) gone.push(old), come.push(piece);
  }
  for (const [site, piece] of was) if (!is.has(site)) gone.push(piece);

  const moved = [];
  const pair = (from, to) => {
    moved.push([from.site, to.site]);
    gone.splice(gone.indexOf(from), 1);
    come.splice(come.indexOf(to), 1);
  };
  const clicked = (move?.c ?? []).filter(([sort]) => sort === "site").map(([, site]) => site);

  // From a clicked site to a later one: the piece that was moved, whatever it may have become.
  const start = gone.find((piece) => clicked.includes(piece.site));
  const end = clicked.slice(start ? clicked.indexOf(start.site) + 1 : 0);
  const goal = start && come.find((piece) => end.includes(piece.site) && piece.owner === start.owner);
  if (goal) pair(start, goal);

  // If more pieces of a sort have come than gone, a clicked site was not moved to: a piece was placed there.
  const placed = come.filter((piece) => {
    const like = (other) => alike(other, piece);
    return clicked.includes(piece.site) && !was.has(piece.site) && come.filter(like).length > gone.filter(like).length;
  });
  for (const [fits] of [[alike], [(a, b) => a.owner === b.owner]]) {
    const pairs = gone.flatMap((from) =>
      come
        .filter((to) => fits(from, to) && !placed.includes(to))
        .map((to) => [distance(places.get(from.site), places.get(to.site)), from, to]),
    );
    pairs.sort((a, b) => a[0] - b[0]);
    for (const [, from, to] of pairs) if (gone.includes(from) && come.includes(to)) pair(from, to);
  }
  return { moved, turned, came: come.map((piece) => piece.site), left: gone.map((piece) => piece.site) };
}

const alike = (a, b) => a.owner === b.owner && a.kind === b.kind;

/** The distance; along a row, a column or a diagonal counts as nearer, as most pieces move in straight lines. */
function distance(a, b) {
  const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  const straight = dx < 0.01 || dy < 0.01 || Math.abs(dx - dy) < 0.01;
  return Math.hypot(dx, dy) + (straight ? 0 : 5);
}
