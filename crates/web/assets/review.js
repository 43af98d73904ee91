// Review of a change request: marks of viewed pages, comments on changed words, and keys.

import { ACTIONS, call, compose, make, run } from "./actions.js";

/** Marks the listed pages as viewed whose boxes are ticked. */
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

/** Pages with differences, in their order. */
const sections = () => [...document.querySelectorAll("section.diff")];

/** The last of some elements that begins above a third of the window, or -1. */
const currentOf = (elements) => elements.findLastIndex((element) => element.getBoundingClientRect().top < innerHeight / 3);

/** Leads to the next or previous of some elements. */
const step = (elements, by) => {
  const focused = elements.findIndex((element) => element.contains(document.activeElement));
  const at = focused < 0 ? currentOf(elements) : focused;
  const element = elements[Math.min(Math.max(at + by, 0), elements.length - 1)];
  if (!element) return;
  element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "start" });
};

/** Opens a dialog by the button with this key. */
const press = (key) => document.querySelector(`button[data-key='${key}']:enabled`)?.click();

/** Ticks the box of the page in focus, or of the page whose differences are in view. */
const toggleViewed = () => {
  const boxes = [...document.querySelectorAll("input[data-action='viewed']")];
  const inList = boxes.find((box) => box.closest("li").contains(document.activeElement));
  const all = sections();
  const focused = all.find((section) => section.contains(document.activeElement));
  const page = (focused ?? all[currentOf(all)])?.dataset.page;
  const box = inList ?? boxes.find((one) => one.dataset.page === page) ?? boxes[0];
  box?.click();
};

const KEYS = {
  j: () => step([...document.querySelectorAll("section.diff .chg")], 1),
  k: () => step([...document.querySelectorAll("section.diff .chg")], -1),
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
