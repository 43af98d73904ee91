// Enhancements of a document page, whose content is also accessible without this file.
const each = (selector, action, root = document) => root.querySelectorAll(selector).forEach(action);
const remembered = (key, value) => {
  try {
    return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value);
  } catch {
    return null;
  }
};

/** Tabs: one is always open, arrow keys move, and a choice applies to all tabs of that title, on later pages too. */
const titleOf = (tab) => tab.firstElementChild.textContent.trim();
const choose = (title) => {
  each(".document .tabs", (tabs) => {
    const tab = [...tabs.children].find((tab) => titleOf(tab) === title);
    if (tab && !tab.open) tab.open = true;
  });
};
const setUpTabs = () => {
  const choice = remembered("quire-tab");
  if (choice) choose(choice);
  document.addEventListener("click", (event) => {
    const tab = event.target.closest?.(".tabs > details > summary")?.parentElement;
    if (!tab) return;
    if (tab.open) return event.preventDefault();
    const before = tab.getBoundingClientRect().top;
    remembered("quire-tab", titleOf(tab));
    setTimeout(() => {
      choose(titleOf(tab));
      // Other tabs may have changed their height: keep the clicked one in place.
      scrollBy({ top: tab.firstElementChild.getBoundingClientRect().top - before, behavior: "instant" });
    });
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const tab = event.target.closest?.(".tabs > details > summary")?.parentElement;
    if (!step || !tab) return;
    const tabs = [...tab.parentElement.children];
    const direction = getComputedStyle(tab).direction === "rtl" ? -step : step;
    const next = tabs.at((tabs.indexOf(tab) + direction) % tabs.length);
    next.open = true;
    next.firstElementChild.focus();
    event.preventDefault();
  });
};

/** A button on each listing that copies it. */
const COPY = '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15H4V4h11v1"/></svg>';
const DONE = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m5 12 5 5 9-10"/></svg>';
const setUpCopy = (words) => {
  if (!navigator.clipboard) return;
  each(".document figure.code", (figure) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", title: words.copy, innerHTML: COPY });
    button.setAttribute("aria-label", words.copy);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(figure.querySelector("code").textContent.replace(/\n$/, ""));
      button.innerHTML = DONE;
      button.setAttribute("aria-label", words.copied);
      setTimeout(() => {
        button.innerHTML = COPY;
        button.setAttribute("aria-label", words.copy);
      }, 1500);
    });
    figure.append(button);
  });
};

/** Tables sort by a click on a column title; a third click restores the original order. */
const valueOf = (row, index) => {
  const cell = row.cells[index];
  return cell?.querySelector("[data-value]")?.dataset.value ?? (cell?.querySelector("[data-checked]") ? "1" : cell?.textContent.trim() ?? "");
};
const setUpSorting = () => {
  const collator = new Intl.Collator(document.documentElement.lang || undefined, { numeric: true });
  each(".document .table table", (table) => {
    const body = table.tBodies[0];
    const order = [...body.rows];
    if (order.length < 3) return;
    each("thead th", (head) => {
      head.tabIndex = 0;
      head.setAttribute("aria-sort", "none");
      const sort = () => {
        const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")];
        each("th[aria-sort]", (other) => other.setAttribute("aria-sort", "none"), table);
        head.setAttribute("aria-sort", next);
        const sign = next === "descending" ? -1 : 1;
        const index = head.cellIndex;
        const sorted = next === "none" ? order : order.toSorted((a, b) => sign * collator.compare(valueOf(a, index), valueOf(b, index)));
        body.append(...sorted);
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
    }, table);
  });
};

/** Pictures shown below their full size open in a dialog. */
const setUpZoom = (words) => {
  const mark = (image) => {
    if (image.closest("a") || image.naturalWidth <= image.clientWidth * 1.2) return;
    image.dataset.zoom = "";
  };
  each(".document .image > img", (image) => (image.complete ? mark(image) : image.addEventListener("load", () => mark(image))));
  document.addEventListener("click", (event) => {
    const image = event.target.closest?.("[data-zoom]");
    if (!image) return;
    const dialog = Object.assign(document.createElement("dialog"), { className: "zoom" });
    dialog.setAttribute("aria-label", image.alt || words.picture);
    dialog.append(Object.assign(new Image(), { src: image.src, alt: image.alt }));
    dialog.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  });
};

/** Embedded pages load in a frame only when a reader opens them. */
const setUpEmbeds = () => {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-frame]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const frame = document.createElement("iframe");
    frame.title = link.textContent.trim();
    frame.allowFullscreen = true;
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    frame.sandbox = "allow-scripts allow-same-origin allow-popups allow-forms allow-presentation";
    frame.src = link.dataset.frame;
    link.replaceWith(frame);
    frame.focus();
  });
};

/** Opens closed disclosures around the target of a link, if the browser does not. */
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = target?.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  target?.scrollIntoView();
};

const words = { copy: "Copy", copied: "Copied", picture: "Picture", ...document.documentElement.dataset };
setUpTabs();
setUpCopy(words);
setUpSorting();
setUpEmbeds();
setUpZoom(words);
addEventListener("hashchange", reveal);
if (location.hash) reveal();
