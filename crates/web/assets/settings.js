// Forms of settings that are sent in another way than field by field.

import { ACTIONS, FIELDS, call, say } from "./actions.js";

/** Returns a picture as Base64. */
const base64 = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result.replace(/^.*,/, "")));
  reader.addEventListener("error", () => reject(reader.error));
  reader.readAsDataURL(file);
});

/** Returns the pictures of a field: the chosen ones, or else those that are there. */
FIELDS.base64 = async (field) => {
  const there = field.files.length > 0 ? [] : (field.dataset.there?.split(" ") ?? []);
  const files = [...field.files, ...(await Promise.all(there.map(async (url) => (await fetch(url)).blob())))];
  const pictures = await Promise.all(files.map(base64));
  return field.multiple ? pictures : pictures[0];
};

/** Returns the object of lines with a name, = and a value. */
FIELDS.pairs = ({ name, value }) => Object.fromEntries(value.split("\n").filter((line) => line.trim()).map((line) => {
  const at = line.indexOf("=");
  if (at < 1) throw Object.assign(new Error("Each line is a name, = and a value."), { details: [{ field: name }] });
  return [line.slice(0, at).trim(), line.slice(at + 1)];
}));

/** Sets the redirects of a list, each line of which has a path and an address. Says which were refused. */
ACTIONS.redirects = async ({ url }, form, button) => {
  const lines = form.get("lines").split("\n").map((line) => line.trim().split(/\s+/)).filter(([source]) => source);
  const redirects = lines.map(([source, to]) => ({ source, destination: { kind: "external", url: to ?? "" } }));
  const { results } = await call("PUT", url, { redirects });
  const refused = results.filter(({ status }) => status === "error");
  if (refused.length === 0) return undefined;
  say(button, refused.map(({ source, error }) => `${source}: ${error}`).join(" "));
  return null;
};
