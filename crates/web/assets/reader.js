// Enhancements of the page around a document: search dialog, theme, and outline.
const root = document.documentElement;

/** Search: opens by its button, "/" and Ctrl-K. */
const dialog = document.getElementById("frame:search");
const open = () => {
  if (!dialog.open) dialog.showModal();
};
document.querySelector(".search-open")?.addEventListener("click", open);
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  const isWanted = (event.key === "/" && !isTyping) || (event.key === "k" && (event.ctrlKey || event.metaKey));
  if (!isWanted || !dialog) return;
  event.preventDefault();
  open();
});
dialog?.addEventListener("click", (event) => event.target === dialog && dialog.close());

const stored = (storage, key, value) => {
  try {
    if (value === undefined) return storage.getItem(key);
    storage.setItem(key, value);
  } catch {
    // Without storage a choice lasts for the page only.
  }
  return null;
};

/** Theme: that of the system until the visitor chooses one. theme.js applies the choice later. */
const button = document.querySelector("[data-theme-switch]");
if (button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    stored(localStorage, "quire-theme", root.dataset.theme);
  });
}

/** Buttons in the menu of a page. */
addEventListener("click", async (event) => {
  const pressed = event.target.closest?.(".page-actions button");
  if (!pressed) return;
  pressed.closest("details")?.removeAttribute("open");
  if ("print" in pressed.dataset) return print();
  const { copyAnswer, copyText } = pressed.dataset;
  const text = copyText ?? fetch(copyAnswer).then((answer) => answer.text());
  // Safari allows copying only if it starts with the click.
  const blob = Promise.resolve(text).then((text) => new Blob([text], { type: "text/plain" }));
  await navigator.clipboard?.write([new ClipboardItem({ "text/plain": blob })]);
  const words = pressed.textContent;
  pressed.textContent = root.dataset.copied ?? "Copied";
  setTimeout(() => (pressed.textContent = words), 1500);
});

/** Tree: open branches and the scroll position persist between pages. */
const sidebar = document.querySelector(".sidebar");
const linkOf = (box) => box.parentElement.querySelector("a")?.getAttribute("href");
const folds = {};
try {
  Object.assign(folds, JSON.parse(stored(sessionStorage, "quire-folds") ?? "{}"));
} catch {
  // Ignores values of other scripts.
}
for (const box of sidebar?.querySelectorAll("details:not(.menu)") ?? []) {
  const kept = folds[linkOf(box)];
  const holdsPage = box.querySelector("[aria-current]");
  if (kept !== undefined && !holdsPage) box.open = kept;
}
sidebar?.addEventListener("click", (event) => {
  const box = event.target.closest?.("summary")?.parentElement;
  if (!box || box.matches(".menu")) return;
  folds[linkOf(box)] = !box.open;
  stored(sessionStorage, "quire-folds", JSON.stringify(folds));
});
const place = Number(stored(sessionStorage, "quire-place"));
if (sidebar && place) sidebar.scrollTop = place;
const current = sidebar?.querySelector("a[aria-current]")?.getBoundingClientRect();
if (current && (current.top < 0 || current.bottom > innerHeight)) sidebar.scrollTop += current.top - innerHeight / 2;
addEventListener("pagehide", () => sidebar && stored(sessionStorage, "quire-place", sidebar.scrollTop));

/** Outline: marks the section being read, which begins above the visible text, and all visible ones. */
const links = new Map([...document.querySelectorAll(".outline a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...document.querySelectorAll(".document :is(h2, h3, h4)[id]")].filter((heading) => links.has(heading.id));
const barTitle = document.querySelector(".bar-outline > summary");
const barWords = barTitle?.textContent;
let isWaiting = false;
const follow = () => {
  isWaiting = false;
  const top = parseFloat(getComputedStyle(root).scrollPaddingBlockStart) + 24;
  const tops = headings.map((heading) => heading.getBoundingClientRect().top);
  const isAtEnd = scrollY > 0 && Math.ceil(scrollY + innerHeight) >= root.scrollHeight;
  const current = isAtEnd ? tops.findLastIndex((at) => at < innerHeight) : tops.findLastIndex((at) => at < top);
  headings.forEach((heading, index) => {
    const link = links.get(heading.id);
    link.toggleAttribute("data-seen", tops[index] < innerHeight && (tops[index + 1] ?? Infinity) > top - 24);
    if (index === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
  if (barTitle) barTitle.textContent = links.get(headings[current]?.id)?.textContent ?? barWords;
};
addEventListener(
  "scroll",
  () => {
    if (!isWaiting) requestAnimationFrame(follow);
    isWaiting = true;
  },
  { passive: true },
);
follow();

/** Search: requests results during typing, and shows pages with their best sections. */
const form = dialog?.querySelector("form");
const input = form?.querySelector("input");
const hits = document.getElementById("frame:hits");
const count = document.getElementById("frame:hit-count");
const element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const marked = (pieces) => pieces.map(([text, isMarked]) => (isMarked ? element("mark", {}, text) : text));
const pageOf = (hit) => [
  element("a", { class: "hit", role: "option", href: hit.href }, element("small", {}, hit.crumbs.join(" › ")), element("strong", {}, hit.title)),
  ...hit.sections.map((section) =>
    element("a", { class: "hit-section", role: "option", href: section.href }, ...(section.title ? [element("span", {}, section.title)] : []), element("span", { class: "excerpt" }, ...marked(section.text))),
  ),
];
let latest = 0;
const search = async () => {
  const turn = ++latest;
  const query = input.value.trim();
  let found = { hits: [] };
  if (query) {
    const answer = await fetch(`${form.action}?q=${encodeURIComponent(query)}`, { headers: { accept: "application/json" } }).catch(() => null);
    if (turn !== latest) return;
    if (!answer?.ok) {
      hits.replaceChildren();
      count.textContent = dialog.dataset.failed;
      return;
    }
    found = await answer.json();
  }
  if (turn !== latest) return;
  hits.replaceChildren(...found.hits.flatMap(pageOf));
  select(0);
  const counted = found.hits.length ? `${dialog.dataset.found} ${found.hits.length}` : dialog.dataset.nothing;
  count.textContent = !query ? "" : found.isIncomplete ? `${counted} ${dialog.dataset.incomplete}` : counted;
};
let pause;
input?.addEventListener("input", () => {
  // Fixes the height before results arrive, to avoid a layout shift.
  dialog.toggleAttribute("data-asked", input.value.trim() !== "");
  clearTimeout(pause);
  pause = setTimeout(search, 90);
});
const options = () => [...hits.querySelectorAll("a")];
const select = (index) => {
  const all = options();
  all.forEach((option, at) => {
    option.id = `frame:hit-${at}`;
    option.setAttribute("aria-selected", at === index);
  });
  if (all[index]) input.setAttribute("aria-activedescendant", all[index].id);
  else input.removeAttribute("aria-activedescendant");
  all[index]?.scrollIntoView({ block: "nearest" });
};
dialog?.addEventListener("keydown", (event) => {
  const all = options();
  const at = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (event.key === "Escape") {
    // Browsers would clear the field first.
    event.preventDefault();
    dialog.close();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (all.length) select((at + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length);
  } else if (event.key === "Enter" && all[at]) {
    event.preventDefault();
    location.assign(all[at].href);
    dialog.close();
  }
});

/** Buttons in a page that search or ask. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".document a[data-query]");
  if (!link || !dialog || !["search", "ask"].includes(link.dataset.action)) return;
  event.preventDefault();
  open();
  input.value = link.dataset.query;
  search();
});

/** Following a link closes the menu of narrow screens. */
document.getElementById("frame:menu")?.addEventListener("click", (event) => {
  if (event.target.closest("a")) document.getElementById("frame:menu").hidePopover?.();
});

/** A click elsewhere or Escape closes open menus. */
const openMenus = () => document.querySelectorAll(":is(.site-header, .page-actions, .bar) details[open]");
addEventListener("click", (event) => {
  for (const menu of openMenus()) {
    if (!menu.contains(event.target) || event.target.closest("a")) menu.open = false;
  }
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  }
});
