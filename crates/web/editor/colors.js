// The colors of listings that the server has written. They move along with the text. New text has none until the page is
// opened again.
import { Plugin } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { schema } from "./schema.js";

/** Adds the colors of a listing at a position to what is found. */
function colorsOf(listing, at, shown, found) {
  const code = shown?.querySelector("pre code");
  if (code?.textContent.trimEnd() !== listing.textBetween(0, listing.content.size, "\n", "\uFFFC").trimEnd()) return;
  // Each line has its own two ends where the text has one line break.
  let from = at + 2;
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentNode } = walker.currentNode;
    const { className } = parentNode;
    if (className.length === 1) found.push(Decoration.inline(from, from + data.length, { class: className }));
    from += data.length + data.split("\n").length - 1;
  }
}

export const colors = (doc, shown) =>
  new Plugin({
    state: {
      init: () => {
        const found = [];
        doc.descendants((node, at) => {
          if (node.type === schema.nodes.code) colorsOf(node, at, shown.get(node)?.[0], found);
          return node.type !== schema.nodes.code && !node.isTextblock;
        });
        return DecorationSet.create(doc, found);
      },
      apply: (tr, set) => set.map(tr.mapping, tr.doc),
    },
    props: {
      decorations(state) {
        return this.getState(state);
      },
    },
  });
