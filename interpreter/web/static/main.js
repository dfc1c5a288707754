// Which page is shown, by the part of the address after the #; the colours; short notes to the reader.

import { Refused } from "./api.js";
import { dialog, h, icon, refill } from "./dom.js";
import { settings } from "./memory.js";

const PAGES = {
  "": ["gallery", () => import("./gallery.js")],
  game: ["gallery", () => import("./gallery.js")],
  table: ["play", () => import("./play.js")],
  edit: ["edit", () => import("./edit.js")],
};

let leave = null; // ends the page shown
let shown = 0;

/** Go to the page of the address: it is drawn once all it needs is loaded, unless the reader has gone elsewhere. */
async function route() {
  const main = document.getElementById("main");
  const mine = ++shown;
  leave?.();
  leave = null;
  hush();
  for (const box of document.querySelectorAll("dialog")) box.close();
  try {
    const [path, query = ""] = location.hash.slice(1).split("?");
    const [page = "", ...parts] = path.split("/").filter(Boolean).map(decodeURIComponent);
    const [name, load] = Object.hasOwn(PAGES, page) ? PAGES[page] : [];
    for (const link of document.querySelectorAll("[data-page]"))
      link.dataset.page === name ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    if (!load) throw new Refused("There is no such page.");
    const { open } = await load();
    if (mine !== shown) return;
    const draw = await open(main, parts, new URLSearchParams(query), page);
    if (mine !== shown) return;
    leave = draw();
  } catch (error) {
    if (!(error instanceof Refused)) console.error(error);
    if (mine !== shown) return;
    const words = error instanceof Refused ? error.message : "This page cannot be shown.";
    refill(main, h("p", { class: "fault" }, words), h("p", {}, h("a", { href: "/" }, "To the games")));
  }
  if (arriving()) main.focus();
}

/** Whether the reader has come from another page, and the focus was on something that is gone. */
export const arriving = () => shown > 1 && document.activeElement === document.body;

/** Show a note at the foot of the page for some seconds, in place of the one before. */
export function note(text) {
  const line = h("div", { class: "note" }, text);
  refill(document.getElementById("notes"), line);
  setTimeout(() => line.remove(), 5000);
}

/** Remove the note, since something else has happened. */
export const hush = () => refill(document.getElementById("notes"));

/** Say something to screen readers only. */
export function say(text) {
  const place = document.getElementById("say");
  const line = h("p", {}, text);
  place.append(line);
  setTimeout(() => line.remove(), 4000);
}

/** Ask, with a button for each answer, a value and words. Resolves to the value, "" if there was no answer. */
export function ask(label, words, ...answers) {
  const box = dialog("small", label,
    h("p", {}, words),
    h("form", { method: "dialog", class: "buttons" }, answers.map(([value, words], i) => h("button", { value, autofocus: i === 0 }, words))));
  return new Promise((resolve) => box.addEventListener("close", () => resolve(box.returnValue)));
}

/** Save a text or a picture as a file on the reader's machine. */
export function save(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: content.type ?? "text/plain" }));
  h("a", { href: address, download: name.replace(/[^\p{L}\p{N}._ -]/gu, "_") }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export function title(text) {
  document.title = text ? `${text} · GDL` : "GDL";
}

function colours() {
  const wish = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const show = () => {
    const dark = (settings.get("theme") ?? (wish.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    button.setAttribute("aria-pressed", String(dark));
    refill(button, icon(dark ? "sun" : "moon"));
  };
  button.addEventListener("click", () => {
    settings.set("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    show();
  });
  wish.addEventListener("change", show);
  show();
}

// The address says which page is shown, not which part of it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
colours();
addEventListener("hashchange", route);
route();
