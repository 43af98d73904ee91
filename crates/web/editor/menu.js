// Menu of actions at an element, for blocks and for pages in the tree.

/** Returns a control of the menu. */
function menuItem({ label, keys }) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("role", "menuitem");
  button.append(label);
  if (keys) {
    const shown = document.createElement("small");
    shown.setAttribute("aria-hidden", "true");
    shown.textContent = keys;
    button.append(shown);
  }
  return button;
}

/**
 * Opens a menu at an element. An item has a `label`, optional shortcut `keys`, and either `act` or the `items` of a
 * menu that replaces this one. When the menu closes, the focus returns.
 */
export function openMenu(anchor, label, items) {
  const menu = document.createElement("div");
  menu.className = "popup";
  menu.popover = "auto";
  menu.setAttribute("role", "menu");
  let shown = [];
  const place = () => {
    if (!anchor.checkVisibility()) return menu.hidePopover();
    const box = anchor.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
    const isBelow = box.bottom + menu.offsetHeight + 8 < innerHeight;
    menu.style.top = `${isBelow ? box.bottom + 4 : Math.max(8, box.top - menu.offsetHeight - 4)}px`;
  };
  const fill = (name, list) => {
    shown = list;
    menu.setAttribute("aria-label", name);
    menu.replaceChildren(...list.map(menuItem));
    place();
    menu.firstElementChild.focus();
  };
  // Observers run after the layout, and this one after those that move the anchor.
  const sizes = new ResizeObserver(place);
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return sizes.observe(document.documentElement);
    sizes.disconnect();
    menu.remove();
  });
  menu.addEventListener("click", ({ target }) => {
    const chosen = shown[[...menu.children].indexOf(target.closest("[role=menuitem]"))];
    if (!chosen) return;
    if (chosen.items) return fill(chosen.label, chosen.items);
    menu.hidePopover();
    chosen.act();
  });
  menu.addEventListener("keydown", (event) => {
    const buttons = [...menu.children];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    event.stopPropagation();
    if (event.key === "Tab") menu.hidePopover();
    else if (to !== undefined) buttons.at(to === buttons.length ? 0 : to).focus();
    else return;
    event.preventDefault();
  });
  (anchor.closest("nav, main, aside") ?? document.body).append(menu);
  menu.showPopover();
  fill(label, items);
}
