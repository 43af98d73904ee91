// Forms of one request. The names of the fields are the paths of members of the body. Concatenated with actions.js.

/** Ids of the people and teams that fields have suggested, by their labels. */
const suggested = new Map();

/** Returns the e-mail addresses in a text, as people paste them: with names, commas and line breaks. */
const addressesIn = (text) => text.split(/[\s,;<>"]+/).filter((word) => word.includes("@"));

/** Readers of fields whose values other scripts make, by what the fields are sent as. */
export const FIELDS = {};

/** Returns the value of a field, or undefined for one that is left out. A file is read. */
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
  if (field.localName === "select" && ["null", "true", "false"].includes(text)) return JSON.parse(text);
  if (field.type === "number" || field.dataset.as === "number") return Number(text);
  if (field.dataset.as === "boolean") return text === "true";
  if (field.dataset.as === "json") return JSON.parse(text);
  return text;
};

/** Sets the member of an object at a path with dots. A number in the path is the index of an item. */
const put = (object, path, value) => {
  const names = path.split(".");
  const last = names.pop();
  let inner = object;
  names.forEach((name, at) => {
    inner = inner[name] ??= /^\d+$/.test(names[at + 1] ?? last) ? [] : {};
  });
  inner[last] = value;
};

/** Returns the body of a form: the fixed part with the fields. */
const bodyOf = async (form, fixed) => {
  const body = fixed === undefined ? {} : JSON.parse(fixed);
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.dataset.as === "none") continue;
    if (field.dataset.as === "items") {
      const ticked = form.querySelectorAll(`input[name="${CSS.escape(field.name)}"]:checked`);
      put(body, field.name, [...ticked].map((one) => one.value));
      continue;
    }
    const value = await valueOf(field);
    if (value !== undefined) put(body, field.name, value);
  }
  return body;
};

/** Returns the rules for merging that the fields of a form describe. */
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

/** Marks the fields that an error names, and leads to the first of them. */
const markFields = (form, details = []) => {
  const named = new Set(details.flatMap(({ field }) => [field.replace(/\[\d+\].*$/, ""), field.replace(/\[(\d+)\]/g, ".$1")]));
  const marked = [...form.elements].filter((field) => field.name && named.has(field.name));
  for (const field of form.elements) field.removeAttribute("aria-invalid");
  for (const field of marked) field.setAttribute("aria-invalid", "true");
  marked[0]?.focus();
};

/** Returns the field with a text that can be copied, with its label and the button that copies it. */
const copied = (label, value, index) => {
  const id = `copied-${index}`;
  const field = make("input", { id, readonly: "", value });
  const copy = make("button", { type: "button", class: "btn", "data-copy": "" }, "Copy");
  return make("div", {}, make("label", { for: id }, label), make("div", { class: "copied" }, field, copy));
};

/** Shows what an answer has only once: a secret, or the links of invitations. */
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

/** Sends the request of a form or of a field. Leads to `next`, where `{id}` is the id in the answer, shows a part of the
    answer once, or says `done` on the page. */
ACTIONS.form = async ({ method, url, body, next, done, shows }, _, control) => {
  const { form } = control;
  try {
    const sent = await bodyOf(form, body);
    if (sent.mergeRules?.type === "rules") sent.mergeRules.rules = rulesOf(form);
    // A part of the address is a field of the form.
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
  // A page that is not served by https has no clipboard: the text is selected.
  await navigator.clipboard?.writeText(field.value);
  button.textContent = navigator.clipboard ? "Copied" : "Press Ctrl C";
});

/** Suggests the people or teams that a field could name. */
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
