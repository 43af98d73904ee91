// Selection of several adjacent blocks.
import { NodeSelection, Plugin, Selection, SelectionRange } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";

/** Returns the position after the block at a position. */
const behind = (doc, at) => at + doc.nodeAt(at).nodeSize;

/** Selection of sibling blocks. Anchor and head are the positions before the first and last selected block. */
export class BlockSelection extends Selection {
  constructor(doc, anchor, head) {
    const [first, last] = [Math.min(anchor, head), Math.max(anchor, head)];
    super(doc.resolve(anchor), doc.resolve(head), [new SelectionRange(doc.resolve(first), doc.resolve(behind(doc, last)))]);
    // Shown by CSS classes of the blocks.
    this.visible = false;
  }

  eq(other) {
    return other instanceof BlockSelection && other.anchor === this.anchor && other.head === this.head;
  }

  map(doc, mapping) {
    const ends = [this.anchor, this.head].map((at) => mapping.mapResult(at));
    const [$anchor, $head] = ends.map(({ pos }) => doc.resolve(pos));
    const isWhole = !ends.some((end) => end.deletedAfter) && $anchor.nodeAfter?.isBlock && $head.nodeAfter?.isBlock && $anchor.sameParent($head);
    return isWhole ? new BlockSelection(doc, $anchor.pos, $head.pos) : Selection.near($head);
  }

  toJSON() {
    return { type: "blocks", anchor: this.anchor, head: this.head };
  }

  static fromJSON(doc, { anchor, head }) {
    return new BlockSelection(doc, anchor, head);
  }
}
Selection.jsonID("blocks", BlockSelection);

/** Returns whether one or several whole blocks are selected. */
export const hasBlocks = ({ selection }) => selection instanceof BlockSelection || Boolean(selection.node?.isBlock);

/** Returns the selection of the blocks between two positions. */
export const between = (doc, anchor, head) => (anchor === head ? NodeSelection.create(doc, anchor) : new BlockSelection(doc, anchor, head));

/** Extends or reduces the selection by a block in a direction. */
export const extend = (by) => (state, dispatch) => {
  if (!hasBlocks(state)) return false;
  const { doc, selection } = state;
  const anchor = selection.node ? selection.from : selection.anchor;
  const head = selection.node ? selection.from : selection.head;
  const $next = doc.resolve(by < 0 ? head : behind(doc, head));
  const next = by < 0 ? $next.nodeBefore : $next.nodeAfter;
  if (next) dispatch?.(state.tr.setSelection(between(doc, anchor, by < 0 ? head - next.nodeSize : $next.pos)).scrollIntoView());
  return true;
};

/** Shows which blocks are selected. */
export const blockRange = new Plugin({
  props: {
    decorations({ doc, selection }) {
      if (!(selection instanceof BlockSelection)) return null;
      const shown = [];
      for (let at = selection.from; at < selection.to; at = behind(doc, at)) {
        shown.push(Decoration.node(at, behind(doc, at), { class: "selected-block" }));
      }
      return DecorationSet.create(doc, shown);
    },
  },
});
