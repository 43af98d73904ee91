// The button that shows a page as Markdown, and the text of that pane as far as the document lacks it.
import { element } from "./element.js";
import { fromBlock } from "./convert.js";
import { Draft, timeOf } from "./drafts.js";
import { State } from "./saver.js";

const NAME = "source";

export class Pane {
  constructor(page) {
    const { draft } = page;
    this.page = page;
    this.store = new Draft(...draft.key, "markdown");
    this.button = document.querySelector("[data-markdown]");
    this.source = null;
    /** True if the device could not store the text, and if the server refused it. */
    this.isUnkept = false;
    this.isRefused = false;
    // Reusable contents have no pane.
    if (!this.button) return;
    this.button.disabled = false;
    this.button.addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", (event) => {
      const isToggle = event.code === "KeyM" && event.altKey && (event.ctrlKey || event.metaKey);
      if (!isToggle || event.getModifierState("AltGraph")) return;
      event.preventDefault();
      this.toggle();
    });
  }

  /** Returns the pane. Its script is loaded on first use. */
  async load() {
    const { Source } = await import(this.button.dataset.markdown);
    return new Source(this, this.page, fromBlock);
  }

  async toggle() {
    // If another tab edits the page, it is read-only here.
    if (this.button.disabled || !this.page.editor.view.editable) return;
    this.button.disabled = true;
    try {
      if (this.source) {
        const isClosed = await this.source.close();
        if (!isClosed && !this.isRefused) this.page.notice(NAME, "The server has not read the Markdown yet. It is kept on this device.");
      } else {
        const source = await this.load();
        await source.open();
        this.source = source;
        this.page.drop(NAME);
        this.button.setAttribute("aria-pressed", "true");
      }
    } catch (error) {
      this.page.notice(NAME, error.message);
    } finally {
      this.button.disabled = false;
    }
  }

  get isDirty() {
    return Boolean(this.source?.isDirty);
  }

  keep() {
    return this.source?.keep();
  }

  /** Applies the input to the document. Resolves after the attempt. */
  async settle() {
    if (this.isDirty) await this.source.read();
  }

  /** Shows changes by others after the page knows their revision. */
  async refresh() {
    await Promise.resolve();
    await this.source?.refresh().catch(() => {});
  }

  /** Closes the pane, unless its text cannot be applied now. */
  async close() {
    await this.source?.close();
  }

  // ---- Callbacks of the pane

  changed() {
    if (this.page.saver.state === State.clean) this.page.show(State.dirty);
  }

  async put(entry) {
    try {
      await this.store.put(entry);
      this.isUnkept = false;
    } catch (error) {
      this.isUnkept = true;
      this.page.show(State.full, error.message);
    }
  }

  async remove() {
    this.isUnkept = false;
    await this.store.remove().catch(() => {});
  }

  read() {
    this.page.drop(NAME);
    if (!this.page.saver.isDirty) this.page.show(State.clean);
  }

  failed(message, isRefused) {
    this.isRefused = isRefused;
    if (!this.isUnkept) this.page.show(State.offline);
    if (isRefused) this.page.notice(NAME, `The Markdown was not read: ${message}`);
  }

  closed() {
    this.source = null;
    this.button.setAttribute("aria-pressed", "false");
  }

  /** Offers a text of an earlier visit on this device. Resolves to whether there is one. */
  async offer(otherwise) {
    const kept = await this.store.get().catch(() => undefined);
    if (!kept) return false;
    const { page } = this;
    const restore = async () => {
      try {
        const document = await (await this.load()).restored(kept);
        // Merged with the revision that it was based on.
        page.saver.base = kept.base;
        page.editor.replace(document);
        await page.saver.keep();
        await this.remove();
        notice.remove();
      } catch (error) {
        page.notice(NAME, `The Markdown was not read: ${error.message}`);
      }
    };
    const discard = async () => {
      await this.remove();
      notice.remove();
      await otherwise();
    };
    const notice = page.notice("draft", `You have unsaved Markdown from ${timeOf(kept.time)}.`, ["Restore", restore], ["Discard", discard]);
    notice.append(element("details", {}, element("summary", {}, "Show it"), element("pre", {}, kept.text)));
    return true;
  }
}
