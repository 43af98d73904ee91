// Comments on pages, blocks and change requests. Concatenated with actions.js.

const announced = make("p", { class: "hidden-text", role: "status" });
document.body.append(announced);

/** Moves unsent fields and edit forms to the elements that replace them. */
const carry = (shown, found) => {
  const active = shown.contains(document.activeElement) ? document.activeElement : undefined;
  const { selectionStart: start, selectionEnd: end } = active ?? {};
  for (const field of shown.querySelectorAll("[data-kept], [id='workspace:comment-on']")) {
    const other = found.querySelector(`[id="${field.id}"]`);
    other?.replaceWith(field);
  }
  for (const form of shown.querySelectorAll(".edit-comment")) {
    const post = postOf(found, form.dataset.path);
    if (post) editIn(post, form);
    // The comment is no longer listed. Keeps its text.
    else found.querySelector("h2")?.after(form);
  }
  return () => {
    if (!active?.isConnected || active === document.activeElement) return;
    active.focus({ preventScroll: true });
    if (typeof start === "number") active.setSelectionRange(start, end);
  };
};

/** Returns a comment or reply by its path. */
const postOf = (root, path) => root.querySelector(`[data-post="${CSS.escape(path)}"]`);

/** Replaces a comment by its edit form. */
const editIn = (post, form) => {
  post.querySelector(".document").replaceWith(form);
  for (const actions of post.querySelectorAll(".post-actions")) actions.remove();
};

/** Reloads the comments and everything that depends on them. */
const showComments = async (words) => {
  await keepAll();
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const symbols = document.querySelector("svg.symbols");
  for (const symbol of page.querySelectorAll("svg.symbols > symbol")) {
    if (!document.getElementById(symbol.id)) symbols?.append(document.adoptNode(symbol));
  }
  for (const shown of document.querySelectorAll("[data-live]")) {
    const found = page.querySelector(`[data-live="${shown.dataset.live}"]`);
    if (!found) continue;
    const refocus = carry(shown, found);
    shown.replaceWith(document.adoptNode(found));
    refocus();
  }
  announced.textContent = words;
  const comments = document.querySelector("[data-comments]");
  if (comments) await restoreFields(comments);
  arrange();
  if (quoted) {
    offerBlocks(quoted.key);
    quote(quoted);
  }
};

ACTIONS.comment = async ({ url, page: shown }, form, button) => {
  const about = button.closest(".composer") ? quoted : undefined;
  // Words in a difference name their page and block.
  const page = shown ?? about?.page;
  const node = form.get("node") || (about?.page && about.key);
  // The server must know the block of the comment.
  if (node) await editor()?.saved();
  const words = node && about?.key === node ? { quote: { text: about.text, offset: about.offset } } : {};
  await call("POST", url, { body: { markdown: form.get("text") }, ...(page ? { page } : {}), ...(node ? { node } : {}), ...words });
  // Keeps the words of the new comment when a reply is sent.
  if (button.closest(".composer")) quote();
  await forgetFields(button.form);
  await showComments("The comment was sent.");
  return null;
};

ACTIONS["change-comment"] = async ({ method, url, body }) => {
  await call(method, url, body === undefined ? undefined : JSON.parse(body));
  await showComments(method === "DELETE" ? "Deleted." : "The comment was changed.");
  document.getElementById("workspace:comments")?.scrollIntoView({ block: "nearest" });
  return null;
};

ACTIONS["edit-comment"] = async ({ url }, _, button) => {
  const path = button.closest("[data-post]").dataset.post;
  const { body } = await call("GET", `${url}?format=markdown`);
  const field = make("textarea", { name: "text", rows: "4", required: "", maxlength: "50000", "aria-label": "Text of the comment" });
  field.value = body.markdown;
  const save = make("button", { class: "btn primary", type: "submit", "data-action": "save-comment", "data-url": url }, "Save");
  const cancel = make("button", { class: "btn", type: "button" }, "Cancel");
  cancel.addEventListener("click", () => {
    form.remove();
    showComments("Nothing was changed.");
  });
  const form = make("form", { class: "edit-comment", "data-path": path }, field, make("div", { class: "buttons" }, cancel, save));
  // The comments may have been reloaded meanwhile.
  const post = postOf(document, path);
  if (!post) throw new Error("The comment is no longer listed.");
  editIn(post, form);
  field.focus();
  return null;
};

ACTIONS["save-comment"] = async ({ url }, form, button) => {
  await call("PUT", url, { body: { markdown: form.get("text") } });
  button.form.remove();
  await showComments("The comment was changed.");
  return null;
};

// Blocks of the page, and controls above them. The controls are outside the text, which the editor owns.
const page = document.querySelector("main.page");
const editor = () => page?.querySelector(".ProseMirror");
const blocks = () => {
  const edited = editor();
  if (edited?.blocks) return edited.blocks().filter(({ element }) => element instanceof HTMLElement);
  const shown = page?.querySelectorAll(":scope > article.document > [data-block]") ?? [];
  return [...shown].map((element) => ({ key: element.dataset.block, element }));
};
const wordsOfBlock = (element) => {
  const words = element.textContent.replace(/\s+/g, " ").trim();
  return words.length > 60 ? `${words.slice(0, 59)}…` : words || "Block without text";
};

const frame = make("div", { class: "block-frame", hidden: "" });
const here = make("button", { class: "btn comment-here", type: "button", hidden: "" }, "Comment");
const marks = make("div", { class: "block-marks" });
let current;
let selected;
let pointed;

/** Positions an element at the start or the end of a block. */
const lay = (element, block, isAtEnd, lower = 0) => {
  const [around, box] = [page.getBoundingClientRect(), block.getBoundingClientRect()];
  const top = box.top - around.top + lower;
  if (isAtEnd) {
    const left = Math.min(box.right - around.left + 8, around.width - element.offsetWidth - 8);
    // Narrow screens have it in the gap above the text.
    const above = left < box.right - around.left ? 20 : 0;
    Object.assign(element.style, { top: "0", left: "0", translate: `${left}px ${top - above}px` });
  } else {
    const left = box.left - around.left;
    Object.assign(element.style, { top: "0", left: "0", translate: `${left}px ${top}px`, width: `${box.width}px`, height: `${box.height}px` });
  }
};

const point = (key) => {
  pointed = key;
  const block = blocks().find((block) => block.key === key);
  frame.hidden = !block;
  if (block) lay(frame, block.element, false);
  return block;
};

/** Positions the marks at commented blocks. */
const arrange = () => {
  if (!page) return;
  const threads = new Map();
  for (const thread of document.querySelectorAll("[data-comments] [data-on]")) {
    threads.set(thread.dataset.on, [...(threads.get(thread.dataset.on) ?? []), thread]);
  }
  const found = blocks();
  const laid = [...threads].flatMap(([key, list]) => {
    const block = found.find((block) => block.key === key);
    if (!block) return [];
    const count = list.length === 1 ? "1 comment" : `${list.length} comments`;
    const mark = make("button", { class: "btn mark", type: "button", "data-at": key, "aria-label": `${count} on: ${wordsOfBlock(block.element)}` }, String(list.length));
    mark.addEventListener("click", () => {
      point(key);
      showPanel();
      list[0].focus();
      list[0].scrollIntoView({ block: "center" });
    });
    return [[mark, block]];
  });
  marks.replaceChildren(...laid.map(([mark]) => mark));
  for (const [mark, block] of laid) lay(mark, block.element, true);
  markQuotes(found);
  if (!frame.hidden) point(pointed);
  here.hidden = true;
};

/** Shows the comments in the side panel. */
const showPanel = () => document.dispatchEvent(new CustomEvent("quire:panel", { detail: "comments" }));

/** Opens the form for a comment on words, a block or the page. */
export const compose = (key, words) => {
  const field = document.getElementById("workspace:comment");
  if (!field) return;
  showPanel();
  offerBlocks(words?.key ?? key ?? "");
  point(words ? undefined : key);
  quote(words);
  field.focus();
  field.scrollIntoView({ block: "nearest" });
};

/** Fills the list of blocks. */
const offerBlocks = (key) => {
  const choice = document.getElementById("workspace:comment-on");
  if (!choice) return;
  const chosen = key ?? choice.value;
  const options = blocks().map(({ key, element }) => make("option", { value: key }, wordsOfBlock(element)));
  choice.replaceChildren(choice.options[0], ...options);
  choice.value = chosen;
};

const blockAt = (target) => blocks().find(({ element }) => element === target || element.contains(target));

if (page) {
  page.append(frame, marks, here);
  const offer = ({ target }) => {
    if (here.contains(target) || !document.getElementById("workspace:comment")) return;
    const block = blockAt(target);
    if (!block) return;
    // The button belongs to the selected words.
    if (selected && block.key !== selected.key) return;
    offerAt(block);
  };
  const offerAt = (block) => {
    current = block.key;
    here.hidden = false;
    lay(here, block.element, true, [...marks.children].some((mark) => mark.dataset.at === block.key) ? 36 : 0);
  };
  page.addEventListener("pointerover", offer);
  page.addEventListener("focusin", offer);
  document.addEventListener("selectionchange", () => {
    if (!document.getElementById("workspace:comment")) return;
    const before = selected;
    selected = selectedWords();
    // Each typed letter moves the caret.
    if (!before && !selected) return;
    here.textContent = selected ? "Comment on the words" : "Comment";
    const block = selected && blocks().find(({ key }) => key === selected.key);
    if (block) offerAt(block);
  });
  // Keeps the selection.
  here.addEventListener("pointerdown", (event) => event.preventDefault());
  page.addEventListener("pointerleave", () => {
    here.hidden = !selected && !page.contains(document.activeElement);
    if (selected) return;
    current = undefined;
  });
  page.addEventListener("quire:comment", ({ detail }) => compose(detail.key));
  here.addEventListener("click", () => compose(current ?? blockAt(document.activeElement)?.key, selected));
  const placed = new ResizeObserver(arrange);
  placed.observe(page);
  // The started editor replaces the text.
  new MutationObserver(arrange).observe(page, { childList: true });
  arrange();
}

document.addEventListener("focusin", ({ target }) => {
  if (target.matches?.("[id='workspace:comment'], [id='workspace:comment-on']")) offerBlocks();
});
document.addEventListener("change", ({ target }) => {
  if (target.id !== "workspace:comment-on") return;
  quote();
  point(target.value);
});
document.addEventListener("click", (event) => {
  const shown = event.target.closest?.("[data-show]");
  if (shown) {
    const thread = shown.closest("[data-on]");
    const block = point(thread.dataset.on);
    // Words are highlighted instead of their block.
    if (showWords(wordsOf(thread))) frame.hidden = true;
    block?.element.scrollIntoView({ block: "center" });
  }
  const filter = event.target.closest?.("[data-comments] nav a");
  if (!filter || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.replaceState(null, "", filter.href);
  showComments(`${filter.textContent} comments.`).then(() => {
    document.querySelector("[data-comments] nav [aria-current]")?.focus();
  });
});
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.getModifierState("AltGraph")) return;
  // The Markdown pane is in a shadow tree.
  const isInText = event.composedPath()[0].closest?.("input, textarea, select, [contenteditable]");
  const isPlain = event.key === "c" && !event.ctrlKey && !event.metaKey && !event.altKey && !isInText;
  const isInEditor = event.code === "KeyC" && event.ctrlKey && event.altKey;
  if (!isPlain && !isInEditor) return;
  if (document.querySelector("dialog[open]")) return;
  event.preventDefault();
  const at = isInEditor ? getSelection().anchorNode : document.activeElement;
  compose((isInEditor ? undefined : current) ?? blockAt(at)?.key, selectedWords());
});
