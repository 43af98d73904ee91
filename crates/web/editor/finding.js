// Opens find and replace. The bar (find.js) is loaded with the first search.
import { Plugin, PluginKey } from "prosemirror-state";
import { parts } from "./later.js";

/** Key of the plugin whose state has the matches. */
export const key = new PluginKey("find");

export const find = () => {
  let bar;
  let found;
  /** Text typed for the bar while it loads. */
  let early;
  const open = async (view) => {
    if (bar) return bar.open();
    early = "";
    try {
      const loaded = await parts();
      found = loaded.found;
      bar = new loaded.Bar(view);
      bar.open();
      if (early) bar.lookFor(early);
    } catch {
      view.dispatch(view.state.tr.insertText(early));
    } finally {
      early = undefined;
    }
    return undefined;
  };
  return new Plugin({
    key,
    state: {
      init: () => null,
      apply: (tr, before) => (found ? found(tr, before) : null),
    },
    view: () => ({
      update: (view, before) => bar?.update(view, before),
      destroy: () => bar?.destroy(),
    }),
    props: {
      decorations: (state) => key.getState(state)?.decorations,
      handleKeyDown(view, event) {
        const isCommand = event.ctrlKey || event.metaKey;
        // Commands may need the parts with the next key.
        if (isCommand) parts().catch(() => {});
        if (early !== undefined && !isCommand && event.key.length === 1) {
          early += event.key;
          return true;
        }
        const isFind = isCommand && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "f";
        if (isFind && early === undefined) open(view);
        return isFind;
      },
    },
  });
};
