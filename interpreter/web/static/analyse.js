// What games of a machine against itself show about a rule text: their progress, then sentences and a separate page.

import { stream } from "./api.js";
import { dialog, h, icon, refill } from "./dom.js";

/** Analyse rules in a dialog; closing it ends the analysis. */
export function analyse(asked, name) {
  const ending = new AbortController();
  const bar = h("progress", { max: "1", value: "0", "aria-label": "Done" });
  const says = h("p", { class: "soft", role: "status" }, "…");
  const body = h("div", { class: "findings" }, h("p", {}, "A machine plays against itself for about half a minute."), bar, says);
  const close = h("button", { type: "button", onclick: () => box.close() }, "Cancel");
  const buttons = h("div", { class: "buttons" }, close);
  const box = dialog("small wide", `Analysis of ${name}`, h("h1", {}, name), body, buttons);
  box.addEventListener("close", () => ending.abort());
  const on = {
    progress: (seen) => {
      bar.value = seen.done;
      says.textContent = seen.says;
    },
    report: ({ sentences, page }) => {
      refill(body, h("ul", { tabindex: "0", "aria-label": "Findings" }, sentences.map((sentence) => h("li", {}, sentence))));
      const link = h("a", { class: "button main", href: `/api/analyses/${page}`, target: "_blank", rel: "noopener" }, icon("eye"), "The whole report");
      close.textContent = "Close";
      buttons.prepend(link);
      link.focus();
    },
    trouble: ({ says }) => trouble(says),
  };
  const trouble = (words) => {
    refill(body, h("p", { class: "fault", role: "alert" }, words));
    close.textContent = "Close";
  };
  stream("/api/analyses", asked, on, ending.signal).catch((error) => error.name !== "AbortError" && trouble(error.message));
}
