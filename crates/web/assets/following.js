// Progress of an import on its page.

const { base } = document.body.dataset;

/** Polling interval while there are no events. */
const LOOK = 500;
const underWay = () => document.querySelector("[data-follow]");
let isLooking = false;
let isToLook = false;

/** Replaces the progress with its current state. */
const show = async () => {
  const shown = underWay();
  const response = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => undefined);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const now = page.getElementById(shown.id);
  const [from, to] = [shown, now].map((part) => part?.querySelector("[role=status]"));
  // An element that is kept announces its changed text.
  if (now?.hasAttribute("data-follow") && from && to) {
    if (from.textContent !== to.textContent) from.textContent = to.textContent;
    const [bar, moved] = [shown, now].map((part) => part.querySelector("progress"));
    for (const name of ["value", "max"]) {
      if (moved?.hasAttribute(name)) bar.setAttribute(name, moved.getAttribute(name));
      else bar.removeAttribute(name);
    }
  } else if (now) shown.replaceWith(document.adoptNode(now));
};

/** Updates now, and once more for requests that arrive meanwhile. */
const look = async () => {
  isToLook = true;
  if (isLooking) return;
  isLooking = true;
  while (isToLook && underWay()) {
    isToLook = false;
    await show();
  }
  isLooking = false;
};

/** Follows the progress to its end, by events, or by polling without them. */
const follow = () => {
  const events = new EventSource(`${base}/v1/events?${underWay().dataset.follow}`);
  let isAtEnd = false;
  events.addEventListener("import", ({ data }) => {
    isAtEnd = !["pending", "running"].includes(JSON.parse(data).status);
    look();
  });
  const wait = async () => {
    if (!underWay()) return events.close();
    if (isAtEnd || events.readyState !== EventSource.OPEN) await look();
    setTimeout(wait, LOOK);
  };
  addEventListener("pagehide", () => events.close());
  setTimeout(wait, LOOK);
};
if (underWay()) follow();
