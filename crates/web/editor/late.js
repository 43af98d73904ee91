// Plugins that are created on first use: toolbars, and the cursors between blocks and for drops.
import { Plugin } from "prosemirror-state";
import { parts } from "./later.js";

/** Screens with the bar above the keyboard instead of the toolbar for selected text. */
export const NARROW = matchMedia("(max-width: 860px)");

/** Returns a function that makes a plugin's view once. `make` receives the loaded parts of the editor. */
function lateView(make) {
  let inner;
  let isAsked = false;
  const load = async (view) => {
    if (isAsked) return;
    isAsked = true;
    try {
      const loaded = await parts();
      if (view.isDestroyed) return;
      inner = make(loaded, view);
      inner.update?.(view, view.state);
    } catch {
      // Without a network, the next use tries again.
      isAsked = false;
    }
  };
  const destroy = () => {
    inner?.destroy();
    inner = undefined;
    isAsked = false;
  };
  return { load, destroy, update: (view, before) => inner?.update?.(view, before) };
}

/** Toolbar of selected text, bar of narrow screens, and the key for links. */
export const toolbar = () => {
  const late = lateView((loaded, view) => loaded.bars(view));
  return new Plugin({
    view: () => ({
      update(view, before) {
        late.update(view, before);
        if (!view.state.selection.empty || NARROW.matches) late.load(view);
      },
      destroy: late.destroy,
    }),
    props: {
      handleKeyDown(view, event) {
        const isLink = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
        if (!isLink || view.state.selection.empty) return false;
        event.stopPropagation();
        parts().then(({ editLink }) => editLink(view), () => {});
        return true;
      },
    },
  });
};

/** Line at the drop position of a dragged block. */
export const drops = () => {
  const late = lateView((loaded, view) => loaded.dropCursor({ width: 2, color: false, class: "drop-line" }).spec.view(view));
  return new Plugin({
    view: () => late,
    props: { handleDOMEvents: { dragenter: (view) => void late.load(view) } },
  });
};

/** Cursor between blocks without text. */
export const gaps = () => {
  let props;
  const load = async () => {
    ({ props } = (await parts()).gapCursor());
  };
  const wanted = () => {
    if (!props) load().catch(() => {});
    return false;
  };
  return new Plugin({
    props: {
      decorations: (state) => props?.decorations(state),
      createSelectionBetween: (...all) => props?.createSelectionBetween(...all),
      handleClick: (...all) => props?.handleClick(...all) ?? false,
      handleKeyDown: (...all) => props?.handleKeyDown(...all) ?? false,
      handleDOMEvents: {
        pointerdown: wanted,
        keydown: wanted,
        beforeinput: (...all) => props?.handleDOMEvents.beforeinput(...all) ?? false,
      },
    },
  });
};
