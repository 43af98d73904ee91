// Quoted words of comments. Concatenated with actions.js.

/** Returns the selected words. Undefined if they span lines or exceed the limit of the API. */
const selectedWords = () => {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed || String(selection).trim().includes("\n")) return undefined;
  const range = selection.getRangeAt(0);
  const selected = String(range);
  const text = selected.trim();
  const block = blockAt(range.commonAncestorContainer);
  if (!block || !text || text.length > 1_000) return undefined;
  const before = document.createRange();
  before.selectNodeContents(block.element);
  before.setEnd(range.startContainer, range.startOffset);
  return { key: block.key, text, offset: [...String(before) + selected.slice(0, selected.search(/\S/))].length };
};

/** Returns the range of words in their block: the occurrence nearest to their offset. */
const rangesOf = ({ key, text, offset }, found) => {
  const element = found.find((block) => block.key === key)?.element;
  const whole = element?.textContent ?? "";
  const near = [...whole].slice(0, offset).join("").length;
  const [before, after] = [whole.lastIndexOf(text, near), whole.indexOf(text, near)];
  const start = before < 0 || (after >= 0 && after - near < near - before) ? after : before;
  if (start < 0) return [];
  const end = start + text.length;
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let from = 0, to; walker.nextNode(); from = to) {
    to = from + walker.currentNode.length;
    if (start >= from && start < to) range.setStart(walker.currentNode, start - from);
    if (end > from && end <= to) range.setEnd(walker.currentNode, end - from);
  }
  return [range];
};

/** Highlights words without a layout shift. Browsers without highlights show the quotes above comments. */
const highlight = (name, words, found) => {
  const ranges = words.flatMap((words) => rangesOf(words, found));
  if (globalThis.Highlight) CSS.highlights.set(name, new Highlight(...ranges));
  return ranges.length > 0;
};

/** Words for the new comment. */
let quoted;
/** These, or the words of the chosen comment. */
let shownWords;

/** Highlights words strongly. Returns whether they exist. */
const showWords = (words, found = blocks()) => highlight("shown-comment", (shownWords = words) ? [words] : [], found);

const wordsOf = ({ id, dataset: { on, quote, offset } }) => quote && { id, key: on, text: quote, offset: Number(offset) };

/** Highlights the quotes of listed comments. */
const markQuotes = (found) => {
  const listed = [...document.querySelectorAll("[data-comments] [data-on][data-quote]")].map(wordsOf);
  highlight("comments", listed, found);
  showWords(shownWords === quoted ? quoted : listed.find(({ id }) => id === shownWords?.id), found);
};

/** Shows the words for the new comment, with a button to drop them. */
const quote = (words) => {
  quoted = words;
  const field = document.getElementById("workspace:comment");
  if (!field) return;
  field.form.querySelector(".quoted")?.remove();
  field.removeAttribute("aria-describedby");
  showWords(words);
  if (!words) return;
  const drop = make("button", { class: "btn", type: "button" }, words.page ? "Whole change request" : "Whole block");
  drop.addEventListener("click", () => {
    quote();
    field.focus();
  });
  field.setAttribute("aria-describedby", "workspace:quoted");
  field.form.prepend(make("div", { class: "quoted" }, make("p", { class: "on", id: "workspace:quoted" }, `“${words.text}”`), drop));
};
