// Editable tree of a change request: adds, renames, moves and deletes pages in place. Loaded by actions.js, which
// passes its functions. Concatenated with menu.js.

/** Time during which a deletion can be undone. */
const UNDO_FOR = 10_000;
/** Storage key of the last deletion, for other pages that are opened meanwhile. */
const UNDO = "quire-undo";
/** Maximum number of changes per request. */
const CHANGES = 50;
/** Drop zones of a row: the first is before, the last after the page. Between them, the page becomes a child. */
const EDGES = [0.3, 0.7];

const itemOf = (element) => element?.closest?.("li[data-page]");
const labelOf = (item) => item.querySelector(":scope > a, :scope > .row") ?? item.querySelector(":scope > details > summary");
const titleOf = (item) => [...labelOf(item).children].at(-1).firstChild.textContent;
const siblingsOf = (item) => [...item.parentElement.children].filter((other) => other.dataset.page);
const above = (item) => itemOf(item.parentElement);

/** Returns the position of a page for screen readers. Incompletely loaded levels have no number. */
const placeOf = (item) => {
  const siblings = siblingsOf(item);
  const total = item.parentElement.querySelector(":scope > li > .more") ? `${siblings.length} or more` : siblings.length;
  let level = 1;
  for (let parent = above(item); parent; parent = above(parent)) level += 1;
  return `${siblings.indexOf(item) + 1} of ${total}, level ${level}`;
};

export class PageTree {
  /** `root` is the tree, `tools` has functions and elements of actions.js. */
  constructor(root, tools) {
    Object.assign(this, tools, { root });
    this.content = root.dataset.edits;
    this.work = Promise.resolve();
    /** New pages that have no name yet. */
    this.unnamed = new Set();
    this.more = this.make("button", { type: "button", class: "tree-more", "aria-haspopup": "menu" }, "⋯");
    this.line = this.make("div", { class: "tree-line", hidden: "" });
    this.more.addEventListener("click", () => this.open(itemOf(this.more)));
    root.addEventListener("focusin", ({ target }) => this.point(itemOf(target)));
    root.addEventListener("pointerover", ({ target }) => this.point(itemOf(target)));
    root.addEventListener("keydown", (event) => this.press(event));
    root.addEventListener("dragstart", (event) => this.drag(event));
    root.addEventListener("dragover", (event) => this.over(event));
    root.addEventListener("drop", (event) => this.drop(event));
    root.addEventListener("dragend", () => this.endDrag());
    document.querySelector("[data-add-page]")?.addEventListener("click", () => this.add(null));
    const kept = JSON.parse(sessionStorage.getItem(UNDO) ?? "null");
    if (kept?.content === this.content) this.offerUndo(kept);
  }

  item(id) {
    return this.root.querySelector(`li[data-page="${id}"]`);
  }

  /** Runs actions one by one, since each depends on the result of the previous one. */
  run(act) {
    this.work = this.work.then(act).catch((error) => this.say(error.message, "alert"));
    return this.work;
  }

  write(...changes) {
    return this.call("POST", this.content, { changes });
  }

  /** Returns the pages of a level from the server. */
  async level(parent) {
    const { pages } = await this.call("GET", `${this.content}/pages?depth=1&computed=false${parent ? `&parent=${parent}` : ""}`);
    return pages;
  }

  /** Places the menu button at a page and announces its position. */
  point(item) {
    if (!item || this.more.contains(document.activeElement)) return;
    const label = labelOf(item);
    label.setAttribute("aria-description", placeOf(item));
    if (label.localName !== "a") label.draggable = true;
    this.more.setAttribute("aria-label", `Actions of ${titleOf(item)}`);
    if (itemOf(this.more) === item) return;
    if (label.parentElement === item) label.after(this.more);
    else item.prepend(this.more);
  }

  /** Reloads the tree, keeps open branches, and focuses a page. */
  async refresh(id, words) {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    const shown = new DOMParser().parseFromString(await response.text(), "text/html");
    const open = [...this.root.querySelectorAll("li[data-page] > details[open]")].map((details) => itemOf(details).dataset.page);
    const symbols = document.querySelector("svg.symbols");
    for (const symbol of shown.querySelectorAll("svg.symbols > symbol")) {
      if (!document.getElementById(symbol.id)) symbols?.append(document.adoptNode(symbol));
    }
    this.root.replaceChildren(...shown.querySelector(".tree").childNodes);
    for (const part of [".crumbs ol", ".neighbors"]) {
      const [now, then] = [document, shown].map((page) => page.querySelector(part));
      if (now && then) now.replaceWith(document.adoptNode(then));
      else now?.remove();
    }
    // The address of the current page may have changed.
    if (response.redirected) history.replaceState(history.state, "", response.url);
    const isOpen = (item) => open.includes(item.dataset.page);
    for (const item of this.root.querySelectorAll("li[data-page]")) {
      const details = item.querySelector(":scope > details");
      if (details && isOpen(item)) details.open = true;
    }
    const item = id && this.item(id);
    for (let parent = item && above(item); parent; parent = above(parent)) parent.querySelector(":scope > details").open = true;
    if (item) labelOf(item).focus();
    this.announced.textContent = item ? `${words}: ${placeOf(item)}` : words;
  }

  press(event) {
    const item = itemOf(event.target);
    if (!item || event.target.localName === "input") return;
    const id = item.dataset.page;
    const isMove = event.ctrlKey && event.shiftKey && !event.altKey;
    const steps = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };
    if (isMove && steps[event.key]) this.step(id, steps[event.key]);
    else if (event.key === "F2") this.rename(id);
    else if (event.key === "Delete") this.remove(id);
    else if (event.key === "z" && event.ctrlKey && this.undo) this.undo();
    else return;
    event.preventDefault();
  }

  open(item) {
    const id = item.dataset.page;
    const step = (label, direction, keys) => ({ label, keys, act: () => this.step(id, direction) });
    openMenu(this.more, `Actions of ${titleOf(item)}`, [
      { label: "Add a page below", act: () => this.add(id) },
      { label: "Rename", keys: "F2", act: () => this.rename(id) },
      { label: "Duplicate", act: () => this.duplicate(id) },
      { label: "Settings…", act: () => this.settings(id) },
      step("Move up", "up", "Ctrl Shift ↑"),
      step("Move down", "down", "Ctrl Shift ↓"),
      step("Move out", "out", "Ctrl Shift ←"),
      step("Move in", "in", "Ctrl Shift →"),
      { label: "Delete", keys: "Del", act: () => this.remove(id) },
    ]);
  }

  settings(id) {
    const [, space, , change] = this.content.split("/");
    location.assign(`${this.base}/s/${space}/~/page/${id}/settings?change=${change}`);
  }

  /** Moves a page among siblings, below the previous one, or out of its parent. */
  step(id, direction) {
    return this.run(async () => {
      const parent = above(this.item(id))?.dataset.page ?? null;
      const ids = (await this.level(parent)).map((page) => page.id);
      const at = ids.indexOf(id);
      if (direction === "up" && at > 0) return this.move(id, { at: at - 1 });
      if (direction === "down" && at < ids.length - 1) return this.move(id, { at: at + 1 });
      if (direction === "in" && at > 0) return this.move(id, { into: ids[at - 1] });
      if (direction !== "out" || parent === null) {
        this.announced.textContent = "It can't be moved further.";
        return undefined;
      }
      const into = above(this.item(parent))?.dataset.page ?? null;
      const around = (await this.level(into)).map((page) => page.id);
      return this.move(id, { into, at: around.indexOf(parent) + 1 });
    });
  }

  async move(id, to) {
    await this.write({ operation: "update_page", page: id, ...to });
    if (to.into) this.item(to.into)?.querySelector(":scope > details")?.setAttribute("open", "");
    await this.refresh(id, "Moved");
    if (!this.item(id)) labelOf(this.item(to.into))?.focus();
  }

  /** Edits the name of a page in its row. */
  rename(id) {
    return this.run(() => {
      const label = labelOf(this.item(id));
      const shown = titleOf(this.item(id));
      const field = this.make("input", { class: "tree-name", "aria-label": "Title of the page", maxlength: "100", value: shown });
      label.hidden = true;
      label.before(field);
      field.select();
      const done = (isTaken) => {
        if (label.hidden === false) return;
        const title = field.value.trim();
        const hadFocus = document.activeElement === field;
        label.hidden = false;
        field.remove();
        if (isTaken && title && title !== shown) this.name(id, title);
        else if (hadFocus) label.focus();
      };
      field.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key !== "Enter" && event.key !== "Escape") return;
        // Does not follow the link that gets the focus.
        event.preventDefault();
        done(event.key === "Enter");
      });
      field.addEventListener("blur", () => done(true));
    });
  }

  name(id, title) {
    return this.run(async () => {
      const item = this.item(id);
      const page = (await this.level(above(item)?.dataset.page)).find((found) => found.id === id);
      if (!page) throw new Error("Computed pages can't be renamed.");
      // The tree shows menu titles.
      const name = page.linkTitle ? "linkTitle" : "title";
      // The first name of a page also determines its address.
      const address = name === "title" && this.unnamed.delete(id) ? { slug: "" } : {};
      await this.write({ operation: "update_page", page: id, [name]: title, ...address });
      const heading = document.querySelector("h1 [data-title]");
      // The editor sends the title that it shows.
      if (labelOf(item).hasAttribute("aria-current") && heading && name === "title") heading.textContent = title;
      await this.refresh(id, `Renamed to ${title}`);
    });
  }

  /** Adds a page at the end of a level and edits its name. */
  add(parent) {
    return this.run(async () => {
      const before = new Set((await this.level(parent)).map((page) => page.id));
      await this.write({ operation: "insert_page", title: "Untitled", document: { markdown: "" }, ...(parent ? { into: parent } : {}) });
      const made = (await this.level(parent)).find((page) => !before.has(page.id));
      if (parent) this.item(parent)?.querySelector(":scope > details")?.setAttribute("open", "");
      await this.refresh(made?.id, "Added a page");
      if (!made || !this.item(made.id)) return;
      this.unnamed.add(made.id);
      this.rename(made.id);
    });
  }

  duplicate(id) {
    return this.run(async () => {
      const [, space, , change] = this.content.split("/");
      const item = this.item(id);
      await this.actions.duplicate({ space, change, page: id, into: above(item)?.dataset.page, title: titleOf(item) });
      await this.refresh(id, "Added a copy");
    });
  }

  /** Deletes a page with its descendants. */
  remove(id) {
    return this.run(async () => {
      const item = this.item(id);
      const title = titleOf(item);
      const siblings = siblingsOf(item);
      const at = siblings.indexOf(item);
      const next = (siblings[at + 1] ?? siblings[at - 1] ?? above(item))?.dataset.page;
      const isShown = item.querySelector("[aria-current]") !== null;
      const flat = (pages) => pages.flatMap((page) => [page.id, ...flat(page.pages ?? [])]);
      // The revision that is restored by an undo has the text in the editor.
      if (isShown) await document.querySelector("main.page .ProseMirror")?.saved?.();
      const { revision } = await this.call("GET", this.content.replace(/\/content$/, ""));
      const { pages } = await this.call("GET", `${this.content}/pages?computed=false&parent=${id}`).catch(() => ({ pages: [] }));
      const gone = [id, ...flat(pages)];
      const linking = await this.linkingTo(`${this.content}/page/${id}/backlinks`, gone);
      if (linking && !(await this.confirmed(linking, "Delete"))) return labelOf(item).focus();
      const deletion = () => this.write({ operation: "delete_page", page: id });
      const deleted = { content: this.content, title, revision, pages: gone };
      if (isShown) {
        await this.leaving(deletion);
        sessionStorage.setItem(UNDO, JSON.stringify(deleted));
        return location.assign(`${this.base}/${this.content.replace(/^spaces\/(.*)\/change-requests\/(.*)\/content$/, "s/$1/~/changes/$2")}`);
      }
      await deletion();
      await this.refresh(next, `Deleted ${title}`);
      return this.offerUndo(deleted);
    });
  }

  /** Offers to restore deleted pages until a time, also on other pages. Without it, the time begins now. */
  offerUndo({ title, revision, pages, until = Date.now() + UNDO_FOR }) {
    clearTimeout(this.timer);
    sessionStorage.setItem(UNDO, JSON.stringify({ content: this.content, title, revision, pages, until }));
    const end = () => {
      clearTimeout(this.timer);
      sessionStorage.removeItem(UNDO);
      this.undo = undefined;
    };
    const close = () => {
      const hadFocus = this.toast?.contains(document.activeElement);
      this.toast?.remove();
      end();
      if (hadFocus) this.root.querySelector("a, summary")?.focus();
    };
    if (until <= Date.now()) return end();
    this.undo = () =>
      this.run(async () => {
        clearTimeout(this.timer);
        for (let from = 0; from < pages.length; from += CHANGES) {
          const changes = pages.slice(from, from + CHANGES).map((page) => ({ operation: "revert_page", page, revision }));
          await this.write(...changes);
        }
        close();
        await this.refresh(pages[0], `${title} is back`);
      });
    const button = this.make("button", { type: "button", class: "btn" }, "Undo");
    button.addEventListener("click", () => this.undo?.());
    const count = pages.length === 1 ? "" : ` with ${pages.length - 1} below it`;
    this.say(`Deleted “${title}”${count}.`, "status", button).addEventListener("click", end);
    this.timer = setTimeout(close, until - Date.now());
    return undefined;
  }

  /** Shows a message at the edge of the window. Returns the button that closes it. */
  say(words, role, ...more) {
    this.toast?.remove();
    const close = this.make("button", { type: "button", class: "btn", "aria-label": "Close" }, "×");
    this.toast = this.make("div", { class: "toast" }, this.make("p", { role }, words), ...more, close);
    const { toast } = this;
    close.addEventListener("click", () => toast.remove());
    document.querySelector("main").append(toast);
    return close;
  }

  drag(event) {
    const item = itemOf(event.target);
    if (!item || event.target !== labelOf(item)) return;
    this.dragged = item.dataset.page;
    event.dataTransfer.setData("text/plain", titleOf(item));
    event.dataTransfer.effectAllowed = "move";
  }

  /** Shows the drop position of a dragged page. */
  over(event) {
    const item = itemOf(event.target);
    this.target = undefined;
    this.line.remove();
    if (!this.dragged || !item || this.item(this.dragged)?.contains(item)) return;
    event.preventDefault();
    const [box, around] = [labelOf(item), this.root].map((element) => element.getBoundingClientRect());
    const part = (event.clientY - box.top) / box.height;
    const side = part < EDGES[0] ? "before" : part > EDGES[1] ? "behind" : "below";
    this.target = { id: item.dataset.page, side };
    const top = side === "before" ? box.top : box.bottom;
    this.line.hidden = false;
    this.line.dataset.side = side;
    Object.assign(this.line.style, {
      top: `${(side === "below" ? box.top : top) - around.top}px`,
      left: `${box.left - around.left}px`,
      width: `${box.width}px`,
      height: side === "below" ? `${box.height}px` : "2px",
    });
    this.root.append(this.line);
  }

  drop(event) {
    const { dragged: id, target } = this;
    this.endDrag();
    if (!id || !target) return;
    event.preventDefault();
    this.run(async () => {
      if (target.side === "below") return this.move(id, { into: target.id });
      const parent = above(this.item(target.id))?.dataset.page ?? null;
      const ids = (await this.level(parent)).map((page) => page.id).filter((other) => other !== id);
      const isSame = (above(this.item(id))?.dataset.page ?? null) === parent;
      const at = ids.indexOf(target.id) + (target.side === "before" ? 0 : 1);
      return this.move(id, { ...(isSame ? {} : { into: parent }), at });
    });
  }

  endDrag() {
    this.dragged = undefined;
    this.target = undefined;
    this.line.remove();
  }
}
