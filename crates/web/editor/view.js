// Editor of a document.
import { history } from "prosemirror-history";
import { EditorState, Plugin, Selection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { blockViews, used } from "./blocks.js";
import { colors } from "./colors.js";
import { fromDocument, toDocument } from "./convert.js";
import { find } from "./finding.js";
import { handle } from "./handle.js";
import { keys, signs } from "./keys.js";
import { drops, gaps, toolbar } from "./late.js";
import { changesOfOthers, differences, textsOf } from "./merging.js";
import { paste } from "./paste.js";
import { blockRange } from "./range.js";
import { schema } from "./schema.js";
import { shownIn } from "./shown.js";
import { lists } from "./suggest.js";
import { alignment, cells } from "./tables.js";
import { uploads } from "./uploads.js";

/** Removes keys that a split or paste duplicated, since keys are unique. */
const uniqueKeys = new Plugin({
  appendTransaction(transactions, _, state) {
    if (!transactions.some((tr) => tr.docChanged)) return null;
    const seen = new Set();
    let tr = null;
    state.doc.descendants((node, at) => {
      const { key } = node.attrs;
      if (key == null) return;
      if (seen.has(key)) tr = (tr ?? state.tr).setNodeAttribute(at, "key", null);
      seen.add(key);
    });
    return tr;
  },
});

/**
 * Reads the position of the caret before a key or a change by others. The browser reports a moved caret only after
 * pending events: the second of two fast keys would act at the former position, or a change would move the caret back.
 */
function takeCaret(view) {
  if (!view.composing) view.domObserver.flush();
  return false;
}

/** An empty document has a paragraph to type into. It is not stored. */
function withCaret(doc) {
  return doc.childCount > 0 ? doc : doc.copy(doc.content.addToEnd(schema.nodes.paragraph.create()));
}

function isBlank(doc) {
  return doc.childCount === 1 && doc.firstChild.type === schema.nodes.paragraph && doc.firstChild.content.size === 0;
}

export class Editor {
  /**
   * @param place    element that the editor replaces: the page as the server shows it
   * @param document document of the page
   * @param label    title of the page, for screen readers
   * @param request  address of the change request in the API
   * @param onChange is called after each change of the document
   */
  constructor({ place, document: json, label, request, onChange }) {
    const doc = withCaret(fromDocument(json));
    const shown = shownIn(doc, place);

    this.onChange = onChange;
    this.request = request;
    this.view = new EditorView(null, {
      state: this.stateOf(doc, shown),
      attributes: { class: "document", role: "textbox", "aria-multiline": "true", "aria-label": label, ...(place.dir ? { dir: place.dir } : {}) },
      // Keeps the caret above the bar of narrow screens.
      scrollThreshold: { top: 0, right: 0, bottom: 64, left: 0 },
      scrollMargin: { top: 5, right: 5, bottom: 72, left: 5 },
      nodeViews: blockViews(shown, request),
      handleDOMEvents: { keydown: takeCaret, paste: takeCaret },
      dispatchTransaction: (tr) => {
        this.view.updateState(this.view.state.apply(tr));
        if (tr.docChanged && !tr.getMeta("others")) this.onChange();
      },
    });
    place.replaceWith(this.view.dom);
    // Bars and lists are placed by the position of the text, which another width changes.
    const lay = () => (this.view.isDestroyed ? removeEventListener("resize", lay) : this.view.updateState(this.view.state));
    addEventListener("resize", lay);
  }

  stateOf(doc, shown) {
    const plugins = [
      uploads(this.request), ...lists(), find(), paste, toolbar(), handle(), blockRange, colors(doc, shown), used, uniqueKeys, signs, history(), ...keys,
      gaps(), drops(), alignment, cells(),
    ];
    return EditorState.create({ doc, plugins });
  }

  /** Returns the document. */
  document() {
    const { doc } = this.view.state;
    return isBlank(doc) ? { object: "document", data: doc.attrs.data, nodes: [] } : toDocument(doc);
  }

  /**
   * Merges changes by others since the document was sent. Returns `false` if they changed a block with later input; the
   * next save merges it then. `isOwn` is true for the user's changes in another view of the page.
   */
  merge(sent, merged, isOwn = false) {
    takeCaret(this.view);
    const { state } = this.view;
    const changes = changesOfOthers(...[sent, merged, this.document()].map(({ nodes }) => textsOf(nodes)));
    if (!changes) return false;
    const tr = isOwn ? state.tr : state.tr.setMeta("others", true).setMeta("addToHistory", false);
    // The paragraph of an empty document is not one of its blocks.
    const isEmpty = isBlank(state.doc);
    // From last to first, so that positions remain valid.
    for (const { from, to, start, end } of changes.reverse()) {
      const { content } = fromDocument({ ...merged, nodes: merged.nodes.slice(start, end) });
      tr.replaceWith(isEmpty ? 0 : positionOf(state.doc, from), isEmpty ? state.doc.content.size : positionOf(state.doc, to), content);
    }
    if (tr.doc.childCount === 0) tr.insert(0, schema.nodes.paragraph.create());
    this.view.dispatch(tr);
    return true;
  }

  /** Applies the user's changes in another view of the document. Blocks that others changed too are kept next to them. */
  take(before, after) {
    if (this.merge(before, after, true)) return;
    for (const { to, start, end } of differences(textsOf(before.nodes), textsOf(after.nodes)).reverse()) {
      this.insertAfter(to - 1, after.nodes.slice(start, end));
    }
  }

  /** Replaces the document, as a change that can be undone. */
  replace(json) {
    const { state } = this.view;
    this.view.dispatch(state.tr.replaceWith(0, state.doc.content.size, withCaret(fromDocument(json)).content));
  }

  /** Inserts blocks after the block with an index, in place of a number of blocks that end with it. */
  insertAfter(index, blocks, replaced = 0) {
    const { doc, tr } = this.view.state;
    const end = Math.min(index + 1, doc.childCount);
    const { content } = fromDocument({ object: "document", data: {}, nodes: blocks });
    tr.replaceWith(positionOf(doc, Math.max(0, end - replaced)), positionOf(doc, end), content);
    if (tr.doc.childCount === 0) tr.insert(0, schema.nodes.paragraph.create());
    this.view.dispatch(tr.scrollIntoView());
  }

  /** Returns the blocks of the text with their document keys: the given key, or the index. */
  blocks() {
    const found = [];
    this.view.state.doc.forEach((node, at, index) => {
      found.push({ key: node.attrs.key ?? String(index), element: this.view.nodeDOM(at) });
    });
    return found;
  }

  /** Returns the index of the block with the caret. */
  block() {
    const { doc, selection } = this.view.state;
    return Math.min(selection.$from.index(0), doc.childCount - 1);
  }

  /** Focuses the editor, with the caret in the block with an index. */
  focusBlock(index) {
    const { doc, tr } = this.view.state;
    const at = positionOf(doc, Math.min(index, doc.childCount - 1));
    this.view.focus();
    this.view.dispatch(tr.setSelection(Selection.near(doc.resolve(Math.min(at + 1, doc.content.size)))).scrollIntoView());
  }

  /** Sets whether the text is editable. */
  setEditable(isEditable) {
    this.view.setProps({ editable: () => isEditable });
  }

  /** Focuses the editor, with the caret near a point of the window if given. */
  focus(point) {
    this.view.focus();
    const found = point && this.view.posAtCoords(point);
    if (found) this.view.dispatch(this.view.state.tr.setSelection(Selection.near(this.view.state.doc.resolve(found.pos))));
  }
}

/** Returns the position before the block with an index. */
function positionOf(doc, index) {
  let at = 0;
  for (let before = 0; before < index; before += 1) at += doc.child(before).nodeSize;
  return at;
}
