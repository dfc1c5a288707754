// What people mean who type a move as they are used to from elsewhere.

/** The notation of the one legal move that a text means; the text itself where that is not clear. */
export function meant(text, view) {
  const plain = (words) => words.toLowerCase().replaceAll("0", "o").replace(/[^a-z0-9]/g, "");
  const exact = view.moves.filter(({ n }) => plain(n) === plain(text));
  if (exact.length === 1) return exact[0].n;
  const [, letter = "", from = "", to, became = ""] = text.match(/^([A-Z]?)([a-z]??\d*?)[x:-]?([a-z]\d+)(?:=?([A-Z]))?[+#!?]*$/) ?? [];
  if (!to) return text;
  const on = new Map(view.pieces.map((piece) => [piece.site, piece]));
  const found = view.moves.filter(({ c }) => {
    const sites = c.filter(([sort]) => sort === "site").map(([, site]) => site);
    const kind = c.find(([sort]) => sort === "kind")?.[1] ?? "";
    const piece = on.get(sites[0]);
    return sites.at(-1) === to && piece && (!letter || letterOf(piece) === letter) && sites[0].includes(from) &&
      (!became || kind.toUpperCase().startsWith(became));
  });
  return found.length === 1 ? found[0].n : text;
}

const letterOf = ({ letter, glyph, kind }) => letter || (glyph && kind === "knight" ? "N" : kind.charAt(0).toUpperCase());
