// The choices in words beside the board: the question, what has been chosen so far, and all choices without sites.

import { h, icon, redraw, refill, s } from "./dom.js";
import { sitesOf } from "./choices.js";
import { say } from "./main.js";

const WORDS = { pass: "Pass", swap: "Swap sides", keep: "Keep sides", yes: "Yes", no: "No", "": "None" };
const FEW = 12; // up to this many numbers are buttons; more are a field

/** The controls of a board, kept up to date in `holder`. */
export function controls(board, holder) {
  let confirm = null;
  const fill = () => {
    holder.classList.toggle("confirming", Boolean(confirm));
    if (!board.view || !board.active) return refill(holder);
    const { choices } = board;
    const words = choices.words.filter(([sort]) => sort !== "int");
    const numbers = choices.words.filter(([sort]) => sort === "int").map(([, value]) => value);
    const ends = ending(choices);
    const row = confirm ? [h("button", { type: "button", class: "main", onclick: () => send(confirm) }, icon("check"), "Play")] : [
      ...ends.map((move) => h("button", { type: "button", class: "main", onclick: () => decide(board, move) }, label(choices, move))),
      ...words.map((option) => h("button", { type: "button", onclick: () => board.take(option) }, arrow(board, option), name(option))),
      ...(numbers.length <= FEW
        ? numbers.map((value) => h("button", { type: "button", onclick: () => board.take(["int", value]) }, String(value)))
        : [field(board, numbers)]),
    ];
    refill(holder,
      h("p", { class: "say" }, confirm ? "Play this?" : ask(board)),
      row.length ? h("div", { class: "words-row choices" }, row) : null,
      choices.begun
        ? h("div", { class: "words-row chosen-so-far" },
            h("span", { class: "partial" }, partial(choices)),
            h("button", { type: "button", class: "quiet", onclick: () => board.cancel(), title: "Cancel (Esc)" }, icon("close"), "Cancel"))
        : null);
  };
  const onward = () => (holder.querySelector(".choices button, .choices input") ?? board).focus();
  const draw = () => redraw(holder, fill, onward);
  const send = (move) => {
    confirm = null;
    board.dispatchEvent(new CustomEvent("play", { detail: move }));
  };
  const buttons = () => [...holder.querySelectorAll(".choices button[type=button]")];
  board.addEventListener("choices", () => {
    confirm = null;
    const here = board.svg.contains(document.activeElement);
    draw();
    const { choices } = board;
    if (!board.active || !choices.begun || choices.decided) return;
    const names = buttons().map((button) => button.textContent).join(", ");
    say(`${partial(choices)}. ${ask(board)}${names && ` ${names}.`}`);
    if (here && !choices.sites.size) onward(); // nothing is left to choose on the board
  });
  holder.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const all = buttons(), at = all.indexOf(event.target);
    if (!by || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    all.at((at + by) % all.length).focus();
  });
  board.addEventListener("move", ({ detail }) => {
    if (!board.careful || board.choices.words.length) return send(detail);
    confirm = detail;
    draw();
    holder.querySelector("button.main")?.focus();
  });
  return draw;
}

/** The moves that a button can end here, because they are ambiguous or a longer move goes on. */
const ending = (choices) => (choices.decided ? [] : choices.complete);

const decide = (board, move) => board.dispatchEvent(new CustomEvent("move", { detail: move }));

const partial = (choices) => choices.chosen.map(spell).concat(choices.touched).join(" › ");

function ask(board) {
  const { choices, view: { turn } } = board;
  const words = question(board);
  return turn && !choices.begun ? `${capital(turn.replaceAll("_", " "))}: ${words.replace("Choose", "choose")}` : words;
}

function question(board) {
  const { choices, view } = board;
  const called = board.board.number;
  const sites = choices.sites;
  if (sites.size) {
    const left = choices.chosen.map(([, value]) => value);
    // Once a piece has been chosen, one that it can take is a place to go to.
    const asked = (piece) => !choices.begun || piece.owner === view.to_move;
    const pieces = view.pieces.filter((piece) => sites.has(piece.site) && !left.includes(piece.site) && asked(piece)).length;
    const what = board.pits ? "a pit" : pieces === sites.size ? "a piece" : pieces ? "a place or a piece" : "a place";
    return choices.begun ? `Now choose ${pieces === 0 ? "where" : what}.` : `Choose ${what}.`;
  }
  if (choices.words.some(([sort]) => sort === "direction")) return "Choose a direction.";
  const numbers = choices.words.filter(([sort]) => sort === "int").map(([, value]) => value);
  if (numbers.length) return `Choose a number${called ? ` (${called.replaceAll("_", " ")})` : ""}${numbers.length > FEW ? `, ${span(numbers)}` : ""}.`;
  return "Choose one.";
}

/** A choice as text: "b1", "north east", "Swap sides". */
export function name([sort, value]) {
  if (sort === "direction") return value.replaceAll("_", " ").replaceAll("-", " + ");
  const text = sitesOf([sort, value]).join(" ") || String(value);
  return WORDS[text] ?? capital(text);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const spell = (choice) => (sitesOf(choice).length ? sitesOf(choice).join(" ") : name(choice));

/** The words for ending a move here; "Stop here" only if a chain of the same steps could go on. */
function label(choices, { n, still }) {
  const longer = choices.candidates.filter((move) => move.c.length > choices.chosen.length);
  const chain = choices.begun && longer.length > 0 && longer.every((move) => move.n.startsWith(n)) && choices.sites.size > 0;
  if (chain) return "Stop here";
  return n === "go" ? (still ? "Do nothing" : "Go on") : WORDS[n] ?? n;
}

function arrow(board, [sort, value]) {
  const turn = sort === "direction" ? board.turn(value) : null;
  if (turn === null) return null;
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: "M4 12h16M14 6l6 6-6 6", transform: `rotate(${turn} 12 12)` }));
}

/** The step between these numbers. */
const stepOf = (numbers) => numbers.slice(1).reduce((least, value, i) => Math.min(least, Math.abs(value - numbers[i])), Infinity);

/** Many numbers in words. */
function span(numbers) {
  const step = stepOf(numbers), [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  return `${low} to ${high}${step > 1 && (high - low) / step === numbers.length - 1 ? ` in steps of ${step}` : ""}`;
}

/** A field for one of many numbers: it takes the one nearest to what is typed, with a remark if they differ. */
function field(board, numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const step = stepOf(numbers);
  const nearest = (value) => numbers.reduce((best, number) => (Math.abs(number - value) < Math.abs(best - value) ? number : best));
  let chosen = low;
  const choose = (value) => {
    chosen = nearest(Number(value));
    slider.value = chosen;
    button.textContent = `Choose ${chosen}`;
    remark.textContent = value === "" || numbers.includes(Number(value)) ? "" : `There is no ${value}: ${span(numbers)}.`;
  };
  const settle = () => (number.value = chosen);
  const slider = h("input", { type: "range", min: low, max: high, step, value: low, "aria-label": "Number, by a slider", oninput: () => { choose(slider.value); settle(); } });
  const number = h("input", { type: "number", min: low, max: high, step, value: low, "aria-label": `A number from ${low} to ${high}`, oninput: () => choose(number.value), onchange: settle });
  const button = h("button", { type: "submit", class: "main" }, `Choose ${low}`);
  const remark = h("p", { class: "soft", role: "status" });
  return h("form", { class: "number", novalidate: true, onsubmit: (event) => { event.preventDefault(); board.take(["int", chosen]); } },
    slider, number, button, remark);
}
