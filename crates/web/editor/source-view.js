// Field with the Markdown of a page.
import { history, historyKeymap, moveLineDown, moveLineUp, standardKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { Annotation, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

const markdown = new Language(defineLanguageFacet(), parser.configure(GFM), [], "markdown");

const colors = HighlightStyle.define([
  { tag: tags.heading, color: "var(--strong)", fontWeight: "600" },
  { tag: tags.strong, color: "var(--strong)", fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: tags.monospace, color: "var(--strong)", background: "var(--soft)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName, tags.meta, tags.comment], color: "var(--muted)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--text)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.7" },
  ".cm-content": { padding: "16px 0 32vh", caretColor: "var(--strong)" },
  ".cm-line": { padding: "0 16px" },
  ".cm-cursor": { borderLeftColor: "var(--strong)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--accent-soft)" },
});

/** Keys for lines. */
const LINES = [
  { key: "Alt-ArrowUp", run: moveLineUp },
  { key: "Alt-ArrowDown", run: moveLineDown },
];

/** Marks text that the page puts into the field. */
const given = Annotation.define();

export class SourceView {
  /**
   * @param text     Markdown
   * @param line     index of the line that the caret is put into
   * @param label    name of the field, for screen readers
   * @param onChange is called after each change by the person
   */
  constructor({ text, line, label, onChange }) {
    // The field uses constructed style sheets. The page's policy allows those only in a shadow tree.
    this.dom = document.createElement("div");
    this.dom.className = "source";
    const root = this.dom.attachShadow({ mode: "open" });
    const changes = EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((tr) => tr.annotation(given))) onChange();
    });
    const state = EditorState.create({
      doc: text,
      extensions: [
        history(), drawSelection(), EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
        markdown, syntaxHighlighting(colors), theme, changes, keymap.of([...LINES, ...historyKeymap, ...standardKeymap]),
      ],
    });
    this.view = new EditorView({ state, parent: root, root });
    const { doc } = this.view.state;
    this.start = doc.line(Math.min(line + 1, doc.lines)).from;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Text up to the end of the line with the caret. */
  get textToCaret() {
    const { doc, selection } = this.view.state;
    return doc.sliceString(0, doc.lineAt(selection.main.head).to);
  }

  /** Replaces the text. Common text at both ends is preserved, with a caret in it. */
  replace(text) {
    const before = this.text;
    const least = Math.min(before.length, text.length);
    let start = 0;
    while (start < least && before[start] === text[start]) start += 1;
    let end = 0;
    while (end < least - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
    const changes = { from: start, to: before.length - end, insert: text.slice(start, text.length - end) };
    this.view.dispatch({ changes, annotations: given.of(true) });
  }

  focus() {
    this.view.dispatch({ selection: { anchor: this.start }, effects: EditorView.scrollIntoView(this.start, { y: "center" }) });
    this.view.focus();
  }

  remove() {
    this.view.destroy();
    this.dom.remove();
  }
}
