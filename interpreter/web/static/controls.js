// What is to be chosen, in words beside the board: the question, what has been chosen, and all that no site stands for.

import { h, icon, refill, s } from "./dom.js";
import { sitesOf } from "./choices.js";

const WORDS = { pass: "Pass", swap: "Swap sides", keep: "Keep sides", yes: "Yes", no: "No", "": "None" };
const FEW = 12; // so many numbers are buttons; more are a field

/** The controls of a board, kept up to date in `holder`. */
export function controls(board, holder) {
  let confirm = null;
  const draw = () => {
    if (!board.view || !board.active) return refill(holder);
    const { choices } = board;
    const words = choices.words.filter(([sort]) => sort !== "int");
    const numbers = choices.words.filter(([sort]) => sort === "int").map(([, value]) => value);
    const ends = ending(choices);
    const question = h("p", { class: "say" }, confirm ? "Play this?" : ask(board));
    const partial = choices.begun
      ? h("div", { class: "words-row" },
          h("span", { class: "partial" }, choices.chosen.map(spell).concat(choices.touched).join(" › ")),
          confirm && h("button", { type: "button", class: "main", onclick: () => send(confirm) }, icon("check"), "Play"),
          h("button", { type: "button", class: "quiet", onclick: () => board.cancel(), title: "Cancel (Esc)" }, icon("close"), "Cancel"))
      : null;
    const row = confirm ? [] : [
      ...ends.map((move) => h("button", { type: "button", class: "main", onclick: () => decide(board, move) }, label(board, move, ends))),
      ...words.map((option) => h("button", { type: "button", onclick: () => board.take(option) }, arrow(board, option), name(option))),
      ...(numbers.length <= FEW
        ? numbers.map((value) => h("button", { type: "button", onclick: () => board.take(["int", value]) }, String(value)))
        : [field(board, numbers)]),
    ];
    refill(holder, question, partial, row.length ? h("div", { class: "words-row" }, row) : null);
  };
  const send = (move) => {
    confirm = null;
    board.dispatchEvent(new CustomEvent("play", { detail: move }));
  };
  board.addEventListener("choices", () => {
    confirm = null;
    draw();
  });
  board.addEventListener("move", ({ detail }) => {
    if (!board.careful || board.choices.words.length) return send(detail);
    confirm = detail;
    draw();
    holder.querySelector("button.main")?.focus();
  });
  return draw;
}

/** The moves that can be ended here by a button: more than one meaning, or a longer move that goes on. */
const ending = (choices) => (choices.decided ? [] : choices.complete);

const decide = (board, move) => board.dispatchEvent(new CustomEvent("move", { detail: move }));

function ask(board) {
  const { choices, view } = board;
  const sites = choices.sites;
  if (sites.size) {
    const left = choices.chosen.map(([, value]) => value);
    const pieces = view.pieces.filter((piece) => sites.has(piece.site) && !left.includes(piece.site)).length;
    const what = board.pits ? "a pit" : pieces === sites.size ? "a piece" : pieces ? "a place or a piece" : "a place";
    return choices.begun ? `Now choose ${pieces === 0 ? "where" : what}.` : `Choose ${what}.`;
  }
  if (choices.words.some(([sort]) => sort === "direction")) return "Choose a direction.";
  if (choices.words.some(([sort]) => sort === "int")) return "Choose a number.";
  return "Choose one.";
}

/** A choice as text: "b1", "north east", "Swap sides". */
export function name([sort, value]) {
  if (sort === "direction") return value.replaceAll("_", " ").replaceAll("-", " + ");
  const text = sitesOf([sort, value]).join(" ") || String(value);
  return WORDS[text] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

const spell = (choice) => (sitesOf(choice).length ? sitesOf(choice).join(" ") : name(choice));

function label(board, move, ends) {
  if (ends.length === 1 && board.choices.begun) return "Stop here";
  return WORDS[move.n] ?? move.n;
}

function arrow(board, [sort, value]) {
  const turn = sort === "direction" ? board.turn(value) : null;
  if (turn === null) return null;
  return s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: "M4 12h16M14 6l6 6-6 6", transform: `rotate(${turn} 12 12)` }));
}

/** A field for one of many numbers. */
function field(board, numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const fits = (value) => numbers.includes(Number(value));
  const slider = h("input", { type: "range", min: low, max: high, value: low, "aria-label": "Number, by a slider", oninput: () => both(slider.value) });
  const number = h("input", { type: "number", min: low, max: high, value: low, "aria-label": `A number from ${low} to ${high}`, oninput: () => both(number.value) });
  const button = h("button", { type: "submit", class: "main" }, `Choose ${low}`);
  const both = (value) => {
    slider.value = value;
    if (number.value !== value) number.value = value;
    button.disabled = value === "" || !fits(value);
    button.textContent = `Choose ${value}`;
  };
  return h("form", { class: "number", onsubmit: (event) => { event.preventDefault(); if (fits(number.value)) board.take(["int", Number(number.value)]); } },
    slider, number, button);
}
