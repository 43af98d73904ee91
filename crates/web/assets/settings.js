// Settings forms with special field values.

import { ACTIONS, FIELDS, call, say } from "./actions.js";

/** Returns a picture as Base64. */
const base64 = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result.replace(/^.*,/, "")));
  reader.addEventListener("error", () => reject(reader.error));
  reader.readAsDataURL(file);
});

/** Returns the pictures of a field: the chosen ones, or else the existing ones. */
FIELDS.base64 = async (field) => {
  const there = field.files.length > 0 ? [] : (field.dataset.there?.split(" ") ?? []);
  const files = [...field.files, ...(await Promise.all(there.map(async (url) => (await fetch(url)).blob())))];
  const pictures = await Promise.all(files.map(base64));
  return field.multiple ? pictures : pictures[0];
};

/** Returns lines with a name, = and a value as an object. */
FIELDS.pairs = ({ name, value }) => Object.fromEntries(value.split("\n").filter((line) => line.trim()).map((line) => {
  const at = line.indexOf("=");
  if (at < 1) throw Object.assign(new Error("Each line must be NAME=value."), { details: [{ field: name }] });
  return [line.slice(0, at).trim(), line.slice(at + 1)];
}));

/** Returns the lines of a field, each split at the first =. `form` says how a line must be. */
const split = ({ name, value }, form) => value.split("\n").filter((line) => line.trim()).map((line) => {
  const [, title, rest] = /^([^=]*[^=\s])\s*=\s*(.*\S)/.exec(line.trim()) ?? [];
  if (!rest) throw Object.assign(new Error(`Each line must be ${form}.`), { details: [{ field: name }] });
  return [title, rest];
});

const toUrl = (title, url) => ({ title: title.trim(), to: { kind: "url", url } });

/** Returns links by the name before their >. `group` makes the object of a name, `alone` that of a link without one. */
const grouped = (field, form, group, alone) => split(field, form).reduce((all, [title, url]) => {
  const at = title.indexOf(">");
  if (at < 0) return [...all, alone(toUrl(title, url))];
  const name = title.slice(0, at).trim();
  const link = toUrl(title.slice(at + 1), url);
  const last = all.at(-1);
  if (last?.links?.length && last.title === name) last.links.push(link);
  else all.push({ ...group(name), links: [link] });
  return all;
}, []);

FIELDS.link = (field) => split(field, "a title, = and an address").map(([title, url]) => toUrl(title, url))[0];

FIELDS.menus = (field) => grouped(field, "Title = address or Menu > Title = address", (title) => ({ title, to: null }), (link) => ({ ...link, links: [] }));

FIELDS.columns = (field) => grouped(field, "Column > Title = address", (title) => ({ title }), () => {
  throw Object.assign(new Error("Each line must be Column > Title = address."), { details: [{ field: field.name }] });
});

FIELDS.accounts = (field) => split(field, "a platform, = and a name").map(([platform, handle]) => (
  { platform, handle, display: { footer: true, header: false } }));

/** Returns the rows of a table as objects, without empty ones. Renames the fields by index, so that errors find them. */
FIELDS.rows = ({ name, form }) => {
  const rows = [...form.querySelectorAll("tr[data-row]")];
  const filled = rows.filter((row) => [...row.querySelectorAll("input")].some(({ value }) => value.trim() !== ""));
  return filled.map((row, index) => {
    const fields = [...row.querySelectorAll("[data-key]")];
    for (const field of fields) field.name = `${name}.${index}.${field.dataset.key}`;
    const sent = fields.filter(({ localName, value }) => localName !== "select" || value !== "");
    return Object.fromEntries(sent.map(({ dataset, value }) => [dataset.key, value.trim()]));
  });
};

document.addEventListener("click", ({ target }) => {
  const add = target.closest?.("[data-add-row]");
  if (add) {
    const rows = add.form.querySelector("tbody");
    rows.append(add.form.querySelector("template").content.cloneNode(true));
    rows.lastElementChild.querySelector("input").focus();
  }
  const remove = target.closest?.("[data-remove-row]");
  if (!remove) return;
  const { form } = remove;
  remove.closest("tr").remove();
  form.querySelector("[data-add-row]").focus();
});

/** Imports redirects from lines with a path and an address. Shows the refused ones. */
ACTIONS.redirects = async ({ url }, form, button) => {
  const lines = form.get("lines").split("\n").map((line) => line.trim().split(/\s+/)).filter(([source]) => source);
  const redirects = lines.map(([source, to]) => ({ source, destination: { kind: "external", url: to ?? "" } }));
  const { results } = await call("PUT", url, { redirects });
  const refused = results.filter(({ status }) => status === "error");
  if (refused.length === 0) return undefined;
  say(button, refused.map(({ source, error }) => `${source}: ${error}`).join(" "));
  return null;
};
