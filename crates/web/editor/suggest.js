// A list of suggestions that opens while a sign and a query are typed.
import { Plugin, PluginKey } from "prosemirror-state";
import { element } from "./blocks.js";
import { schema } from "./schema.js";

/** Entries that are shown at once. */
const SHOWN = 9;

/**
 * Returns the plugin.
 *
 * @param name    name of the list in ids
 * @param label   name of the list for screen readers
 * @param sign    what is typed: the first group of the pattern is the query, and the sign before it is `length` long
 * @param find    returns the entries for a query, which have a `name` and perhaps the text `about` them
 * @param choose  takes an entry, after the sign and the query were deleted
 * @param load    loads what `find` looks in, when the list opens for the first time
 */
export function suggest({ name, label, sign, length, find, choose, load }) {
  const key = new PluginKey(name);

  /** Returns what was typed before the caret. */
  function typed({ $from, empty }) {
    if (!empty || $from.parent.type !== schema.nodes.paragraph) return null;
    const before = $from.parent.textBetween(0, $from.parentOffset, null, "￼");
    const match = sign.exec(before);
    return match && { query: match[1], from: $from.pos - match[1].length - length };
  }

  function take(view, index) {
    const { from, hits } = key.getState(view.state);
    view.dispatch(view.state.tr.delete(from, view.state.selection.from));
    choose(view, hits[index]);
    view.focus();
  }

  function show(view, list) {
    const menu = key.getState(view.state);
    const isOpen = Boolean(menu) && !menu.isClosed && view.hasFocus();
    const wasOpen = !list.hidden;
    list.hidden = !isOpen;
    if (!isOpen) {
      if (wasOpen) for (const attribute of ["aria-activedescendant", "aria-controls"]) view.dom.removeAttribute(attribute);
      return;
    }
    list.replaceChildren(
      ...menu.hits.map(({ name: text, about }, index) => {
        const attributes = { role: "option", id: `${list.id}-${index}`, "data-index": index, "aria-selected": String(index === menu.index) };
        return element("div", attributes, text, about ? element("small", {}, about) : "");
      }),
    );
    view.dom.setAttribute("aria-controls", list.id);
    view.dom.setAttribute("aria-activedescendant", `${list.id}-${menu.index}`);
    const caret = view.coordsAtPos(menu.from);
    const space = window.innerHeight - caret.bottom;
    const height = list.offsetHeight;
    list.style.setProperty("left", `${Math.min(caret.left, window.innerWidth - list.offsetWidth - 8)}px`);
    list.style.setProperty("top", `${space > height + 8 ? caret.bottom + 4 : caret.top - height - 4}px`);
  }

  return new Plugin({
    key,
    state: {
      init: () => null,
      apply(tr, menu) {
        const set = tr.getMeta(key);
        if (set?.close) return { ...menu, isClosed: true };
        const now = typed(tr.selection);
        const hits = now ? find(now.query).slice(0, SHOWN) : [];
        if (!now || (hits.length === 0 && !load)) return null;
        const isSame = menu?.from === now.from;
        const index = set?.index ?? (isSame && menu.query === now.query ? menu.index : 0);
        return { ...now, hits, index, isClosed: hits.length === 0 || (isSame && menu.hits.length > 0 && menu.isClosed) };
      },
    },
    view(view) {
      const list = element("div", { class: "slash", role: "listbox", id: `editor:${name}`, "aria-label": label, hidden: true });
      view.dom.after(list);
      list.addEventListener("mousedown", (event) => {
        const option = event.target.closest("[role=option]");
        event.preventDefault();
        if (option) take(view, Number(option.dataset.index));
      });
      let loading = load === undefined;
      return {
        update() {
          if (!list.isConnected) view.dom.after(list);
          if (!loading && key.getState(view.state)) {
            loading = true;
            load(view).then(
              () => !view.isDestroyed && view.dispatch(view.state.tr.setMeta(key, {})),
              // Without a network, what is there already is offered.
              () => (loading = false),
            );
          }
          show(view, list);
        },
        destroy: () => list.remove(),
      };
    },
    props: {
      handleKeyDown(view, event) {
        const menu = key.getState(view.state);
        if (!menu || menu.isClosed) return false;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step) {
          const index = (menu.index + step + menu.hits.length) % menu.hits.length;
          view.dispatch(view.state.tr.setMeta(key, { index }));
          return true;
        }
        if (event.key === "Escape") {
          view.dispatch(view.state.tr.setMeta(key, { close: true }));
          return true;
        }
        if (event.key === "Enter" || event.key === "Tab") {
          take(view, menu.index);
          return true;
        }
        return false;
      },
    },
  });
}
