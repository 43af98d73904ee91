// The menu of blocks that opens on "/".
import { Plugin, PluginKey } from "prosemirror-state";
import { element } from "./blocks.js";
import { found } from "./menus.js";
import { schema } from "./schema.js";

const key = new PluginKey("slash");
/** Entries that are shown at once. */
const SHOWN = 9;

/** Returns what was typed behind a slash at the start of a paragraph or after a space. */
function typed({ $from, empty }) {
  if (!empty || $from.parent.type !== schema.nodes.paragraph) return null;
  const before = $from.parent.textBetween(0, $from.parentOffset, null, "￼");
  const match = /(?:^|\s)\/([\w ]{0,20})$/.exec(before);
  return match && { query: match[1], from: $from.pos - match[1].length - 1 };
}

export const slash = new Plugin({
  key,
  state: {
    init: () => null,
    apply(tr, menu) {
      const set = tr.getMeta(key);
      if (set?.close) return { ...menu, isClosed: true };
      const now = typed(tr.selection);
      const hits = now ? found(now.query).slice(0, SHOWN) : [];
      if (!now || hits.length === 0) return null;
      const isSame = menu?.from === now.from;
      const index = set?.index ?? (isSame && menu.query === now.query ? menu.index : 0);
      return { ...now, hits, index, isClosed: isSame && menu.isClosed };
    },
  },
  view(view) {
    const list = element("div", { class: "slash", role: "listbox", id: "editor:slash", "aria-label": "Blocks", hidden: true });
    view.dom.after(list);
    list.addEventListener("mousedown", (event) => {
      const option = event.target.closest("[role=option]");
      event.preventDefault();
      if (option) choose(view, Number(option.dataset.index));
    });
    return {
      update() {
        if (!list.isConnected) view.dom.after(list);
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
        choose(view, menu.index);
        return true;
      }
      return false;
    },
  },
});

function choose(view, index) {
  const { from, hits } = key.getState(view.state);
  view.dispatch(view.state.tr.delete(from, view.state.selection.from));
  hits[index].command(view.state, view.dispatch, view);
  view.focus();
}

function show(view, list) {
  const menu = key.getState(view.state);
  const isOpen = Boolean(menu) && !menu.isClosed && view.hasFocus();
  list.hidden = !isOpen;
  if (!isOpen) {
    view.dom.removeAttribute("aria-activedescendant");
    view.dom.removeAttribute("aria-controls");
    return;
  }
  list.replaceChildren(
    ...menu.hits.map(({ name }, index) =>
      element("div", { role: "option", id: `editor:slash-${index}`, "data-index": index, "aria-selected": String(index === menu.index) }, name),
    ),
  );
  view.dom.setAttribute("aria-controls", list.id);
  view.dom.setAttribute("aria-activedescendant", `editor:slash-${menu.index}`);
  const caret = view.coordsAtPos(menu.from);
  const space = window.innerHeight - caret.bottom;
  const height = list.offsetHeight;
  list.style.setProperty("left", `${Math.min(caret.left, window.innerWidth - list.offsetWidth - 8)}px`);
  list.style.setProperty("top", `${space > height + 8 ? caret.bottom + 4 : caret.top - height - 4}px`);
}
