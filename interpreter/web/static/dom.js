// Small helpers that make elements. Texts become text nodes: nothing here ever reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: attributes, `on...` listeners, properties by `.name`, then children (nodes, texts, null). */
export const h = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

/** An SVG element, made the same way. */
export const s = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith(".")) element[name.slice(1)] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

/** Replace the children of an element. Those it already has stay in place, with the focus and what is being typed. */
export function refill(element, ...children) {
  const wanted = new Set(present(children));
  for (const child of [...element.childNodes]) if (!wanted.has(child)) child.remove();
  let next = element.firstChild;
  for (const child of wanted) {
    if (child === next) next = next.nextSibling;
    else element.insertBefore(child instanceof Node ? child : document.createTextNode(child), next);
  }
  return element;
}

const present = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

/** A text whose `words` are set as code. */
export const coded = (text) => text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? h("code", {}, part) : part));

/**
 * Redraw the inside of an element. The focus stays on the control with the same words; if that is gone, `otherwise`
 * puts it elsewhere.
 */
export function redraw(element, draw, otherwise) {
  const words = (control) => control.getAttribute("aria-label") ?? control.textContent;
  const had = element.contains(document.activeElement) ? words(document.activeElement) : null;
  draw();
  if (had === null || element.contains(document.activeElement)) return;
  const same = [...element.querySelectorAll("button, a, input")].find((control) => words(control) === had && !control.disabled);
  if (same) same.focus({ preventScroll: true });
  else otherwise();
}

/** Open a dialog with a look (its class), a name and content; it is removed when it is closed. */
export function dialog(look, name, ...content) {
  const box = h("dialog", { class: look, "aria-label": name }, content);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** What is shown while something takes a while. */
export const waiting = (text) => h("span", { class: "waiting", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), text);

/** A line icon by name. */
export const icon = (name) =>
  s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.8.7 1 1.5 1 2.5h6c0-1 .2-1.8 1-2.5A6 6 0 0 0 12 3z",
  flag: "M5 21V4M5 4h12l-2 4 2 4H5",
  flip: "M7 4v14M7 4 4 7M7 4l3 3M17 20V6M17 20l-3-3M17 20l3-3",
  first: "M18 6l-6 6 6 6M11 6l-6 6 6 6",
  back: "M15 6l-6 6 6 6",
  forward: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M13 6l6 6-6 6",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  machine: "M5 8h14v11H5zM12 8V4M9 13v.01M15 13v.01M9 16h6M2 12v3M22 12v3",
  people: "M8 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 2.5-6 6-6s6 2 6 6M16 11a3 3 0 1 0-1-5.8M17 14c3 .3 5 2.2 5 6",
  person: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4.5 3-7 8-7s8 2.5 8 7",
  edit: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  moon: "M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10z",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  play: "M7 4l13 8-13 8z",
  save: "M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6",
  up: "M12 16V4M7 9l5-5 5 5M5 20h14",
  chart: "M4 20V4M4 20h16M8 16v-5M12 16V7M16 16v-3",
  down: "M12 4v12M7 11l5 5 5-5M5 20h14",
  fork: "M6 3v12M6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 9c0 5-4 6-12 7",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 3",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  check: "M5 13l4 4L19 7",
  book: "M12 6c-2-1.6-5-2-8-2v14c3 0 6 .4 8 2 2-1.6 5-2 8-2V4c-3 0-6 .4-8 2zM12 6v14",
  share: "M18 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.6 13.5l6.8 4M15.4 6.5l-6.8 4",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15 9v.01",
};
