// Changes by others while a page is open: content, comments, reviews and presence. Concatenated with comments.js.
// Without events, pages do not update.

const { watched, changeRequest, revision, commentsOpen, page: pageId } = document.body.dataset;
/** Interval of presence requests. Presence expires after 20 seconds. */
const PRESENT = 10_000;
/** Time after a key for which a user counts as typing. */
const TYPING = 3_000;
/** Delay before a refused stream is requested again. */
const REFUSED = 20_000;

/** Returns the document of the page in a revision. */
const documentAt = async (at) => (await ask("GET", `spaces/${watched}/revisions/${at}/page/${pageId}`).catch(() => null))?.documentId;

/**
 * Sends a request after which another page opens. Its events are not followed here, since this page may no longer
 * exist.
 */
const leaving = async (send) => {
  const tell = (isLeaving) => document.dispatchEvent(new CustomEvent("quire:leaving", { detail: isLeaving }));
  tell(true);
  try {
    return await send();
  } catch (error) {
    tell(false);
    throw error;
  }
};

/** Shows a notice once that the page changed, with a button to reload it. */
const sayChanged = (words) => {
  if (!page || document.querySelector("[data-changed]")) return;
  const button = make("button", { class: "btn", type: "button" }, "Show it");
  button.addEventListener("click", async () => {
    await keepAll();
    location.reload();
  });
  const notice = make("div", { class: "edit-notice", role: "status", "data-changed": "" }, make("p", {}, words), button);
  page.querySelector("h1").before(notice);
};

/** Reloads the comments, or waits until nobody writes in them. */
let isWaiting = false;
const showLater = (words) => {
  const field = document.activeElement?.closest("[data-comments] :is(textarea, select)");
  if (!field) return showComments(words).catch(() => {});
  if (isWaiting) return undefined;
  isWaiting = true;
  field.addEventListener("blur", () => {
    isWaiting = false;
    setTimeout(() => showLater(words));
  }, { once: true });
  return undefined;
};

/** Shows the present users and what they do. */
const showPresent = (users) => {
  const faces = document.querySelector("[data-faces]");
  if (!faces) return;
  const shown = users.map(({ user, page: open, typing }) => {
    const isHere = open === pageId;
    const does = isHere && typing ? "edits this page" : isHere ? "is on this page" : "is on another page";
    const initials = user.displayName.split(/\s+/).slice(0, 2).map((word) => word[0]?.toUpperCase() ?? "").join("");
    const words = `${user.displayName} ${does}`;
    const color = [...new TextEncoder().encode(user.displayName)].reduce((sum, byte) => sum + byte, 0) % 6;
    return make("span", { class: "face", title: words }, make("span", { class: `av c${color}`, "aria-hidden": "true" }, initials), make("span", { class: isHere && typing ? "face-words" : "hidden-text" }, `${words}.`));
  });
  faces.replaceChildren(...shown);
};

if (watched) {
  // State of the page. A stream begins with the current state.
  const known = { content: revision, open: Number(commentsOpen) };
  /** Stores a value. Returns whether it replaced a different one. */
  const differs = (name, now) => {
    const before = known[name];
    known[name] = now;
    return before !== undefined && before !== now;
  };
  let source;
  let typed = 0;
  let isLeaving = false;

  const arrived = {
    async content({ revision: now }) {
      const before = known.content;
      if (!differs("content", now)) return;
      // An editor that starts later merges what it lacks.
      document.body.dataset.revision = now;
      if (page?.querySelector(".ProseMirror, [data-editor]")) document.dispatchEvent(new CustomEvent("quire:content", { detail: now }));
      else if (pageId) {
        const [one, other] = await Promise.all([documentAt(before), documentAt(now)]);
        if (one !== other) sayChanged("This page has changed.");
      } else await showLater("The change request has changed.");
    },
    comments({ open, changes }) {
      const isNew = differs("changes", changes);
      if (differs("open", open) || isNew) showLater("The comments have changed.");
    },
    reviews({ reviews, requestedReviewers }) {
      if (differs("reviews", `${reviews} ${requestedReviewers}`)) showLater("The reviews have changed.");
    },
    status({ status }) {
      if (differs("status", status)) sayChanged(`The change request is ${status} now.`);
    },
    outdated({ outdated }) {
      if (differs("outdated", outdated)) showLater(outdated ? "The space has newer content." : "The change request has the content of the space.");
    },
    presence: ({ users }) => showPresent(users),
    // workspace.js shows it.
    inbox: (detail) => document.dispatchEvent(new CustomEvent("quire:inbox", { detail })),
  };

  // Browsers limit connections per server, so only visible pages have a stream.
  const connect = () => {
    source?.close();
    source = undefined;
    if (document.visibilityState !== "visible" || isLeaving) return;
    const request = changeRequest ? `&changeRequest=${changeRequest}` : "";
    source = new EventSource(`${base}/v1/events?space=${watched}${request}&inbox=true`);
    const asked = source;
    const tell = (isOpen) => asked === source && document.dispatchEvent(new CustomEvent("quire:stream", { detail: isOpen }));
    asked.addEventListener("open", () => tell(true));
    // The browser reconnects by itself after a lost connection.
    asked.addEventListener("error", () => {
      tell(false);
      if (asked.readyState === EventSource.CLOSED) setTimeout(() => asked === source && connect(), REFUSED);
    });
    for (const [name, act] of Object.entries(arrived)) {
      source.addEventListener(name, (event) => act(JSON.parse(event.data)));
    }
  };

  const note = () => {
    if (!changeRequest || document.visibilityState !== "visible") return;
    const at = editor()?.contains(getSelection().anchorNode) ? blockAt(getSelection().anchorNode)?.key : undefined;
    const typing = Date.now() - typed < TYPING;
    const place = { ...(pageId ? { page: pageId } : {}), ...(at ? { block: at } : {}), typing };
    ask("PUT", "presence", { space: watched, changeRequest, ...place }).catch(() => {});
  };

  document.addEventListener("visibilitychange", () => {
    connect();
    note();
  });
  addEventListener("pagehide", () => source?.close());
  document.addEventListener("quire:leaving", ({ detail }) => {
    isLeaving = detail;
    connect();
  });
  document.addEventListener("input", ({ target }) => {
    if (!editor()?.contains(target)) return;
    const isFirst = Date.now() - typed > TYPING;
    typed = Date.now();
    if (isFirst) note();
  });
  connect();
  note();
  setInterval(note, PRESENT);
}
