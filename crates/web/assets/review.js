// Review of a change request: viewed pages, comments on changed words, and keys.

import { ACTIONS, call, compose, make, run, say } from "./actions.js";

/** Merges or updates a change request. Opens its conflicts, if any. */
ACTIONS.merge = async ({ url, conflicts, bypass }) => {
  const answer = await call("POST", url, bypass === undefined ? {} : { bypassRules: true });
  return answer.result === "conflicts" ? conflicts : undefined;
};

ACTIONS["ask-reviewer"] = async ({ url }, form) => {
  await call("POST", url, { users: [form.get("users")] });
};

// Loads the members who can review.
addEventListener("click", async ({ target }) => {
  const ask = target.closest?.("[data-members] > button")?.parentElement;
  if (!ask || ask.querySelector("option + option")) return;
  const found = await call("GET", ask.dataset.members).catch((error) => say(ask.querySelector("select"), error.message));
  const items = found?.items ?? [];
  const people = items.filter(({ id }) => id !== document.body.dataset.person);
  if (found && people.length === 0) say(ask.querySelector("select"), "There are no other members.", "status");
  ask.querySelector("select").append(...people.map(({ id, user }) => make("option", { value: id }, user.displayName)));
});

/** Marks the pages with ticked boxes as viewed. */
ACTIONS.viewed = async (_, __, control) => {
  const progress = document.querySelector("[data-viewed]");
  const { viewed, total, others } = progress.dataset;
  const pages = JSON.parse(others);
  for (const box of document.querySelectorAll("input[data-action='viewed']:checked")) {
    pages[box.dataset.page] = box.dataset.document ?? null;
  }
  try {
    await call("PUT", viewed, { pages });
  } catch (error) {
    control.checked = !control.checked;
    throw error;
  }
  progress.textContent = `${Object.keys(pages).length} of ${total} viewed`;
  return null;
};

document.addEventListener("change", (event) => {
  if (event.target.matches("input[data-action='viewed']")) run(event.target);
});

/** Pages with differences, in order. */
const sections = () => [...document.querySelectorAll("section.diff")];

/** Returns the index of the last element that begins in the upper third of the window, or -1. */
const currentOf = (elements) => elements.findLastIndex((element) => element.getBoundingClientRect().top < innerHeight / 3);

/** Focuses the next or previous element. */
const step = (elements, by) => {
  const focused = elements.findIndex((element) => element.contains(document.activeElement));
  const at = focused < 0 ? currentOf(elements) : focused;
  const element = elements[Math.min(Math.max(at + by, 0), elements.length - 1)];
  if (!element) return;
  element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "start" });
};

/** Focuses the next or previous change. */
const stepChange = (by) => step([...document.querySelectorAll("section.diff .chg")], by);

// Buttons for the same, for touch screens.
const steps = document.querySelector("[data-steps]");
if (steps) {
  const current = steps.querySelector("[role='status']");
  steps.addEventListener("click", ({ target }) => {
    const by = Number(target.closest("[data-step]")?.dataset.step ?? 0);
    if (by) stepChange(by);
  });
  // The focus stays on the change.
  steps.addEventListener("mousedown", (event) => event.preventDefault());
  const show = () => {
    const all = [...document.querySelectorAll("section.diff .chg")];
    const at = all.findIndex((change) => change.contains(document.activeElement));
    if (at >= 0 || !current.textContent) current.textContent = `${at < 0 ? "–" : at + 1} of ${all.length}`;
  };
  document.addEventListener("focusin", show);
  show();
}

/** Clicks the button with this key. */
const press = (key) => document.querySelector(`button[data-key='${key}']:enabled`)?.click();

/** Toggles the box of the focused page, or of the visible one. */
const toggleViewed = () => {
  const boxes = [...document.querySelectorAll("input[data-action='viewed']")];
  const inList = boxes.find((box) => box.closest("li").contains(document.activeElement));
  const all = sections();
  const focused = all.find((section) => section.contains(document.activeElement));
  const page = (focused ?? all[currentOf(all)])?.dataset.page;
  const box = inList ?? boxes.find((one) => one.dataset.page === page) ?? boxes[0];
  box?.click();
};

/** Elements with text of their own. The words of a comment are within one of them. */
const LINES = "p, li, td, th, h2, h3, h4, h5, h6, .line";
/** Maximum length of a quote. */
const MOST_WORDS = 1_000;

/** Returns the selected words in the later version of a block, within a single line. */
const wordsIn = (block, range) => {
  let [before, selected, line] = ["", "", undefined];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (node.parentElement.closest("del, .tagline, .sign")) continue;
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.length;
    const part = range.intersectsNode(node) ? node.data.slice(from, to) : "";
    const own = node.parentElement.closest(LINES);
    if (selected.trim() && (!part || own !== line)) break;
    if (selected.trim()) {
      selected += part;
      continue;
    }
    before += selected + node.data.slice(0, part ? from : node.length);
    selected = part;
    line = own;
  }
  const text = selected.trim();
  if (!text || text.length > MOST_WORDS) return undefined;
  const offset = [...before + selected.slice(0, selected.search(/\S/))].length;
  return { page: block.closest("section").dataset.page, key: block.dataset.block, text, offset };
};

/** Returns the selected words in the first changed block with any. */
const selectedInDifferences = () => {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  for (const block of document.querySelectorAll("section.diff .chg[data-block]")) {
    const words = range.intersectsNode(block) && wordsIn(block, range);
    if (words) return words;
  }
  return undefined;
};

const offer = make("button", { class: "btn comment-here", type: "button", hidden: "" }, "Comment on the words");
let words;

document.addEventListener("selectionchange", () => {
  // The comment field has a selection of its own.
  if (document.activeElement?.closest(".composer")) return;
  words = selectedInDifferences();
  offer.hidden = !words;
  if (!words) return;
  const section = document.querySelector(`section.diff[data-page="${words.page}"]`);
  if (offer.parentElement !== section) section.append(offer);
  const [box, around] = [getSelection().getRangeAt(0).getBoundingClientRect(), section.getBoundingClientRect()];
  const left = Math.max(8, Math.min(box.left - around.left, around.width - offer.offsetWidth - 8));
  Object.assign(offer.style, { top: "0", left: "0", translate: `${left}px ${Math.min(box.bottom - around.top + 8, around.height - 40)}px` });
});
// The browser reports a new selection after pending keys.
document.addEventListener("keydown", ({ key }) => {
  if (key === "c" && !document.activeElement?.closest(".composer")) words = selectedInDifferences();
}, true);
// Keeps the selection.
offer.addEventListener("pointerdown", (event) => event.preventDefault());
offer.addEventListener("click", () => {
  compose(undefined, words);
  offer.hidden = true;
});

const KEYS = {
  c: () => words && compose(undefined, words),
  j: () => stepChange(1),
  k: () => stepChange(-1),
  n: () => step(sections(), 1),
  p: () => step(sections(), -1),
  v: toggleViewed,
  a: () => press("a"),
  r: () => press("r"),
  m: () => press("m"),
};

document.addEventListener("keydown", (event) => {
  if (!document.querySelector("[data-review]") || event.isComposing || document.querySelector("dialog[open]")) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.getModifierState("AltGraph")) return;
  if (event.target.matches?.("input:not([type='checkbox']), textarea, select, [contenteditable], [contenteditable] *")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
