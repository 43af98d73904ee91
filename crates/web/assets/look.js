// Previews a site with the settings of a form before they are saved.

const { base } = document.body.dataset;
const form = document.querySelector("form[data-preview]");
/** Delay after the last change. */
const PAUSE = 300;

/** Returns the settings in the form. Field names are their paths. */
const settingsIn = (fields) => {
  const settings = {};
  for (const field of fields) {
    if (!field.name || field.dataset.as === "none") continue;
    const names = field.name.split(".");
    const last = names.pop();
    const inner = names.reduce((object, name) => (object[name] ??= {}), settings);
    inner[last] = field.type === "checkbox" ? field.checked : field.value.trim();
  }
  return settings;
};

if (form) {
  const frame = document.querySelector("[data-preview-frame]");
  const link = document.querySelector("[data-preview-link]");
  const note = document.querySelector("[data-preview-note]");
  let waiting;
  let latest = 0;

  const show = async () => {
    latest += 1;
    const asked = latest;
    const settings = settingsIn(form.elements);
    const view = new FormData(form).get("view");
    if (view) Object.assign(settings.themes, { default: view, toggeable: false });
    const query = encodeURIComponent(JSON.stringify(settings));
    const answer = await fetch(`${base}/v1/${form.dataset.preview}?customization=${query}`, { headers: { Accept: "application/json" } })
      .then(async (response) => ({ isMade: response.ok, ...(await response.json()) }))
      .catch(() => ({}));
    if (asked !== latest) return;
    note.hidden = Boolean(answer.isMade);
    note.textContent = answer.isMade ? "" : `The preview shows the last valid values. ${answer.error?.message ?? "The server can't be reached."}`;
    if (!answer.isMade) return;
    link.href = answer.url;
    // Adds no entry to the browser's history.
    frame.contentWindow.location.replace(answer.url);
  };

  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, PAUSE);
  });
  for (const choice of document.querySelectorAll('input[name="view"]')) choice.addEventListener("change", show);
}
