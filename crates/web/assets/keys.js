// Single keys outside text, and the list of all keys. Loaded with the first such key.

const { base, organization } = document.body.dataset;
const STORED = "quire-keys";
/** Time for the second key after G. */
const SECOND = 1_500;
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Groups of keys with what they do. A comma divides alternatives. */
const GROUPS = [
  ["Everywhere", [
    ["Ctrl K, /", "Search or jump to a page"],
    ["?", "This list"],
    ["G H", "Go to the start page"],
    ["G C", "Go to the change requests"],
    ["G S", "Go to the sites"],
    ["[", "Show or hide the navigation"],
    ["Ctrl Enter", "Send the text that is written"],
    ["Esc", "Close what is open"],
  ]],
  ["On a page", [
    ["E", "Edit the page"],
    ["N", "New page"],
    ["C", "Comment on a block, on selected words or on the page"],
    ["]", "Comments or outline"],
  ]],
  ["In a review", [
    ["J, K", "Next and previous change"],
    ["N, P", "Next and previous page"],
    ["V", "Mark the page as viewed"],
    ["A", "Approve"],
    ["R", "Request changes"],
    ["M", "Merge"],
  ]],
  ["In the tree of a change request", [
    ["F2", "Rename the page"],
    ["Ctrl Shift ↑, Ctrl Shift ↓", "Move the page among its siblings"],
    ["Ctrl Shift →, Ctrl Shift ←", "Move the page in or out"],
    ["Del, Ctrl Z", "Delete the page, undo"],
  ]],
  ["In the editor", [
    ["/", "Insert a block"],
    ["Ctrl B, Ctrl I, Ctrl E", "Bold, italic, code"],
    ["Ctrl Shift S", "Strikethrough"],
    ["Ctrl K", "Link"],
    ["Ctrl Alt 0, 1, 2, 3", "Paragraph, headings"],
    ["Ctrl Shift 7, 8, 9", "Numbered list, bulleted list, task list"],
    ["Tab, Shift Tab", "Deeper or less deep, next or previous cell"],
    ["Ctrl Enter", "Leave the block"],
    ["Alt ↑, Alt ↓", "Move the block or the row"],
    ["Alt Shift ←, Alt Shift →", "Move the column"],
    ["Ctrl D", "Duplicate the block"],
    ["Ctrl /", "Menu of the block"],
    ["Esc", "Select the block; Tab then leaves the text"],
    ["Ctrl Alt C", "Comment"],
    ["Ctrl Alt M", "Markdown and back"],
    ["Ctrl F", "Find and replace"],
    ["Ctrl S", "Save at once"],
    ["Ctrl Z, Ctrl Shift Z", "Undo, redo"],
  ]],
];

// Constructed, since only these pages need it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
.app[data-wide] { grid-template-columns: minmax(0, 1fr); }
.app[data-wide] > .nav { display: none; }
.keys input[type="search"] { inline-size: 100%; min-inline-size: 0; margin-block: 12px; }
.keys-list { max-block-size: 55vh; overflow-y: auto; }
.keys h3 { margin: 16px 0 4px; font-size: 0.8125rem; color: var(--muted); }
.keys table { inline-size: 100%; border-collapse: collapse; }
.keys th { padding: 6px 16px 6px 0; text-align: start; font-weight: 400; }
.keys td { padding-block: 6px; text-align: end; white-space: nowrap; }
.keys tr + tr { border-block-start: 1px solid var(--line); }
`);
document.adoptedStyleSheets.push(sheet);

const make = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

/** Returns the names of keys on the keyboard of this device. */
const named = (keys) => (isMac ? keys.replaceAll("Ctrl", "⌘").replaceAll("Alt", "⌥").replaceAll("Shift", "⇧") : keys);

const group = ([title, rows], index) => {
  const id = `keys:${index}`;
  const row = ([keys, effect]) => {
    const shown = named(keys).split(", ").flatMap((one) => [make("kbd", { class: "k" }, one), " "]);
    return make("tr", {}, make("th", { scope: "row" }, effect), make("td", {}, ...shown));
  };
  const table = make("table", { "aria-labelledby": id }, make("tbody", {}, ...rows.map(row)));
  return make("section", {}, make("h3", { id }, title), table);
};

/** Shows the rows that contain the words. */
const filter = (dialog, words) => {
  let count = 0;
  for (const section of dialog.querySelectorAll("section")) {
    const rows = [...section.querySelectorAll("tr")];
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(words.trim().toLowerCase());
    const shown = rows.filter((row) => !row.hidden).length;
    section.hidden = shown === 0;
    count += shown;
  }
  dialog.querySelector("[role=status]").textContent = words.trim() ? `Shortcuts: ${count}` : "";
};

/** Reads or writes whether single keys are off. Without storage, they are on. */
const areOff = (isOff) => {
  try {
    if (isOff === true) localStorage.setItem(STORED, "off");
    if (isOff === false) localStorage.removeItem(STORED);
    return localStorage.getItem(STORED) === "off";
  } catch {
    return false;
  }
};

/** Opens the list of keys. */
export const help = () => {
  const field = make("input", { type: "search", "aria-label": "Filter shortcuts", placeholder: "Filter shortcuts", autocomplete: "off" });
  const single = make("input", { type: "checkbox" });
  single.checked = !areOff();
  single.addEventListener("change", () => areOff(!single.checked));
  const close = make("button", { type: "button", class: "btn" }, "Close");
  const dialog = make("dialog", { class: "dialog keys", "aria-labelledby": "keys:title" },
    make("h2", { id: "keys:title" }, "Keyboard shortcuts"), field, make("p", { role: "status", class: "hidden-text" }),
    make("div", { class: "keys-list", tabindex: "0", role: "group", "aria-label": "All shortcuts" }, ...GROUPS.map(group)),
    make("label", { class: "tick" }, single, make("span", {}, "Use keys without Ctrl")),
    make("div", { class: "buttons" }, close));
  field.addEventListener("input", () => filter(dialog, field.value));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
};

/** Opens a page of the organization. */
const go = (path) => () => location.assign(organization ? `${base}/o/${organization}${path}` : `${base}/`);

const enabled = (selector) => document.querySelector(`${selector}:enabled`);

/** Shows or hides the navigation. On a narrow screen it is above the page. */
const toggleNav = () => {
  if (matchMedia("(max-width: 860px)").matches) document.getElementById("workspace:menu").togglePopover();
  else document.querySelector(".app").toggleAttribute("data-wide");
};

/** Link to the other part of the panel next to a page. */
const otherPanel = () => document.querySelector("[data-panel]:not([aria-current='true'])");
const newPage = () => enabled("button[data-dialog='workspace:new-page']");
const edit = () => enabled("button[data-action='edit']");
const isFramed = () => Boolean(document.querySelector(".app"));
const inOrganization = () => Boolean(organization);

/** Actions with their keys. An action without its element on the page is left out. */
const ACTIONS_OF_KEYS = [
  { title: "Edit the page", keys: "E", kind: "pencil", isThere: edit, act: () => edit()?.click() },
  // In a review, N leads to the next page.
  { title: "New page", keys: "N", kind: "plus", isThere: () => !document.querySelector("[data-review]") && newPage(), act: () => newPage()?.click() },
  { title: "Comments or outline", keys: "]", kind: "message-square", isThere: otherPanel, act: () => otherPanel()?.click() },
  { title: "Show or hide the navigation", keys: "[", kind: "menu", isThere: isFramed, act: toggleNav },
  { title: "Go to the start page", keys: "G H", kind: "house", act: go("") },
  { title: "Go to the change requests", keys: "G C", kind: "git-pull-request", isThere: inOrganization, act: go("/changes") },
  { title: "Go to the sites", keys: "G S", kind: "globe", isThere: inOrganization, act: go("/sites") },
  { title: "Keyboard shortcuts", keys: "?", kind: "list", act: help },
];

/** Returns the possible actions on the page. */
const actions = () => ACTIONS_OF_KEYS.filter(({ isThere }) => !isThere || isThere());

let isSecond = false;

/** Runs the action of a key, or of G and a second key. */
export const press = (key) => {
  const keys = isSecond ? `G ${key.toUpperCase()}` : key.toUpperCase();
  isSecond = key === "g" && !isSecond;
  if (isSecond) setTimeout(() => (isSecond = false), SECOND);
  actions().find((action) => action.keys === keys)?.act();
};
