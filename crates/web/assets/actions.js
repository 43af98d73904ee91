// Buttons that change something. Each calls the API, then opens another page or shows an error.
const { base } = document.body.dataset;

/** Creates an element. */
export const make = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

/** Shows a message after a button: an error, or a success with the role `status`. */
export const say = (button, message, role = "alert") => {
  button.parentElement.querySelector(":scope > .action-error, :scope > .action-done")?.remove();
  const sentence = document.createElement("p");
  sentence.className = role === "alert" ? "action-error" : "action-done";
  sentence.setAttribute("role", role);
  sentence.textContent = message;
  button.after(sentence);
};

/** Calls the API. Rejects with the message of an error and its details. */
const ask = async (method, path, body, headers = {}) => {
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  const response = await fetch(`${base}/v1/${path}`, {
    method,
    headers: { Accept: "application/json", ...type, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const summary = answer?.error?.message ?? `The server answered ${response.status}.`;
  const details = (answer?.error?.details ?? []).map((detail) => `${detail.field}: ${detail.message}`);
  // The summary already contains the first detail.
  const message = [summary, ...details.filter((detail) => !summary.includes(detail))].join(" ");
  throw Object.assign(new Error(message), { status: response.status, reason: answer?.error?.reason, details: answer?.error?.details });
};

/** Calls the API for a user action. If a sign-in, password or code is required, its page leads back here. */
export const call = (...request) =>
  ask(...request).catch((error) => {
    const page = error.status === 401 ? "sign-in" : error.reason === "confirmation-required" ? "confirm" : error.reason === "second-factor-missing" ? "account" : undefined;
    if (page) location.assign(`${base}/~/${page}?next=${encodeURIComponent(location.pathname)}`);
    throw error;
  });

/** Returns the first 100 characters, which is the limit of titles and subjects. Pairs of surrogates stay whole. */
const shortened = (text) => [...text].slice(0, 100).join("");

/** Returns the caller's newest draft of a space, or a new one. */
export const draftOf = async (space, subject) => {
  const { id } = await call("GET", "user");
  const list = await call("GET", `spaces/${space}/change-requests?status=draft&creator=${id}&orderBy=updatedAt&order=desc&limit=1`);
  return list.items[0] ?? call("POST", `spaces/${space}/change-requests`, { subject: shortened(subject) });
};

export const ACTIONS = {
  /** Opens a page, or the address in `next`, in the caller's draft. */
  async edit({ space, path, title, next }) {
    const { number } = await draftOf(space, `Edit ${title}`);
    return next?.replace("{number}", number) ?? `s/${space}/~/changes/${number}/${path}`;
  },

  /** Adds a page to a change request, or to the caller's draft. */
  async page({ space, change, into }, form) {
    const title = form.get("title").trim();
    const number = change ?? (await draftOf(space, `Add ${title}`)).number;
    const content = `spaces/${space}/change-requests/${number}/content`;
    const insert = { operation: "insert_page", title, document: { markdown: "" }, ...(into ? { into } : {}) };
    await call("POST", content, { changes: [insert] });
    const { pages } = await call("GET", `${content}/pages`);
    const all = (list) => list.flatMap((page) => [page, ...all(page.pages ?? [])]);
    // The newest page with this title.
    const added = all(pages).filter((page) => page.title === title).sort((a, b) => (a.id < b.id ? 1 : -1))[0];
    return `s/${space}/~/changes/${number}/${added.path}`;
  },

  /** Restores a deleted or earlier page in the caller's draft. */
  async restore({ space, page, revision, title }) {
    const { number } = await draftOf(space, `Restore ${title}`);
    const changes = [{ operation: "revert_page", page, revision }];
    await call("POST", `spaces/${space}/change-requests/${number}/content`, { changes });
    return `s/${space}/~/changes/${number}`;
  },

  /** Creates a space and opens it or one of its pages. */
  async space({ organization, then }, form) {
    const { id } = await call("POST", `orgs/${organization}/spaces`, { title: form.get("title").trim() });
    return then ? `s/${id}/~/${then}` : `s/${id}`;
  },

  /** Creates a space with its first page and opens the page. */
  async start({ organization }, form) {
    const { id } = await call("POST", `orgs/${organization}/spaces`, { title: form.get("title").trim() });
    return ACTIONS.page({ space: id }, form);
  },

  /** Sends the request in the data and opens `next` or reloads the page. */
  async send({ method, url, body, next }) {
    // Saves the text in the editor before the request.
    await document.querySelector("main.page .ProseMirror")?.saved?.();
    const send = () => call(method ?? "POST", url, body === undefined ? undefined : JSON.parse(body));
    await (next === undefined ? send() : leaving(send));
    return next;
  },
};

/** Asks a question. Resolves to whether the user chose the button with this label. */
const confirmed = (question, label) =>
  new Promise((resolve) => {
    const cancel = make("button", { type: "submit", class: "btn", value: "" }, "Cancel");
    const agree = make("button", { type: "submit", class: "btn danger", value: "yes" }, label);
    const buttons = make("div", { class: "buttons" }, cancel, agree);
    const form = make("form", { method: "dialog" }, make("p", {}, question), buttons);
    const dialog = make("dialog", { class: "dialog", "aria-label": label }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });

/** Runs the action of a control, then opens its next page. Reloads if it is undefined, stays if it is null. */
export const run = async (control, form) => {
  const { action, confirm, ...data } = control.dataset;
  if (confirm !== undefined && !(await confirmed(confirm, control.textContent))) return;
  const hold = (isHeld) => {
    if (control.localName === "button") control.disabled = isHeld;
  };
  hold(true);
  try {
    const next = await ACTIONS[action](data, form, control);
    if (next === undefined) location.reload();
    else if (next === null) hold(false);
    else location.assign(`${base}/${next}`);
  } catch (error) {
    hold(false);
    say(control, error.message);
  }
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-action]");
  if (button && button.type !== "submit") run(button);
});

document.addEventListener("submit", (event) => {
  const button = event.submitter ?? event.target.querySelector("button[type=submit]");
  if (!button?.dataset.action) return;
  event.preventDefault();
  run(button, new FormData(event.target));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-dialog]");
  if (button) document.getElementById(button.dataset.dialog)?.showModal();
  if (event.target.closest?.("[data-close]")) event.target.closest("dialog")?.close();
});
