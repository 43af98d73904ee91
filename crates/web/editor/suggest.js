// Suggestion list that opens while a trigger and a query are typed. Its content and actions (lists.js) are loaded with
// the first trigger.
import { isHistoryTransaction } from "prosemirror-history";
import { Plugin, PluginKey } from "prosemirror-state";
import { parts } from "./later.js";
import { schema } from "./schema.js";

/**
 * Returns the plugin.
 *
 * @param name    name of the list in `LISTS` of lists.js
 * @param sign    what is typed: the first group of the pattern is the query, and the sign before it is `length` long
 */
export function suggest({ name, sign, length }) {
  const key = new PluginKey(name);
  /** List, once loaded. */
  let list;

  /** Returns the text before the caret. */
  function typed({ $from, empty }) {
    if (!empty || $from.parent.type !== schema.nodes.paragraph) return null;
    const before = $from.parent.textBetween(0, $from.parentOffset, null, "￼");
    const match = sign.exec(before);
    const query = match?.[1] ?? "";
    return match && { query, from: $from.pos - query.length - length };
  }

  function take(view, index) {
    const { from, hits } = key.getState(view.state);
    view.dispatch(view.state.tr.delete(from, view.state.selection.from));
    list.choose(view, hits[index]);
    view.focus();
  }

  return new Plugin({
    key,
    state: {
      init: () => null,
      apply(tr, menu) {
        const set = tr.getMeta(key);
        if (set?.close) return { ...menu, isClosed: true };
        if (set?.index !== undefined) return { ...menu, index: set.index };
        const now = typed(tr.selection);
        if (!now) return null;
        const hits = list?.find(now.query) ?? [];
        if (list && hits.length === 0) return null;
        const isSame = menu?.from === now.from;
        const index = isSame && menu.query === now.query ? menu.index : 0;
        // Stays closed for a query that an undo brings back.
        const wasClosed = isSame ? menu.hits.length > 0 && menu.isClosed : isHistoryTransaction(tr);
        return { ...now, hits, index, isClosed: hits.length === 0 || wasClosed };
      },
    },
    view(view) {
      let loading = false;
      const load = async () => {
        loading = true;
        try {
          const { listOf } = await parts();
          const made = await listOf(name, view, (index) => take(view, index));
          // Plugins that are added later recreate the views of all others.
          if (list || view.isDestroyed) return made.destroy();
          list = made;
          view.dispatch(view.state.tr.setMeta(key, {}));
        } catch {
          // Without a network, the next key tries again.
          loading = false;
        }
        return undefined;
      };
      return {
        update() {
          const menu = key.getState(view.state);
          if (list) list.show(menu && !menu.isClosed && view.hasFocus() ? menu : undefined);
          else if (menu && !loading) load();
        },
        destroy() {
          list?.destroy();
          list = undefined;
        },
      };
    },
    props: {
      handleKeyDown(view, event) {
        const menu = key.getState(view.state);
        if (!menu || menu.isClosed || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
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

/** Lists that open on "/", "[[", "@" and ":". The menu of blocks types these too. */
export const lists = () => [
  suggest({ name: "blocks", sign: /(?:^|\s)\/([\w: ]{0,30})$/, length: 1 }),
  suggest({ name: "pages", sign: /\[\[([^\][]{0,40})$/, length: 2 }),
  suggest({ name: "mentions", sign: /(?:^|[\s(])@([\p{L}\p{N}][\p{L}\p{N} ._-]{0,30})?$/u, length: 1 }),
  // A single letter may be an emoticon.
  suggest({ name: "emoji", sign: /(?:^|\s):([a-z][a-z ]{1,20})$/, length: 1 }),
];
