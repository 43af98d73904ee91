// Handle of a block: a button that adds a block below it, and one that drags it or opens its menu.
import { NodeSelection, Plugin } from "prosemirror-state";
import { element } from "./element.js";
import { parts } from "./later.js";
import { addBelow, blockAround, currentBlock } from "./moves.js";
import { BlockSelection } from "./range.js";
/** Gap between the handle and the text. */
const GAP = 8;

/** Returns the position of the block at a point of the window. */
function blockAtPoint(view, point) {
  const found = view.posAtCoords(point);
  if (!found) return undefined;
  const { doc } = view.state;
  if (found.inside < 0) return blockAround(doc.resolve(found.pos));
  const node = doc.nodeAt(found.inside);
  return node.isBlock && node.isAtom ? found.inside : blockAround(doc.resolve(found.inside + (node.isLeaf ? 0 : 1)));
}

class Handle {
  constructor(view) {
    this.view = view;
    this.at = undefined;
    this.add = element("button", { type: "button", "aria-label": "Add a block below" }, "+");
    this.grip = element("button", { type: "button", "aria-label": "Actions of the block", "aria-haspopup": "menu", draggable: "true", title: "Drag to move, click for actions (Ctrl-/)" });
    this.words = element("span", { class: "hidden-text", role: "status" });
    this.dom = element("div", { class: "block-handle", hidden: true, dir: view.dom.dir }, this.add, this.grip, this.words);
    this.add.addEventListener("click", () => this.run(addBelow("/")));
    this.grip.addEventListener("click", () => this.open());
    this.grip.addEventListener("dragstart", (event) => this.drag(event));
    this.grip.addEventListener("dragend", () => (view.dragging = null));
    this.point = ({ clientX: left, clientY: top }) => this.show(blockAtPoint(view, { left, top }));
    view.dom.addEventListener("pointermove", this.point);
    // Another width changes line breaks, and an opening panel moves the text.
    this.sizes = new ResizeObserver(() => this.show(this.at));
    this.sizes.observe(view.dom);
  }

  update(view, before) {
    const { doc, selection } = view.state;
    if (before && before.doc.eq(doc) && before.selection.eq(selection)) return;
    this.show(currentBlock(view.state));
    const { from, to } = selection;
    const isRange = selection instanceof BlockSelection;
    this.words.textContent = isRange ? `${doc.slice(from, to).content.childCount} blocks are selected.` : "";
  }

  /** Shows the handle at the block at a position. */
  show(at) {
    const { view } = this;
    this.at = at;
    const shown = at === undefined ? undefined : view.nodeDOM(at);
    this.dom.hidden = !view.editable || view.dom.hidden || !(shown instanceof HTMLElement);
    if (this.dom.hidden) return;
    if (!this.dom.isConnected) {
      view.dom.after(this.dom);
      this.sizes.observe(this.dom.offsetParent);
    }
    const around = this.dom.offsetParent.getBoundingClientRect();
    const box = shown.getBoundingClientRect();
    // The side on which lines start.
    const text = view.dom.getBoundingClientRect();
    const left = view.dom.dir === "rtl" ? text.right + GAP : text.left - this.dom.offsetWidth - GAP;
    const line = Math.min(parseFloat(getComputedStyle(shown).lineHeight) || 24, box.height);
    const top = box.top + Math.max(0, line - 24) / 2;
    this.dom.style.translate = `${left - around.left}px ${top - around.top}px`;
  }

  select() {
    const { view, at } = this;
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, at)));
  }

  /** Runs a command on the block. Keeps the caret in it. */
  run(command) {
    const { view, at } = this;
    if (currentBlock(view.state) !== at) this.select();
    command(view.state, view.dispatch, view);
    view.focus();
  }

  drag(event) {
    const { view } = this;
    this.select();
    const slice = view.state.selection.content();
    const { dom, text } = view.serializeForClipboard(slice);
    event.dataTransfer.setData("text/html", dom.innerHTML);
    event.dataTransfer.setData("text/plain", text);
    event.dataTransfer.effectAllowed = "copyMove";
    event.dataTransfer.setDragImage(view.nodeDOM(this.at), 0, 0);
    view.dragging = { slice, move: true, node: view.state.selection };
  }

  /** Opens the menu of the block. */
  async open() {
    try {
      (await parts()).openActions(this);
    } catch {
      // Without a network, the next press tries again.
    }
  }

  destroy() {
    this.sizes.disconnect();
    this.view.dom.removeEventListener("pointermove", this.point);
    this.dom.remove();
  }
}

export const handle = () => {
  let shown;
  return new Plugin({
    view: (view) => (shown = new Handle(view)),
    props: {
      handleKeyDown(view, event) {
        if (event.key !== "/" || !(event.ctrlKey || event.metaKey)) return false;
        shown.show(currentBlock(view.state));
        if (shown.at === undefined) return false;
        shown.open();
        return true;
      },
    },
  });
};
