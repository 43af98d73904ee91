// Conflicts of a change request: a choice for each, and one request for all.
import { Draft } from "./drafts.js";
import { Editor } from "./view.js";

/** Names of the versions. */
const NAMES = { ours: "Yours", theirs: "Main", both: "Both", document: "Edited" };
const EMPTY = { object: "document", data: {}, nodes: [] };

/** Conflict and the chosen version. */
class Conflict {
  /** `request` is the API URL of the change request. */
  constructor(section, request, onChange) {
    this.id = section.dataset.conflict;
    this.section = section;
    [this.summary] = section.children;
    this.heading = section.querySelector(`[id="${section.getAttribute("aria-labelledby")}"]`).textContent.trim();
    this.chosen = section.querySelector(".chosen");
    this.request = request;
    this.onChange = onChange;
    this.take = undefined;
    this.result = section.querySelector("[data-result]");
    this.versions = this.result && { ...this.result.dataset };
    this.editButton = section.querySelector("[data-edit]");
    this.buttons = [...section.querySelectorAll("[data-take]")];
    for (const button of this.buttons) {
      button.addEventListener("click", () => {
        this.choose(button.dataset.take);
        // An edited result remains visible.
        if (!this.editor) this.fold();
      });
      button.disabled = false;
    }
    this.editButton?.addEventListener("click", () => {
      this.edit();
      this.editor.focus();
    });
  }

  /** Folds the conflict to its heading, which receives the focus of the pressed button. */
  fold() {
    this.summary.focus({ preventScroll: true });
    this.section.open = false;
    // The heading may be above the window.
    this.section.scrollIntoView({ block: "nearest" });
  }

  /** Chooses a version. Undo restores an edited one. */
  choose(take) {
    if (this.editor) this.editor.replace(JSON.parse(this.versions[take]));
    else if (this.result) this.result.replaceChildren(...this.shown(take));
    this.mark(take);
  }

  mark(take) {
    this.take = take;
    this.section.dataset.chosen = take;
    const taken = this.buttons.find((button) => button.dataset.take === take);
    // Values of fields are short enough to be shown.
    this.chosen.textContent = this.result ? NAMES[take] : `${NAMES[take]}: ${taken.previousElementSibling.textContent}`;
    if (this.editButton) this.editButton.disabled = this.editor !== undefined;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.take === take));
    this.onChange();
  }

  /** Returns copies of the blocks of a version. */
  shown(take) {
    const sides = take === "both" ? ["theirs", "ours"] : [take];
    return sides.flatMap((side) => {
      const { content } = this.section.querySelector(`template[data-version="${side}"]`);
      return [...content.firstElementChild.cloneNode(true).childNodes];
    });
  }

  /** Opens the result in an editor. It starts as a version or another document. */
  edit(document = JSON.parse(this.versions[this.take])) {
    const place = this.result.appendChild(window.document.createElement("div"));
    this.editor = new Editor({
      place,
      document,
      label: `Result: ${this.heading}`,
      request: this.request,
      onChange: () => this.mark("document"),
    });
    this.result.replaceChildren(this.editor.view.dom);
    this.editButton.disabled = true;
  }

  /** Returns the resolution for the API. */
  get resolution() {
    const document = this.take === "document" ? { document: this.editor.document() } : {};
    return { conflict: this.id, take: this.take, ...document };
  }

  restore({ take, document }) {
    if (document && this.result) {
      this.edit(document ?? EMPTY);
      this.mark("document");
    } else if (this.buttons.some((button) => button.dataset.take === take)) {
      this.choose(take);
    }
    this.section.open = this.take === undefined;
  }
}

export class Conflicts {
  constructor(form) {
    const { person, key, base, url } = form.dataset;
    this.form = form;
    this.url = `${base}/v1/${url}`;
    this.draft = new Draft(person, "conflicts", key);
    this.settled = form.querySelector("[data-settled]");
    this.submit = form.querySelector("button[type=submit]");
    const sections = [...form.querySelectorAll("[data-conflict]")];
    const request = this.url.slice(0, this.url.lastIndexOf("/"));
    this.conflicts = sections.map((section) => new Conflict(section, request, () => this.changed()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.apply();
    });
  }

  async open() {
    const kept = (await this.draft.get().catch(() => undefined)) ?? [];
    for (const resolution of kept) {
      this.conflicts.find((conflict) => conflict.id === resolution.conflict)?.restore(resolution);
    }
    this.show();
  }

  get resolutions() {
    return this.conflicts.filter((conflict) => conflict.take).map((conflict) => conflict.resolution);
  }

  changed() {
    this.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draft.put(this.resolutions).catch(() => {}), 200);
  }

  show() {
    const count = this.resolutions.length;
    this.settled.textContent = `${count} of ${this.conflicts.length} settled`;
    if (this.submit) this.submit.disabled = count < this.conflicts.length;
  }

  async apply() {
    const { changeRequestRevision: changeRequest, spaceRevision: space, next } = this.form.dataset;
    this.submit.disabled = true;
    this.say("Applying…");
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: { Accept: "application/json", "Content-Type": "application/json" },
        body: JSON.stringify({ resolutions: this.resolutions, revisions: { changeRequest, space } }),
      });
      const answer = await response.json().catch(() => undefined);
      // Choices are stored by conflict, so a page with newer conflicts keeps them.
      if (response.ok && answer.result === "conflicts") return location.reload();
      if (!response.ok) throw new Error(answer?.error?.message ?? `The server answered ${response.status}.`);
      clearTimeout(this.timer);
      await this.draft.remove().catch(() => {});
      location.assign(next);
    } catch (error) {
      this.submit.disabled = false;
      this.say(`Nothing was applied: ${error.message} Load the page again to see the current conflicts; your choices are kept.`);
    }
  }

  say(words) {
    this.settled.textContent = words;
  }
}
