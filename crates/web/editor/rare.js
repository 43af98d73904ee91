// Views of blocks that few pages have: they are loaded with the parts, before the editor of such a page starts.
import { above, choice, fill, leadBack, setData, words } from "./blocks.js";
import { element } from "./element.js";

/** Returns a field for a text in the data of a node. A required one keeps its last value when it is emptied. */
function field(view, getPos, name, label, placeholder, { type = "text", required = false } = {}) {
  const input = element("input", { type, "aria-label": label, placeholder, class: "block-field" });
  input.addEventListener("change", () => {
    const value = input.value.trim();
    if (value || !required) setData(view, getPos, name, value);
    else input.value = view.state.doc.nodeAt(getPos())?.attrs.data[name] ?? "";
  });
  leadBack(input, view);
  return input;
}

function condition({ at }) {
  const expression = field(...at, "expression", "Condition", "Condition", { required: true });
  const contentDOM = element("div", { class: "document whole" });
  const dom = element("section", { class: "condition" }, above(expression), contentDOM);
  return { dom, contentDOM, controls: [dom.firstChild], show: (data) => fill(expression, data.expression) };
}

function prompt({ at, shown }) {
  const description = words(...at, "description", "Description of the prompt", "Prompt", { required: true });
  const caption = shown?.querySelector("figcaption").cloneNode(true) ?? element("figcaption", {}, element("span"));
  caption.querySelector("span").replaceWith(description);
  const hidden = shown?.querySelector(":scope > details");
  const summary = hidden?.firstElementChild.cloneNode(true);
  const contentDOM = hidden?.cloneNode() ?? element("div");
  const content = element("div");
  if (summary) contentDOM.append(summary, content);
  const dom = element("figure", { class: "prompt" }, caption, contentDOM);
  return {
    dom,
    contentDOM: summary ? content : contentDOM,
    controls: summary ? [caption, summary] : [caption],
    open: () => summary && (contentDOM.open = true),
    show: (data) => fill(description, data.description),
  };
}

const FORMATS = [["full", "January 2, 2030"], ["short", "Jan 2, 2030"], ["numeric", "2030-01-02"]];

function updates({ at }) {
  const format = choice(...at, "format", "Dates of the updates", FORMATS);
  const contentDOM = element("div");
  const dom = element("div", { class: "updates" }, above(format), contentDOM);
  return { dom, contentDOM, controls: [dom.firstChild], show: (data) => (format.value = data.format ?? "full") };
}

/** Returns a date as readers see it. */
function dateOf(date = "", format = "full") {
  const day = new Date(date.slice(0, 10));
  if (format === "numeric" || Number.isNaN(day.getTime())) return date.slice(0, 10);
  return day.toLocaleDateString("en-US", { timeZone: "UTC", year: "numeric", day: "numeric", month: format === "short" ? "short" : "long" });
}

function update({ at: [view, getPos], shown }) {
  const date = field(view, getPos, "date", "Date of the update", "", { type: "date", required: true });
  const head = shown?.firstElementChild.cloneNode(true) ?? element("div", { class: "update-head" }, element("time"));
  head.append(above(date));
  const contentDOM = element("div", { class: "update-body" });
  return {
    dom: element("article", { class: "update" }, head, contentDOM),
    contentDOM,
    controls: [head],
    show(data) {
      fill(date, data.date);
      const { parent } = view.state.doc.resolve(getPos());
      head.firstChild.textContent = dateOf(data.date, parent.attrs.data.format);
    },
  };
}

export const RARE = { if: condition, prompt, updates, update };
