// Words of blocks that comments quote. Concatenated with actions.js.

/** Returns the selected words; undefined if they are not in one line of a block, or too long for the API. */
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

/** Returns the range of words in their block: of the occurrence that is nearest to their offset. */
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

/** Marks words, which moves nothing. Browsers without highlights show the quotations above the comments. */
const highlight = (name, words, found) => {
  const ranges = words.flatMap((words) => rangesOf(words, found));
  if (globalThis.Highlight) CSS.highlights.set(name, new Highlight(...ranges));
  return ranges.length > 0;
};

/** The words that the new comment is about. */
let quoted;
/** Those, or the words of the comment that was chosen. */
let shownWords;

/** Marks words more strongly than others. Returns whether they are there. */
const showWords = (words, found = blocks()) => highlight("shown-comment", (shownWords = words) ? [words] : [], found);

const wordsOf = ({ id, dataset: { on, quote, offset } }) => quote && { id, key: on, text: quote, offset: Number(offset) };

/** Marks the words that the listed comments quote. */
const markQuotes = (found) => {
  const listed = [...document.querySelectorAll("[data-comments] [data-on][data-quote]")].map(wordsOf);
  highlight("comments", listed, found);
  showWords(shownWords === quoted ? quoted : listed.find(({ id }) => id === shownWords?.id), found);
};

/** Shows the words that the new comment is about, with a button that drops them. */
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
