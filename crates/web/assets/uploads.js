// Imports, uploads, replaced files, and covers of pages.
import { ACTIONS, bodyOf, call, draftOf, say } from "./actions.js";

const { base } = document.body.dataset;

/** Sends a form and shows its progress. */
const uploadWithBar = async (button, path, form, headers) => {
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.setAttribute("aria-label", "Upload");
  button.after(bar);
  try {
    return await upload(`${base}/v1/${path}`, form, { headers, onProgress: (part) => (bar.value = part) });
  } catch (error) {
    if (error.status === 401) location.assign(`${base}/~/sign-in?next=${encodeURIComponent(location.pathname)}`);
    throw error;
  } finally {
    bar.remove();
  }
};

/** Returns the import source for a file extension. */
const sourceOf = (name) => {
  const [, ending] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const known = { docx: "docx", htm: "html", html: "html", md: "markdown", markdown: "markdown", mdx: "markdown" };
  return known[ending] ?? "zip";
};

/** Starts an import and opens its progress. */
ACTIONS.import = async ({ space, into }, data, button) => {
  const file = data.get("file");
  const url = data.get("url").trim();
  const hasFile = Boolean(file?.name);
  if (hasFile === (url !== "")) throw new Error(url ? "Choose a file or give an address, not both." : "Choose a file, or give an address.");
  const source = data.get("source") || (hasFile ? sourceOf(file.name) : "website");
  let content = `spaces/${space}/content`;
  if (data.has("review")) {
    const { number } = await draftOf(space, `Import ${hasFile ? file.name : url}`);
    content = `spaces/${space}/change-requests/${number}/content`;
  }
  if (into) content += `/page/${into}`;
  const headers = { Prefer: "respond-async" };
  if (!hasFile) {
    const { id } = await call("POST", `${content}/import`, { source, url }, headers);
    return `s/${space}/~/imports/${id}`;
  }
  const form = new FormData();
  form.append("source", source);
  form.append("file", file);
  const { id } = await uploadWithBar(button, `${content}/import`, form, headers);
  return `s/${space}/~/imports/${id}`;
};

/** Adds files to a change request, or to the caller's draft. */
ACTIONS.files = async ({ space, change }, data, button) => {
  const files = data.getAll("file").filter((file) => file.name);
  if (files.length === 0) throw new Error("Choose at least one file.");
  const number = change ?? (await draftOf(space, "Add files")).number;
  const form = new FormData();
  for (const file of files) form.append("file", file);
  await uploadWithBar(button, `spaces/${space}/change-requests/${number}/content/files`, form);
  return `s/${space}/~/files?change=${number}`;
};

/** Replaces a file by a new one, in a change request or in the caller's draft. */
ACTIONS.replace = async ({ space, change, file }, data, button) => {
  const chosen = data.get("file");
  if (!chosen?.name) throw new Error("Choose a file.");
  const number = change ?? (await draftOf(space, "Change files")).number;
  const content = `spaces/${space}/change-requests/${number}/content`;
  const form = new FormData();
  form.append("file", chosen);
  const { items } = await uploadWithBar(button, `${content}/files`, form);
  await call("POST", content, { changes: [{ operation: "replace_file", file, by: items[0].id }] });
  return `s/${space}/~/files?change=${number}`;
};

// Dropped files fill the field of the form.
for (const zone of document.querySelectorAll("[data-drop]")) {
  const field = zone.querySelector("input[type=file]");
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.dataset.over = "";
  });
  zone.addEventListener("dragleave", () => delete zone.dataset.over);
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    delete zone.dataset.over;
    const { files } = event.dataTransfer;
    if (files.length > 1 && !field.multiple) return say(field, "Drop one file. Put several into an archive.");
    if (files.length === 0) return undefined;
    field.files = files;
    return field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/** Returns the reference to the chosen picture of a form: a new file, an address, or a file of the space. */
const chosenPicture = async (data, content, button) => {
  const file = data.get("upload");
  if (file?.name) {
    const form = new FormData();
    form.append("file", file);
    const { items } = await uploadWithBar(button, `${content}/files`, form);
    return { kind: "file", file: items[0].id };
  }
  const url = data.get("url").trim();
  if (url) return { kind: "url", url };
  return { kind: "file", file: data.get("picture") };
};

/** Sets the cover of a page, in a change request or in the caller's draft. */
ACTIONS.cover = async ({ space, change, subject, body, next }, data, button) => {
  if (!data.get("upload")?.name && !data.get("url").trim() && !data.get("picture")) throw new Error("Choose a picture, or give an address.");
  const made = await bodyOf(button.form, body);
  const number = change ?? (await draftOf(space, subject)).number;
  const content = `spaces/${space}/change-requests/${number}/content`;
  const ref = await chosenPicture(data, content, button);
  const dark = data.get("dark");
  const yPos = offsetOf(button.form);
  made.cover = { ref, yPos, ...(dark ? { refDark: { kind: "file", file: dark } } : {}) };
  await call("POST", content, { changes: [made] });
  return next.replace("{number}", number);
};

/** Fields that choose the picture of a cover. */
const SOURCES = ["picture", "upload", "url"];
/** Width of a cover per unit of height, as in the style sheets. */
const ASPECT = 3;

/** Returns the height of a picture that a cover hides, in its pixels. Only sizes of files of the space are known. */
const hiddenHeight = (form) => {
  const { naturalWidth, naturalHeight } = form.querySelector("img.cover");
  return form.elements.url.value.trim() ? 0 : Math.max(0, naturalHeight - naturalWidth / ASPECT);
};

/** Returns the vertical offset of a picture from its center, in its pixels. */
const offsetOf = (form) => Math.round(hiddenHeight(form) * (0.5 - form.elements.position.value / 100));

/** Shows the chosen picture of a cover at its position. */
const showCover = (form) => {
  const { position } = form.elements;
  position.disabled = hiddenHeight(form) === 0;
  form.querySelector("img.cover").dataset.y = position.disabled ? 50 : position.value;
};

for (const form of document.querySelectorAll("[data-cover-form]")) {
  const shown = form.querySelector("img.cover");
  shown.addEventListener("load", () => showCover(form));
  if (shown.complete) showCover(form);
  form.addEventListener("input", ({ target }) => {
    if (target.name === "position") showCover(form);
  });
  form.addEventListener("change", ({ target }) => {
    if (!SOURCES.includes(target.name)) return;
    // The last choice counts.
    for (const other of form.elements) {
      if (!SOURCES.includes(other.name) || other.name === target.name) continue;
      if (other.type === "radio") other.checked = false;
      else other.value = "";
    }
    URL.revokeObjectURL(shown.src);
    const address = target.type === "file" ? URL.createObjectURL(target.files[0]) : (target.dataset.src ?? target.value.trim());
    shown.hidden = false;
    shown.src = address;
    form.elements.position.value = 50;
  });
}
