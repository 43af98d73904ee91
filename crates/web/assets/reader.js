// Comforts of the page around a document: the search dialog, the theme, and an outline that follows the scroll.
const root = document.documentElement;

/** The search opens by its button, by "/" and by Ctrl-K. */
const dialog = document.getElementById("search");
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

/** The theme: that of the system until a visitor chooses another. */
const button = document.querySelector("[data-theme-switch]");
if (button) {
  const remembered = localStorage.getItem("quire-theme");
  if (remembered) root.dataset.theme = remembered;
  button.hidden = false;
  button.addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    localStorage.setItem("quire-theme", root.dataset.theme);
  });
}

/** The outline marks the section that is read: the last heading above the upper third of the window. */
const links = new Map([...document.querySelectorAll(".outline a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...document.querySelectorAll(".document :is(h2, h3, h4)[id]")].filter((heading) => links.has(heading.id));
let isWaiting = false;
const follow = () => {
  isWaiting = false;
  const current = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
  for (const [id, link] of links) {
    if (id === current?.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
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
