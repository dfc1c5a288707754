// The text of a rule file in CodeMirror: colours, completion, help, and faults under the words they refer to.
//
// It lives in a shadow root, where its styles do not need the page's permission.

import * as cm from "./vendor/codemirror.js";
import { coded, h } from "./dom.js";
import { help } from "./lexicon.js";

const theme = cm.EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--ink)", backgroundColor: "var(--card)", borderRadius: "14px" },
  "&.cm-focused": { outline: "none" }, // the card around it shows the focus
  ".cm-scroller": { fontFamily: "ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", padding: "10px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--soft)", border: "none", paddingLeft: "4px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--sunk) 60%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--chosen) 30%, transparent)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--rule)", borderRadius: "9px", boxShadow: "var(--shadow)", overflow: "hidden", maxWidth: "34rem" },
  ".cm-tooltip-autocomplete ul li": { padding: "3px 10px !important" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", opacity: ".8", marginLeft: "1.2em" },
  ".cm-completionInfo": { padding: "8px 12px", maxWidth: "24rem" },
  ".help": { padding: "8px 12px", lineHeight: "1.45" },
  ".help + .help": { borderTop: "1px solid var(--rule)" },
  ".help code, .cm-diagnostic code": { fontFamily: "ui-monospace, monospace", fontSize: ".95em" },
  ".help > code": { fontWeight: "600", display: "block" },
  ".help p": { margin: "4px 0 0" },
  ".cm-diagnostic": { padding: "6px 12px", borderLeft: "4px solid", whiteSpace: "pre-line" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--warn)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--amber)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--warn) 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline wavy var(--amber) 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--rule)" },
  ".cm-panel.cm-search": { padding: "8px 44px 8px 10px", fontFamily: "inherit", display: "flex", flexWrap: "wrap", gap: "6px", alignItems: "center" },
  ".cm-panel.cm-search :is(input, button, label)": { margin: "0", font: "inherit", fontSize: ".9rem" },
  ".cm-panel.cm-search label": { display: "inline-flex", gap: "5px", alignItems: "center", padding: "0 4px" },
  ".cm-panel.cm-search input[type=checkbox]": { width: "1.05rem", height: "1.05rem", accentColor: "var(--accent)" },
  ".cm-panel.cm-search .cm-textfield": { flex: "1 1 14rem", minWidth: "0", minHeight: "2.2rem", padding: "0 10px", border: "1px solid var(--rule)", borderRadius: "8px", backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-panel.cm-search .cm-textfield[name=search]": { flexBasis: "100%" },
  ".cm-panel.cm-search .cm-textfield::placeholder": { color: "var(--soft)", opacity: "1" },
  ".cm-panel.cm-search .cm-button": { minHeight: "2.2rem", padding: "0 12px", border: "1px solid var(--rule)", borderRadius: "8px", backgroundImage: "none", backgroundColor: "var(--card)", color: "var(--ink)", cursor: "pointer" },
  ".cm-panel.cm-search .cm-button:hover": { borderColor: "var(--soft)" },
  ".cm-panel.cm-search button[name=close]": { top: "8px", right: "8px", width: "2rem", height: "2rem", fontSize: "1.3rem", color: "var(--soft)", cursor: "pointer", borderRadius: "8px" },
  ".cm-panel.cm-search :focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-searchMatch": { backgroundColor: "transparent", outline: "1px solid var(--amber)", borderRadius: "2px" },
  ".cm-searchMatch-selected": { backgroundColor: "transparent", outline: "2px solid var(--amber)" },
  ".cm-matchingBracket": { backgroundColor: "var(--accent-soft) !important" },
  ".keyword": { color: "var(--code-keyword)", fontWeight: "600" },
  ".builtin": { color: "var(--code-word)" },
  ".string": { color: "var(--code-string)" },
  ".number": { color: "var(--code-number)" },
  ".comment": { color: "var(--soft)", fontStyle: "italic" },
  ".name": { color: "var(--code-name)" },
});

const colours = cm.syntaxHighlighting(
  cm.HighlightStyle.define([
    { tag: cm.tags.keyword, class: "keyword" },
    { tag: cm.tags.standard(cm.tags.name), class: "builtin" },
    { tag: cm.tags.string, class: "string" },
    { tag: cm.tags.number, class: "number" },
    { tag: cm.tags.comment, class: "comment" },
    { tag: cm.tags.typeName, class: "name" },
  ]),
);

/** Kinds of words that stand for something; the others begin or join phrases. */
const MEANING = new Set(["board", "direction", "value", "function", "type"]);

/** Classifies the words of a rule file; `words` as the server lists them. */
function language(words) {
  const keywords = new Set(), builtins = new Set();
  for (const { word, kind } of words) (MEANING.has(kind) ? builtins : keywords).add(word);
  return cm.StreamLanguage.define({
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
      if (stream.match(/^[0-9]+/)) return "number";
      const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
      if (!word) {
        stream.next();
        return null;
      }
      if (keywords.has(word[0])) return "keyword";
      if (builtins.has(word[0])) return "builtin";
      return /^\p{Lu}/u.test(word[0]) ? "name" : null;
    },
    tokenTable: { builtin: cm.tags.standard(cm.tags.name), name: cm.tags.typeName },
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  });
}

/** The texts of the search panel, which opens with Ctrl+F. */
const phrases = {
  next: "Next", previous: "Previous", all: "All", "match case": "Match case", regexp: "Pattern", "by word": "Whole words",
  replace: "Replace", "replace all": "Replace all", Replace: "Replace by", close: "Close the search",
};

/**
 * Text typed over a selection. A browser would keep the look of the old text by inline styles, which the page forbids,
 * so this is not left to it.
 */
const typedOver = cm.EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    if (event.inputType !== "insertText" || !event.data || event.isComposing || empty) return;
    const typed = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(cm.EditorView.inputHandler); // for example, a bracket is put around the selection
    if (!handlers.some((handle) => handle(view, from, to, event.data, typed))) view.dispatch(typed());
    event.preventDefault();
  },
});

/** The names in a rule text that may be used again, without those in comments and strings. */
const namesIn = (text) => new Set(text.replace(/"(?:[^"\\\n]|\\.)*"?|#.*/g, " ").match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu));

function completions(words) {
  const options = words
    .filter(({ word }) => /^[a-z_]{2,}/.test(word))
    .map((entry) => ({
      label: entry.word,
      detail: entry.kind,
      apply: entry.word,
      info: () => help(entry),
    }));
  return (context) => {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
    if (!word && !context.explicit) return null;
    const node = context.state.doc.lineAt(context.pos).text.slice(0, context.pos - context.state.doc.lineAt(context.pos).from);
    if (node.includes("#") || (node.match(/"/g) ?? []).length % 2) return null;
    const own = namesIn(context.state.doc.toString());
    own.delete(word?.text);
    const known = new Set(options.map((option) => option.label));
    const names = [...own].filter((name) => !known.has(name)).map((label) => ({ label, type: "variable", boost: -1 }));
    return { from: word ? word.from : context.pos, options: [...options, ...names], validFor: /^[\p{L}\p{N}_]*$/u };
  };
}

function hover(words) {
  return cm.hoverTooltip((view, pos) => {
    const line = view.state.doc.lineAt(pos);
    for (const found of line.text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
      const from = line.from + found.index, to = from + found[0].length;
      const meant = pos >= from && pos <= to ? words.filter(({ word }) => word === found[0]) : [];
      if (meant.length) return { pos: from, end: to, above: true, create: () => ({ dom: h("div", {}, meant.map(help)) }) };
    }
    return null;
  });
}

/** The number of blanks and line ends at a place. */
const blanks = (text, at) => text.slice(at).search(/\S|$/);

export class Editor {
  constructor(holder, { words, text, changed, save }) {
    const root = holder.attachShadow({ mode: "open" });
    const place = h("div", {});
    place.style.height = "100%";
    root.append(place);
    // A list too long for its window must be reachable by the keyboard, like everything that scrolls.
    this.lists = new MutationObserver(() => root.querySelector(".cm-tooltip-autocomplete > ul")?.setAttribute("tabindex", "0"));
    this.lists.observe(root, { childList: true, subtree: true });
    this.view = new cm.EditorView({
      root,
      parent: place,
      state: cm.EditorState.create({
        doc: text,
        extensions: [
          cm.lineNumbers(),
          cm.history(),
          cm.drawSelection(),
          cm.EditorView.lineWrapping,
          cm.indentOnInput(),
          cm.bracketMatching(),
          cm.closeBrackets(),
          cm.highlightActiveLine(),
          cm.highlightActiveLineGutter(),
          cm.highlightSelectionMatches(),
          cm.indentUnit.of("    "),
          cm.EditorState.tabSize.of(4),
          cm.EditorState.phrases.of(phrases),
          typedOver,
          cm.autocompletion({ override: [completions(words)], icons: false }),
          hover(words),
          language(words),
          colours,
          theme,
          cm.keymap.of([
            { key: "Mod-s", run: () => (save(), true) },
            ...cm.closeBracketsKeymap,
            ...cm.completionKeymap,
            ...cm.searchKeymap,
            ...cm.historyKeymap,
            ...cm.lintKeymap,
            ...cm.defaultKeymap,
          ]),
          cm.EditorView.contentAttributes.of({ "aria-label": "Rule file", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
          cm.EditorView.updateListener.of((update) => update.docChanged && changed()),
        ],
      }),
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Replace the text by one that differs only in blanks: the cursor stays at the same word. */
  mend(text) {
    const { doc } = this.view.state;
    const changes = [];
    const before = doc.toString();
    for (let from = 0, to = 0; from < before.length || to < text.length; ) {
      if (before[from] === text[to]) {
        from++;
        to++;
        continue;
      }
      const [gone, come] = [blanks(before, from), blanks(text, to)];
      if (!gone && !come) return void (this.text = text);
      changes.push({ from, to: from + gone, insert: text.slice(to, to + come) });
      from += gone;
      to += come;
    }
    if (changes.length) this.view.dispatch({ changes });
  }

  /** Underline the faults; lines and columns (in characters) count from 1. */
  faults(diagnostics) {
    const marks = diagnostics
      .filter(({ file }) => !file)
      .map((fault) => {
        const from = this.place(fault.line, fault.column);
        const to = Math.max(from, this.place(fault.end_line, fault.end_column));
        const message = fault.hint ? `${fault.message}\n${fault.hint}` : fault.message;
        return { from, to, severity: fault.severity, message, renderMessage: () => h("span", {}, coded(message)) };
      });
    this.view.dispatch(cm.setDiagnostics(this.view.state, marks));
  }

  /** The position of a line and a column in the text. */
  place(line, column) {
    const { doc } = this.view.state;
    const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return Math.min(at.to, at.from + Array.from(at.text).slice(0, column - 1).join("").length);
  }

  show(line, column) {
    const at = this.place(line, column);
    this.view.dispatch({ selection: { anchor: at }, effects: cm.EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  close() {
    this.lists.disconnect();
    this.view.destroy();
  }
}
