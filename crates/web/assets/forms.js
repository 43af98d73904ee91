// Forms that send one request. Field names are paths in the body. Concatenated with actions.js.

/** Ids of suggested people and teams, by label. */
const suggested = new Map();

/** Returns the e-mail addresses in a text with names, commas and line breaks. */
const addressesIn = (text) => text.split(/[\s,;<>"]+/).filter((word) => word.includes("@"));

/** Readers for field values of other kinds. */
export const FIELDS = {};

/** Returns the value of a field. Undefined if it is omitted. Reads files. */
const valueOf = (field) => {
  const read = FIELDS[field.dataset.as];
  if (read) return read(field);
  if (field.type === "file") return field.files[0]?.text();
  if (field.type === "checkbox") return field.dataset.as === "boolean" ? field.checked : undefined;
  if (field.type === "radio" && !field.checked) return undefined;
  const text = field.type === "password" ? field.value : field.value.trim();
  if (field.dataset.as === "lines") return text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (field.dataset.as === "addresses") return addressesIn(text);
  if (field.dataset.as === "suggested" && text !== "") {
    if (suggested.has(text)) return suggested.get(text);
    throw Object.assign(new Error("Choose one of the suggestions."), { details: [{ field: field.name }] });
  }
  if (text === "") return field.dataset.empty === "null" ? null : undefined;
  if (field.localName === "select" && /^(null|true|false|{.*)$/.test(text)) return JSON.parse(text);
  if (field.type === "number" || field.dataset.as === "number") return Number(text);
  if (field.dataset.as === "boolean") return text === "true";
  if (["json", "whole"].includes(field.dataset.as)) return JSON.parse(text);
  return text;
};

/** Sets the member of an object at a dotted path. Numbers in the path are indexes. */
const put = (object, path, value) => {
  const names = path.split(".");
  const last = names.pop();
  let inner = object;
  names.forEach((name, at) => {
    inner = inner[name] ??= /^\d+$/.test(names[at + 1] ?? last) ? [] : {};
  });
  inner[last] = value;
};

/** Returns the body of a form: the fixed part and the fields. */
export const bodyOf = async (form, fixed) => {
  const body = fixed === undefined ? {} : JSON.parse(fixed);
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.dataset.as === "none") continue;
    if (field.dataset.as === "items") {
      const ticked = form.querySelectorAll(`input[name="${CSS.escape(field.name)}"]:checked`);
      put(body, field.name, [...ticked].map((one) => one.value));
      continue;
    }
    const value = await valueOf(field);
    if (field.dataset.as === "whole") Object.assign(body, value);
    else if (value !== undefined) put(body, field.name, value);
  }
  return body;
};

/** Returns the merge rules of a form. */
const rulesOf = (form) => {
  const rules = new Map();
  const rule = (name) => rules.get(name) ?? rules.set(name, { rule: name }).get(name);
  for (const field of form.elements) {
    const { rule: name, key } = field.dataset;
    if (!name || (field.type === "checkbox" && !field.checked)) continue;
    const value = field.type === "checkbox" ? field.value : valueOf(field);
    if (key === undefined) rule(name);
    else if (key === "users" && value !== undefined) (rule(name).users ??= []).push(value);
    else if (value !== undefined) rule(name)[key] = value;
  }
  return [...rules.values()];
};

/** Marks the fields of an error and focuses the first one. */
const markFields = (form, details = []) => {
  const named = new Set(details.flatMap(({ field }) => [field.replace(/\[\d+\].*$/, ""), field.replace(/\[(\d+)\]/g, ".$1")]));
  // An error about one line of a field concerns the field.
  const isNamed = ({ name }) => name && [...named].some((one) => one === name || one.startsWith(`${name}.`));
  const marked = [...form.elements].filter(isNamed);
  for (const field of form.elements) field.removeAttribute("aria-invalid");
  for (const field of marked) field.setAttribute("aria-invalid", "true");
  marked[0]?.focus();
};

/** Returns a field with a text and a copy button. */
const copied = (label, value, index) => {
  const id = `copied-${index}`;
  const field = make("input", { id, readonly: "", value });
  const copy = make("button", { type: "button", class: "btn", "data-copy": "" }, "Copy");
  return make("div", {}, make("label", { for: id }, label), make("div", { class: "copied" }, field, copy));
};

/** Shows the part of an answer that is available only once: a secret, or links of invites. */
const reveal = (button, answer, shows) => {
  const links = (answer.invites ?? []).map((invite) => [`Link for ${invite.email}`, invite.urls.app]);
  const known = (answer.users ?? []).length;
  const refused = answer.failedSSOEmails ?? [];
  const found = shows === "invites" ? links : [[shows, answer[shows]]];
  const sentences = [
    found.length > 0 ? "Copy this now. It is not shown again." : "",
    known > 0 ? `${known === 1 ? "1 address belongs" : `${known} addresses belong`} to a member already.` : "",
    refused.length > 0 ? `Not invited, because single sign-on does not cover them: ${refused.join(", ")}.` : "",
  ];
  const texts = sentences.filter(Boolean).map((sentence) => make("p", {}, sentence));
  const fields = found.map(([label, value], index) => copied(label, value, index));
  const again = make("button", { type: "button", class: "btn" }, "Done");
  again.addEventListener("click", () => location.reload());
  const shown = make("div", { class: "revealed", role: "status" }, ...texts, ...fields, again);
  (button.form ?? button).after(shown);
  shown.scrollIntoView({ block: "nearest" });
};

/** Sends the request of a form or field. Then opens `next`, shows a part of the answer once, or shows `done`. */
ACTIONS.form = async ({ method, url, body, next, done, shows }, _, control) => {
  const { form } = control;
  try {
    const sent = await bodyOf(form, body);
    if (sent.mergeRules?.type === "rules") sent.mergeRules.rules = rulesOf(form);
    // A field of the form is part of the URL.
    const path = url.replace(/\{(\w+)\}/, (_, name) => {
      const value = sent[name] ?? "";
      delete sent[name];
      return encodeURIComponent(value);
    });
    const answer = await call(method, path, method === "DELETE" ? undefined : sent);
    markFields(form);
    if (control.localName === "select") for (const one of control.options) one.defaultSelected = one.selected;
    if (shows !== undefined) reveal(control, answer, shows);
    else if (done === undefined) return next?.replace("{id}", answer?.id ?? "");
    else say(control, done, "status");
    return null;
  } catch (error) {
    if (control.localName === "select") form.reset();
    markFields(form, error.details);
    throw error;
  }
};

document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-action]")) run(event.target);
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  const field = button?.parentElement.querySelector("input");
  if (!field) return;
  field.select();
  // Without https there is no clipboard, so the text is selected.
  await navigator.clipboard?.writeText(field.value);
  button.textContent = navigator.clipboard ? "Copied" : "Press Ctrl C";
});

/** Suggests people or teams for a field. */
document.addEventListener("input", async (event) => {
  const field = event.target;
  if (field.dataset.as !== "suggested" || suggested.has(field.value)) return;
  const query = field.value.trim();
  if (query.length < 2) return;
  const found = await call("GET", `${field.dataset.suggests}${encodeURIComponent(query)}&limit=8`).catch((error) => say(field, error.message));
  if (!found || field.value.trim() !== query) return;
  const { items } = found;
  field.parentElement.querySelector(":scope > .action-error")?.remove();
  const options = items.map(({ id, title, user }) => {
    const label = title ?? (user.email ? `${user.displayName} (${user.email})` : user.displayName);
    suggested.set(label, id);
    return make("option", { value: label });
  });
  field.list.replaceChildren(...options);
});
