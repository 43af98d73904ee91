// The editing of a page: loads its document, puts the editor in place of it, and saves.
import { needsParts } from "./blocks.js";
import { Draft, timeOf } from "./drafts.js";
import { element } from "./element.js";
import { parts } from "./later.js";
import { Pane } from "./pane.js";
import { Saver, State } from "./saver.js";
import { updateOf } from "./updates.js";
import { Editor } from "./view.js";
import { wordsOf } from "./words.js";

const WORDS = {
  [State.clean]: "Saved",
  [State.dirty]: "Editing…",
  [State.saving]: "Saving…",
  [State.offline]: "Not saved, kept on this device",
  [State.signedOut]: "Signed out, kept on this device",
  [State.refused]: "Not saved, kept on this device",
  [State.full]: "This browser can't keep the text: save a copy",
};

/** Delay after the last key before asking for a sign-in, so that typing does not go into the dialog. */
const ASKED = 1_000;

/** Status of the text of a page that others deleted. */
const GONE = 410;

/** Interval of requests to a server that did not respond. */
const PROBED = 3_000;

const timers = {
  now: () => Date.now(),
  set: (act, ms) => setTimeout(act, ms),
  clear: (timer) => clearTimeout(timer),
  random: () => Math.random(),
  // `randomUUID` is unavailable without https.
  key: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(""),
};

/** Returns the position of the caret in the window, in pixels. A click on text that is not editable yet sets it too. */
function caretIn(place) {
  const selection = document.getSelection();
  if (!selection?.rangeCount || !place.contains(selection.anchorNode)) return undefined;
  const { left, top, height } = selection.getRangeAt(0).getBoundingClientRect();
  return height > 0 ? { left, top: top + height / 2 } : undefined;
}

async function answered(response) {
  const body = await response.json().catch(() => undefined);
  return { status: response.status, body };
}

class Page {
  constructor(place) {
    const { base, space, changeRequest, page, reusable, person } = place.dataset;
    this.place = place;
    this.id = page ?? reusable;
    this.isReusable = reusable !== undefined;
    this.base = base;
    this.space = space;
    this.api = `${base}/v1/spaces/${space}`;
    this.request = `${this.api}/change-requests/${changeRequest}`;
    this.signIn = `${base}/~/sign-in?next=${encodeURIComponent(location.pathname)}`;
    this.title = document.querySelector("h1 [data-title]");
    this.status = document.querySelector("[data-status]");
    this.notices = document.querySelector("[data-notices]");
    this.draft = new Draft(person, space, changeRequest, this.id);
    this.conflicts = new Draft(person, space, changeRequest, this.id, "conflicts");
  }

  async get(url) {
    const { status, body } = await answered(await fetch(url, { headers: { Accept: "application/json" } }));
    if (status !== 200) throw new Error(body?.error?.message ?? `The server answered ${status}.`);
    return body;
  }

  /** Returns the page, or the reusable content, in a revision. */
  pageIn = async (revision) => {
    const address = `${this.api}/revisions/${revision}/${this.isReusable ? "reusable-contents" : "page"}/${this.id}`;
    const page = await this.get(address);
    // A reusable content names its document.
    return this.isReusable && page.document ? { ...page, document: await this.get(`${address}/document`) } : page;
  };

  /** Returns the page at the shown revision, which the browser has preloaded, or otherwise the current page. */
  async load() {
    const { revision: shown } = document.body.dataset;
    try {
      return { revision: shown, page: await this.pageIn(shown) };
    } catch {
      const { revision } = await this.get(this.request);
      return { revision, page: await this.pageIn(revision) };
    }
  }

  async open() {
    const { revision, page } = await this.load();
    const stored = page.document ?? { object: "document", data: {}, nodes: [] };
    // Without them, the page has fewer fields.
    if (needsParts(stored)) await parts().catch(() => {});
    const caret = caretIn(this.place);
    const editor = new Editor({
      place: this.place,
      document: stored,
      label: page.title,
      request: this.request,
      onChange: () => this.changed(),
    });
    this.editor = editor;
    this.saver = new Saver({
      base: revision,
      timers,
      store: this.draft,
      send: (request) => this.send(request),
      onState: (state, detail, status) => this.show(state, detail, status),
      onMerge: (merge) => this.merge(merge),
    });
    this.pane = new Pane(this);
    // Used by the comments on blocks.
    Object.assign(editor.view.dom, { blocks: () => editor.blocks(), saved: () => this.save() });
    this.editTitle();
    this.listen();
    this.takeInOthers();
    // Focuses before the first await. A later focus would move the caret of a user who types.
    editor.focus(caret);
    this.show(State.clean);
    await this.offerDraft(stored);
    await this.showConflicts((await this.conflicts.get()) ?? []);
  }

  editTitle() {
    Object.assign(this.title, { contentEditable: "plaintext-only" });
    this.title.setAttribute("role", "textbox");
    this.title.setAttribute("aria-label", "Title");
    let named;
    this.title.addEventListener("focus", () => (named = this.title.textContent.trim()));
    this.title.addEventListener("input", () => {
      const title = this.title.textContent.trim();
      // The tree shows the title too, unless the page has another title there.
      const shown = document.querySelector(".tree [aria-current] > :last-child")?.firstChild;
      if (title && shown?.data === named) shown.data = named = title;
      this.changed();
    });
    this.title.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.editor.focus();
    });
  }

  /** Marks the page in the tree. The server does this from the next page load on. */
  mark() {
    this.isMarked = true;
    const item = document.querySelector(".tree [aria-current]")?.closest("li");
    if (!item || item.querySelector(":scope > .mark")) return;
    item.append(element("span", { class: "mark", title: "Edited" }, element("span", { class: "hidden-text" }, "Edited")));
  }

  /** Returns the input. */
  read = () => ({ title: this.title.textContent.trim(), content: this.editor.document() });

  changed() {
    if (!this.isMarked) this.mark();
    // The parts may soon be needed without a connection.
    parts().catch(() => {});
    this.saver.changed(this.read);
    if (this.isAway && this.saver.state === State.dirty) this.saver.save();
  }

  /** Returns whether there is unsaved input. */
  get isDirty() {
    return this.saver.isDirty || this.pane.isDirty;
  }

  /** Stores the input on this device. */
  keep() {
    return Promise.all([this.saver.keep(), this.pane.keep()]);
  }

  /** Sends the input. */
  async save() {
    await this.pane.settle();
    return this.saver.save();
  }

  listen() {
    // Ctrl-S saves at once, with a sign-in if necessary.
    addEventListener("keydown", (event) => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "s";
      if (!isSave) return;
      event.preventDefault();
      if (this.saver.state === State.signedOut) this.askToSignIn().catch(() => {});
      else this.save();
    });
    addEventListener("online", () => {
      this.pane.settle();
      this.saver.again();
    });
    // A closed event stream is the first sign of an unreachable server. A save confirms it.
    document.addEventListener("quire:stream", ({ detail: isOpen }) => {
      this.isAway = !isOpen;
      if (this.isAway && this.saver.isDirty) this.saver.save();
    });
    document.addEventListener("visibilitychange", () => this.keep());
    addEventListener("pagehide", () => this.keep());
    addEventListener("beforeunload", (event) => {
      if ((this.saver.isDirty && this.saver.state === State.full) || this.pane.isUnkept) event.preventDefault();
    });
    // A link is followed after the server or the device has the text.
    document.addEventListener("click", async (event) => {
      const link = event.target.closest?.("a[href]");
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || link.target || this.editor.view.dom.contains(link) || !this.isDirty) return;
      event.preventDefault();
      await this.keep();
      await Promise.race([this.save(), new Promise((resolve) => setTimeout(resolve, 3_000))]);
      location.assign(link.href);
    });
    const channel = new BroadcastChannel(`quire-edit ${this.draft.key.join(" ")}`);
    channel.addEventListener("message", () => this.yield(channel));
    channel.postMessage("opened");
  }

  /** Returns whether a change of a revision is the deletion of the page. */
  isDeletion = ({ type, page, reusableContent }) => type.endsWith("_deleted") && (page ?? reusableContent)?.id === this.id;

  /** Returns whether others deleted the page between two revisions. A request for a page that is gone would fail. */
  async isDeletedBetween(base, revision) {
    const { changes } = await this.get(`${this.api}/revisions/${base}/compare/${revision}?limit=1000&metadata=false&computed=false`);
    return changes.some(this.isDeletion);
  }

  /** Merges what others save while the page is open. */
  takeInOthers() {
    const { dom } = this.editor.view;
    const takeIn = async () => {
      // Text in composition by an input method must not be replaced.
      if (this.editor.view.composing) return dom.addEventListener("compositionend", () => setTimeout(takeIn), { once: true });
      // The response to the save contains the text of others.
      if (this.saver.isDirty) return this.saver.save();
      const { base } = this.saver;
      // The event may be older than the last save.
      const { revision } = await this.get(this.request);
      if (revision === base) return undefined;
      // A replaced revision can be compared for an hour.
      if (await this.isDeletedBetween(base, revision).catch(() => false)) {
        // Only this browser has the text now. The response to the save is that the page is gone.
        this.saver.changed(this.read);
        return this.saver.save();
      }
      const page = await this.pageIn(revision);
      if (this.saver.isDirty || this.saver.base !== base) return takeIn();
      const before = this.editor.document();
      if (!this.editor.merge(before, page.document ?? { object: "document", data: {}, nodes: [] })) return undefined;
      if (document.activeElement !== this.title) this.title.textContent = page.title;
      this.saver.base = revision;
      this.pane.refresh();
      return undefined;
    };
    const look = () => {
      if (document.body.dataset.revision !== this.saver.base) takeIn().catch(() => {});
    };
    document.addEventListener("quire:content", look);
    // Others may have saved while the editor loaded.
    look();
  }

  /** Stops because another tab of the same user edits the page now. */
  async yield(channel) {
    await this.pane.close();
    this.editor.setEditable(false);
    await this.save();
    this.notice("yielded", "You edit this page in another tab.", [
      "Edit here",
      () => {
        channel.postMessage("opened");
        location.reload();
      },
    ]);
  }

  /** Sends a request. Without a response, polls until the server is back. */
  async send(request) {
    try {
      const answer = await this.post(request);
      this.isAway = false;
      clearInterval(this.probe);
      this.probe = undefined;
      return answer;
    } catch (error) {
      this.probe ??= setInterval(async () => {
        const response = await fetch(`${this.base}/readyz`).catch(() => undefined);
        if (response?.ok) this.saver.again();
      }, PROBED);
      throw error;
    }
  }

  async post({ key, base, document: { title, content } }) {
    const response = await fetch(`${this.request}/content`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify({
        base,
        onStale: "merge",
        amend: true,
        changes: [updateOf(this.id, title, content, this.isReusable)],
      }),
    });
    const { status, body } = await answered(response);
    if (status !== 200) return { status, body: { ...body, retryAfter: Number(response.headers.get("Retry-After")) || 0 } };
    // Nothing was stored.
    if (body.merge?.changes.some(this.isDeletion)) return { status: GONE };
    const merged = body.merge?.documents.find(({ page, reusableContent }) => (page ?? reusableContent) === this.id);
    const conflicts = (body.merge?.conflicts ?? []).filter(({ page, reusableContent }) => (page?.id ?? reusableContent) === this.id);
    const found = merged && (merged.document ?? { object: "document", data: {}, nodes: [] });
    return { status, body: { revision: body.revision, conflicts, ...(merged ? { document: { title, content: found } } : {}) } };
  }

  merge({ sent, merged, conflicts }) {
    if (conflicts.length > 0) this.addConflicts(conflicts);
    const isTaken = this.editor.merge(sent.content, merged.content);
    if (isTaken) this.pane.refresh();
    return isTaken;
  }

  async addConflicts(conflicts) {
    const blocks = conflicts.flatMap((conflict) => conflict.blocks ?? []);
    const known = (await this.conflicts.get()) ?? [];
    const all = [...known.filter((one) => blocks.every((other) => other.id !== one.id)), ...blocks];
    await this.conflicts.put(all).catch((error) => this.show(State.full, error.message));
    await this.showConflicts(all);
  }

  /** Shows both versions of the blocks that two people changed. */
  async showConflicts(conflicts) {
    this.notices.querySelectorAll("[data-conflict]").forEach((shown) => shown.remove());
    // Without a network they are kept, and shown when the page is opened again.
    if (conflicts.length > 0) await parts().then((loaded) => loaded.showConflicts(this, conflicts), () => {});
  }

  async offerDraft(stored) {
    if (await this.pane.offer(() => this.offerDraft(stored))) return;
    const kept = await this.draft.get().catch(() => undefined);
    if (!kept) return;
    if (JSON.stringify(kept.document.content) === JSON.stringify(stored) && kept.document.title === this.title.textContent.trim()) {
      await this.draft.remove();
      return;
    }
    const shown = this.title.textContent.trim();
    const notice = this.notice(
      "draft",
      `You have unsaved text from ${timeOf(kept.time)}.`,
      [
        "Restore",
        () => {
          // Merged with the revision that it was based on.
          this.saver.base = kept.base;
          this.title.textContent = kept.document.title;
          this.editor.replace(kept.document.content);
          notice.remove();
        },
      ],
      [
        "Discard",
        async () => {
          await this.draft.remove();
          notice.remove();
        },
      ],
    );
    notice.append(...this.difference({ title: shown, content: stored }, kept.document));
  }

  /** Returns the button for the difference between two versions of the page, and the difference, computed once. */
  difference(before, after) {
    const shown = element("div", { class: "chg", hidden: true });
    const button = element("button", { type: "button", class: "btn", "aria-expanded": "false", "data-folds": "" }, "Show the difference");
    button.addEventListener("click", async () => {
      if (shown.firstChild) return;
      const { changedWords } = await parts();
      const changes = changedWords(before.content, after.content);
      if (before.title !== after.title) changes.unshift([{ kind: "del", text: before.title }, { kind: "ins", text: after.title }]);
      shown.replaceChildren(...changes.map((words) => element("p", {}, ...words.map(({ kind, text }) => element(kind, {}, text)))));
    });
    return [button, shown];
  }

  show(state, detail, status) {
    if (state === State.signedOut && this.status.dataset.state !== state) this.askAfterTyping();
    this.status.textContent = WORDS[state];
    this.status.dataset.state = state;
    this.drop("state");
    const copy = ["Copy the text", () => navigator.clipboard.writeText(wordsOf(this.editor.document()))];
    const save = ["Download it", () => this.download()];
    if (state === State.signedOut) {
      const words = "You are signed out. Your text is on this device.";
      const notice = this.notice("state", words, ["Sign in", () => this.askToSignIn()], ["I am signed in again", () => this.saver.again()], copy);
      notice.append(element("a", { href: this.signIn, target: "_blank" }, "Sign in in a new tab"));
    } else if (status === GONE) {
      const words = `Somebody else deleted this ${this.isReusable ? "reusable content" : "page"}. Your text is on this device.`;
      this.notice("state", words, ["Put it into a new change request", () => this.moveText()], copy, save);
    } else if (state === State.refused) {
      const isForbidden = status === 403;
      const words = isForbidden ? "You can no longer edit this page. Your text is on this device." : `The text was not saved: ${detail}`;
      const elsewhere = isForbidden ? [] : [["Put it into a new change request", () => this.moveText()]];
      this.notice("state", words, ["Try again", () => this.saver.again()], ...elsewhere, copy, save);
    } else if (state === State.offline && !status) {
      this.notice("state", "Not connected, kept on this device.", copy, save);
    } else if (state === State.full) {
      this.notice("state", `This browser can't keep the text: ${detail}`, copy, save);
    }
  }

  /** Asks for a sign-in when the user has stopped typing. */
  askAfterTyping() {
    clearTimeout(this.asking);
    const wait = () => {
      clearTimeout(this.asking);
      this.asking = setTimeout(() => {
        removeEventListener("keydown", wait, true);
        if (this.saver.state === State.signedOut) this.askToSignIn().catch(() => {});
      }, ASKED);
    };
    addEventListener("keydown", wait, true);
    wait();
  }

  async askToSignIn() {
    if (this.isAsking) return;
    this.isAsking = true;
    const { askToSignIn } = await parts().catch((error) => {
      this.isAsking = false;
      throw error;
    });
    const onClose = () => (this.isAsking = false);
    askToSignIn(`${this.base}/v1/auth/password`, this.signIn, onClose, ({ id }) => {
      // The text of one user must not be sent as another.
      if (id === this.place.dataset.person) this.saver.again();
      else location.reload();
    });
  }

  /** Puts the text into a new change request and opens it, because the present one can no longer be changed. */
  async moveText() {
    try {
      const { moveText } = await parts();
      const number = await moveText(this.api, this.id, this.title.textContent.trim(), this.editor.document(), this.saver.base, this.isReusable);
      await this.draft.remove().catch(() => {});
      location.assign(`${this.base}/s/${this.space}/~/changes/${number}`);
    } catch (error) {
      this.notice("moved", `Change request not created: ${error.message}`);
    }
  }

  download() {
    const file = new Blob([JSON.stringify(this.editor.document(), null, 2)], { type: "application/json" });
    const link = element("a", { href: URL.createObjectURL(file), download: `${this.title.textContent.trim() || "page"}.json` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Removes the notices with a name. */
  drop(name) {
    this.notices.querySelectorAll(`[data-notice="${name}"]`).forEach((shown) => shown.remove());
  }

  notice(name, words, ...actions) {
    this.drop(name);
    const buttons = actions.map(([label, act]) => {
      const button = element("button", { type: "button", class: "btn" }, label);
      button.addEventListener("click", act);
      return button;
    });
    const notice = element("div", { class: "edit-notice", role: "status", "data-notice": name }, element("p", {}, words), ...buttons);
    this.notices.append(notice);
    return notice;
  }
}

const place = document.querySelector("[data-editor]");
if (place) {
  const page = new Page(place);
  page.open().catch((error) => {
    page.status.textContent = `The editor did not start: ${error.message}`;
  });
}

const conflicts = document.querySelector("[data-conflicts]");
if (conflicts) parts().then(({ Conflicts }) => new Conflicts(conflicts).open());
