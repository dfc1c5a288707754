// What can be taken from a game: a link to it, a picture of a position, its record.

import { get } from "./api.js";
import { dialog, h, icon } from "./dom.js";
import { note, save } from "./main.js";

export const plies = (count) => (count === 1 ? "1 move" : `${count} moves`);

export const address = (id) => `${location.origin}${location.pathname}#/table/${id}`;

/** A field with a link to copy. */
export function linkbox(link, words) {
  const field = h("input", { type: "text", readonly: true, value: link, "aria-label": words, onfocus: () => field.select() });
  return h("div", { class: "linkbox" }, field, h("button", { type: "button", onclick: () => copy(link, field) }, icon("link"), "Copy"));
}

/** Show a link to a game, or to its position after `shown` moves, for watchers. */
export function share(id, shown) {
  const link = shown === null ? address(id) : `${address(id)}?ply=${shown}`;
  dialog("small", "Share",
    h("p", {}, shown === null ? "Whoever has this link can watch the game." : `This link shows the game after ${plies(shown)}.`),
    linkbox(link, "Link to this game"),
    h("form", { method: "dialog", class: "buttons" }, h("button", {}, "Close")));
}

/** Offer the position after `ply` moves as a drawing (SVG) or an image (PNG). */
export function takePicture(id, ply, title) {
  const address = `/api/tables/${id}/plies/${ply}/picture`;
  const png = async () => {
    try {
      save(`${title}.png`, await image(address));
    } catch {
      note("This picture cannot be made just now.");
    }
  };
  const box = dialog("small", "Picture",
    h("p", {}, "A picture of this position"),
    h("form", { method: "dialog", class: "buttons" },
      h("a", { class: "button main", href: address, download: `${title}.svg`, onclick: () => box.close() }, icon("down"), "SVG"),
      h("button", { class: "main", onclick: png }, icon("down"), "PNG"),
      h("button", {}, "Close")));
}

/** Save the record of a game; with its rules if they are not bundled, as nobody could replay it without them. */
export async function record(id) {
  let told;
  try {
    told = await get(`/api/tables/${id}`);
  } catch (error) {
    return note(error.message);
  }
  const { record, title, rules } = told;
  if (!rules.files) return save(`${title}.txt`, record);
  const files = Object.entries({ [`${title}.txt`]: record, ...rules.files });
  dialog("small", "Record",
    h("p", {}, "The record of this game, and its rules, without which nobody else can replay it."),
    h("div", { class: "buttons" }, files.map(([name, text]) => h("button", { type: "button", onclick: () => save(name, text) }, icon("down"), name))),
    h("form", { method: "dialog", class: "buttons" }, h("button", {}, "Close")));
}

async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    note("Copied.");
  } catch {
    field.select();
    note("Press Ctrl+C to copy.");
  }
}

/** An SVG as a PNG 1,600 pixels wide. */
async function image(address) {
  const drawing = URL.createObjectURL(await (await fetch(address)).blob());
  const picture = new Image();
  picture.src = drawing;
  await picture.decode();
  const canvas = h("canvas", { width: 1600, height: Math.round((1600 * picture.naturalHeight) / picture.naturalWidth) });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(drawing);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
