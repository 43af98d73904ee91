// Markdown pane of a page. Its own bundle is loaded when the pane is first opened.
//
// The server prints the document and parses the input. Blocks without edits are preserved. The input is stored on this
// device until the document has it, which is then saved like any edit.
import { blocksOf, edited, indexOf, paired } from "./correspondence.js";
import { SourceView } from "./source-view.js";

/** Pauses after a key before the device stores the text, and before the server parses it. */
const KEPT = 200;
const READ = 300;
/** Delay before a retry without a response. */
const RETRY = 3_000;
/** Temporary refusals: no session, timeout, rate limit. */
const AGAIN = new Set([401, 408, 429]);

/** Missing response, or one that a retry may change. */
class Unanswered extends Error {}

/** Returns the index of the line after which two texts differ. */
function lineOfEnd(text, prefix) {
  let at = 0;
  while (at < prefix.length && prefix[at] === text[at]) at += 1;
  return text.slice(0, at).split("\n").length - 1;
}

const kindOf = (type) => type.replaceAll("-", " ");

export class Source {
  /**
   * @param pane   receives changes, and stores the text on this device
   * @param page   page that is edited
   * @param nodeOf returns the editor's node of a block
   */
  constructor(pane, page, nodeOf) {
    Object.assign(this, { pane, page, nodeOf, view: null, running: null });
  }

  async convert(document) {
    const { request, id } = this.page;
    const response = await fetch(`${request}/content/page/${id}/convert`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ document }),
    }).catch((error) => {
      throw new Unanswered(error.message);
    });
    const body = await response.json().catch(() => undefined);
    if (response.ok) return body;
    const message = body?.error?.details?.[0]?.message ?? body?.error?.message ?? `The server answered ${response.status}.`;
    throw response.status >= 500 || AGAIN.has(response.status) ? new Unanswered(message) : new Error(message);
  }

  /** Returns a document as Markdown, with its blocks paired. */
  async printed(document) {
    const { markdown, document: read } = await this.convert({ document });
    return { text: markdown, document, pairs: paired(document.nodes, read.nodes, this.nodeOf) };
  }

  /** Shows the page as Markdown, unless that would lose content. */
  async open() {
    const { editor, saver } = this.page;
    const document = editor.document();
    const above = { ...document, nodes: document.nodes.slice(0, editor.block()) };
    const [printed, prefix] = await Promise.all([this.printed(document), this.convert({ document: above })]);
    const { lost } = printed.pairs;
    if (lost.length > 0) {
      throw new Error(`This page can't be edited as Markdown, which would lose a part of a block: ${kindOf(lost[0])}.`);
    }
    Object.assign(this, printed, { base: saver.base });
    this.view = new SourceView({
      text: this.text,
      line: lineOfEnd(this.text, prefix.markdown.trimEnd()) + (above.nodes.length > 0 ? 2 : 0),
      label: `${this.page.title.textContent.trim()} as Markdown`,
      onChange: () => this.changed(),
    });
    editor.view.dom.hidden = true;
    editor.view.dom.after(this.view.dom);
    this.view.focus();
    await this.refresh();
  }

  /** Returns whether the document lacks input of the pane. */
  get isDirty() {
    return Boolean(this.view) && this.view.text !== this.text;
  }

  changed() {
    this.pane.changed();
    clearTimeout(this.keeping);
    clearTimeout(this.reading);
    this.keeping = setTimeout(() => this.keep(), KEPT);
    this.reading = setTimeout(() => this.read(), READ);
  }

  /** Records the revision of the document, unless others changed it. Returns whether it was recorded. */
  follow() {
    const { editor, saver } = this.page;
    const isSame = JSON.stringify(editor.document()) === JSON.stringify(this.document);
    if (isSame) this.base = saver.base;
    return isSame;
  }

  /** Stores the text on this device. */
  async keep() {
    clearTimeout(this.keeping);
    if (!this.isDirty) return;
    this.follow();
    const { base, document } = this;
    await this.pane.put({ base, document, text: this.view.text, time: Date.now() });
  }

  /** Applies the input to the document. Resolves to whether the document has all of it. */
  read() {
    clearTimeout(this.reading);
    this.running ??= this.run()
      .then(() => {
        this.pane.read();
        return true;
      })
      .catch((error) => this.failed(error))
      .finally(() => (this.running = null));
    return this.running;
  }

  async run() {
    while (this.isDirty) {
      const { text } = this.view;
      await this.keep();
      const { document: read } = await this.convert({ markdown: text });
      const pairs = edited(this.pairs, read.nodes);
      const document = { ...this.document, nodes: blocksOf(pairs) };
      this.page.editor.take(this.document, document);
      Object.assign(this, { text, pairs, document });
      await this.page.saver.keep();
      if (!this.isDirty) await this.pane.remove();
    }
    await this.refresh();
  }

  failed(error) {
    if (!this.view) return false;
    const isUnanswered = error instanceof Unanswered;
    this.pane.failed(error.message, !isUnanswered);
    if (isUnanswered) this.reading = setTimeout(() => this.read(), RETRY);
    return false;
  }

  /** Shows changes by others. */
  async refresh() {
    while (this.view && !this.isDirty && !this.follow()) {
      const { base } = this.page.saver;
      const printed = await this.printed(this.page.editor.document());
      if (!this.view || this.isDirty) return;
      Object.assign(this, printed, { base });
      this.view.replace(printed.text);
      // Closes after the current operation, which waits for this function.
      if (printed.pairs.lost.length > 0) setTimeout(() => this.close());
    }
  }

  /** Shows the editor again, with the caret in the same block. Resolves to whether the pane was closed. */
  async close() {
    if (!this.view) return true;
    const { textToCaret } = this.view;
    while (this.isDirty) if (!(await this.read())) return false;
    const upToCaret = await this.convert({ markdown: textToCaret }).catch(() => undefined);
    if (this.isDirty) return this.close();
    const pair = Math.max(0, (upToCaret?.document.nodes.length ?? 1) - 1);
    this.view.remove();
    this.view = null;
    const { editor } = this.page;
    editor.view.dom.hidden = false;
    editor.focusBlock(indexOf(this.pairs, pair));
    this.pane.closed();
    return true;
  }

  /** Returns the document of a text of an earlier visit on this device. */
  async restored({ document, text }) {
    const { pairs } = await this.printed(document);
    const { document: read } = await this.convert({ markdown: text });
    return { ...document, nodes: blocksOf(edited(pairs, read.nodes)) };
  }
}
