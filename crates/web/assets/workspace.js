// Palette, and tree levels that are loaded on demand. Pages work without this script.

const { search, organization, base, sprite, commands } = document.body.dataset;

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const icon = (name) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${sprite}#${name}`);
  svg.append(use);
  return svg;
};

// Levels of the tree: the loaded level replaces the link to it.
const load = async (link) => {
  link.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(link.href, { headers: { Accept: "text/html" } });
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const items = page.querySelectorAll("[id='workspace:level'] > ul > li");
    const symbols = page.querySelectorAll("svg.symbols > symbol");
    const known = document.querySelector("svg.symbols");
    for (const symbol of symbols) if (!document.getElementById(symbol.id)) known?.append(document.adoptNode(symbol));
    const had = document.activeElement === link;
    const item = link.closest("li");
    item.replaceWith(...[...items].map((found) => document.adoptNode(found)));
    if (had) items[0]?.querySelector("a, summary")?.focus();
  } catch {
    link.textContent = "The pages could not be loaded. Try again";
  } finally {
    link.removeAttribute("aria-busy");
  }
};

addEventListener("toggle", (event) => {
  const link = event.target.matches?.(".tree details[open]") && event.target.querySelector(":scope > ul > li:only-child > a[data-more]");
  if (link) load(link);
}, true);

addEventListener("click", (event) => {
  const more = event.target.closest?.(".tree a[data-more]");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (more && isPlain) {
    event.preventDefault();
    load(more);
  }
  if (event.target.closest?.("[data-palette]") && isPlain) {
    event.preventDefault();
    open();
  }
});

// Side panel with comments or outline.
const panel = document.querySelector("[data-shown]");
// Narrow screens have everything below the page, and their links scroll there.
const isBeside = matchMedia("(min-width: 1241px)");
const markPanel = () => {
  for (const link of panel.querySelectorAll("[data-panel]")) link.ariaCurrent = isBeside.matches && link.dataset.panel === panel.dataset.shown;
};
const showPanel = ({ detail: name }) => {
  if (!panel) return;
  panel.dataset.shown = name;
  markPanel();
};
document.addEventListener("quire:panel", showPanel);
if (panel) {
  isBeside.addEventListener("change", markPanel);
  markPanel();
}
panel?.addEventListener("click", (event) => {
  const name = event.target.closest("[data-panel]")?.dataset.panel;
  if (!name) return;
  showPanel({ detail: name });
  if (isBeside.matches) event.preventDefault();
});

// Bell with the number of unread inbox entries, updated by the page's events.
const bell = document.querySelector("[data-inbox]");
document.addEventListener("quire:inbox", ({ detail: { unread } }) => {
  const count = bell?.querySelector("[data-unread]");
  if (!count) return;
  count.hidden = unread === 0;
  count.firstChild.data = unread > 99 ? "99+" : String(unread);
});

let inbox;
const listen = () => {
  inbox?.close();
  inbox = undefined;
  if (document.visibilityState !== "visible") return;
  inbox = new EventSource(`${base}/v1/events?inbox=true`);
  inbox.addEventListener("inbox", (event) => document.dispatchEvent(new CustomEvent("quire:inbox", { detail: JSON.parse(event.data) })));
};
if (bell && !document.body.dataset.watched) {
  document.addEventListener("visibilitychange", listen);
  addEventListener("pagehide", () => inbox?.close());
  listen();
}

// Following the link of an entry marks it as read.
addEventListener("click", (event) => {
  const id = event.target.closest?.("[data-entry]")?.dataset.entry;
  if (!id) return;
  const body = JSON.stringify({ entries: [id] });
  fetch(`${base}/v1/user/inbox/read`, { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
});

// Palette: finds pages and sections by keyboard.
/** Time after the last key until a search, in ms. Shorter than the time between most keys. */
const PAUSE = 50;
let palette;

const build = () => {
  const list = element("div", { role: "listbox", id: "palette:list", "aria-label": "Results" });
  const status = element("p", { role: "status" });
  const input = element("input", {
    type: "search", name: "query", role: "combobox", "aria-label": "Search", "aria-controls": list.id,
    "aria-expanded": "false", "aria-autocomplete": "list", autocomplete: "off", placeholder: "Search pages", maxlength: "512",
  });
  const form = element("form", { action: search, role: "search" }, icon("search"), input);
  const keys = element("footer", {}, "↑↓ choose", element("span", {}, "Enter open"), element("span", {}, "Esc close"));
  const dialog = element("dialog", { class: "palette", "aria-label": "Search" }, form, list, status, keys);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  palette = { dialog, input, list, status, icon, select, request: undefined, timer: undefined };
  input.addEventListener("input", () => {
    clearTimeout(palette.timer);
    palette.timer = setTimeout(find, PAUSE);
  });
  input.addEventListener("keydown", key);
  form.addEventListener("submit", (event) => {
    const chosen = list.querySelector("[aria-selected='true']");
    if (chosen) {
      event.preventDefault();
      chosen.click();
    }
  });
};

const open = () => {
  if (!palette) build();
  document.querySelector("nav:popover-open")?.hidePopover();
  if (!palette.dialog.open) palette.dialog.showModal();
  palette.input.select();
  if (!palette.input.value) find();
};

const select = (option) => {
  for (const other of palette.list.querySelectorAll("[aria-selected='true']")) other.setAttribute("aria-selected", "false");
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) palette.input.setAttribute("aria-activedescendant", option.id);
  else palette.input.removeAttribute("aria-activedescendant");
};

const key = (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.isComposing) return;
  event.preventDefault();
  const options = [...palette.list.children];
  const at = options.findIndex((option) => option.getAttribute("aria-selected") === "true");
  select(options.at((at + step + options.length) % options.length));
};

// Shows what the words find. The code is loaded when the palette opens.
const find = () => {
  const fail = () => (palette.status.textContent = "The search could not be loaded. Type again.");
  import(commands).then((loaded) => loaded.find(palette), fail);
};

// Returns whether a key without Ctrl is pressed outside a text. The Markdown pane is in a shadow tree, so the target of
// its events is not its text.
const isSingle = (event) => {
  const [target] = event.composedPath();
  const isTyping = event.isComposing || target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
  return event.key.length === 1 && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
};

// The list of keys switches these keys off, for all scripts.
addEventListener("keydown", (event) => {
  try {
    if (isSingle(event) && localStorage.getItem("quire-keys")) event.stopImmediatePropagation();
  } catch {
    // Without storage, they are on.
  }
}, true);

addEventListener("keydown", (event) => {
  if (!search || event.isComposing || event.getModifierState("AltGraph")) return;
  const isPalette = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
  if (isPalette || (event.key === "/" && isSingle(event))) {
    event.preventDefault();
    open();
  } else if (isSingle(event) && event.key !== " " && !document.querySelector("dialog[open]")) {
    import(commands).then(({ press }) => press(event.key), () => {});
  }
});

// Theme: that of the system until the user chooses one. theme.js applies it before the first paint.
const choice = document.querySelector("[data-theme-choice]");
if (choice) {
  const root = document.documentElement;
  choice.value = root.dataset.theme ?? "";
  choice.hidden = false;
  choice.addEventListener("change", () => {
    if (choice.value) root.dataset.theme = choice.value;
    else delete root.dataset.theme;
    try {
      if (choice.value) localStorage.setItem("quire-theme", choice.value);
      else localStorage.removeItem("quire-theme");
    } catch {
      // Without storage, the choice is lost.
    }
  });
}

// Organizations of the user, loaded when the menu opens.
const organizations = document.querySelector("[data-organizations]");
organizations?.addEventListener("toggle", async ({ newState }) => {
  if (newState !== "open" || organizations.querySelector("ul")) return;
  organizations.querySelector("p")?.remove();
  const note = element("p", { class: "muted", role: "status" }, "Loading…");
  organizations.prepend(note);
  const response = await fetch(`${base}/v1/orgs?limit=100`, { headers: { Accept: "application/json" } }).catch(() => undefined);
  if (!response?.ok) {
    note.textContent = "The organizations could not be loaded. Open the menu again.";
    return;
  }
  note.remove();
  const { items } = await response.json();
  const link = ({ id, title }) =>
    element("a", { href: `${base}/o/${id}`, ...(id === organization ? { "aria-current": "true" } : {}) }, title);
  organizations.prepend(element("ul", {}, ...items.map((item) => element("li", {}, link(item)))));
});
