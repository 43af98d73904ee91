// Unsent texts of fields, stored in the browser by page and field. Concatenated with actions.js.

const KEPT_AFTER = 200;
const { person = "" } = document.body.dataset;
const waiting = new Map();

const draftOfField = (field) => new Draft(person, "field", location.pathname, field.id);

const keep = async (field) => {
  clearTimeout(waiting.get(field));
  waiting.delete(field);
  const draft = draftOfField(field);
  // If the browser cannot store the text, it can still be sent.
  await (field.value.trim() ? draft.put(field.value) : draft.remove()).catch(() => {});
};

const keepAll = () => Promise.all([...waiting.keys()].map(keep));

/** Restores stored texts to empty fields below an element. */
const restoreFields = async (root) => {
  for (const field of root.querySelectorAll("[data-kept]")) {
    const text = await draftOfField(field).get().catch(() => undefined);
    if (!text || field.value) continue;
    field.value = text;
  }
};

/** Deletes the stored texts of a form after sending. */
const forgetFields = async (form) => {
  for (const field of form.querySelectorAll("[data-kept]")) {
    field.value = "";
    await keep(field);
  }
};

document.addEventListener("input", ({ target }) => {
  if (!target.matches?.("[data-kept]")) return;
  clearTimeout(waiting.get(target));
  waiting.set(target, setTimeout(keep, KEPT_AFTER, target));
});
addEventListener("pagehide", keepAll);
document.addEventListener("visibilitychange", keepAll);
// Ctrl-Enter sends the form of a text.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.matches?.("form textarea")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

restoreFields(document);
