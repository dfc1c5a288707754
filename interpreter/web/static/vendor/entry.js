// What codemirror.js is made of. To make it anew, in a folder of its own: npm install esbuild, and the packages named
// here; then esbuild entry.js --bundle --format=esm --minify --target=es2021 --legal-comments=none
// --outfile=codemirror.js, and write their versions to LICENSE.

export { EditorState, Compartment } from "@codemirror/state";
export { EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection, hoverTooltip } from "@codemirror/view";
export { history, historyKeymap, defaultKeymap, indentWithTab, toggleComment } from "@codemirror/commands";
export { StreamLanguage, syntaxHighlighting, HighlightStyle, bracketMatching, indentUnit, indentOnInput } from "@codemirror/language";
export { setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint";
export { autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
export { searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { tags } from "@lezer/highlight";
