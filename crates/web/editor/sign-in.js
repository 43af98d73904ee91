// A sign-in over a page whose session has ended, so that the text stays where it is.
import { element } from "./element.js";

/**
 * Asks for the e-mail address and the password.
 *
 * @param url     address of the sign-in in the API
 * @param page    address of the page to sign in, for the other ways to do so
 * @param onClose is called when the form is gone
 * @param onEnter is called with the user who has signed in
 */
export function askToSignIn(url, page, onClose, onEnter) {
  const field = (label, attributes) => {
    const id = `editor:${attributes.name}`;
    return element("div", { class: "field" }, element("label", { for: id }, label), element("input", { id, required: true, ...attributes }));
  };
  const cancel = element("button", { type: "button", class: "btn" }, "Cancel");
  const problem = element("p", { class: "action-error", role: "alert" });
  const form = element(
    "form",
    {},
    element("h2", { id: "editor:sign-in" }, "Sign in"),
    field("E-mail address", { name: "email", type: "email", autocomplete: "username" }),
    field("Password", { name: "password", type: "password", autocomplete: "current-password" }),
    problem,
    element("a", { href: page, target: "_blank" }, "Sign in in a new tab"),
    element("div", { class: "buttons" }, cancel, element("button", { type: "submit", class: "btn primary" }, "Sign in")),
  );
  const dialog = element("dialog", { class: "dialog", "aria-labelledby": "editor:sign-in" }, form);
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    dialog.close();
    dialog.remove();
    onClose();
  };
  // Browsers fire `close` after the key events that follow Escape, which may ask for the form again.
  for (const event of ["cancel", "close"]) dialog.addEventListener(event, end);
  cancel.addEventListener("click", end);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => undefined);
    const answer = await response?.json().catch(() => undefined);
    if (!response?.ok) {
      problem.textContent = answer?.error?.message ?? "The server did not answer.";
      return;
    }
    end();
    onEnter(answer);
  });
  document.body.append(dialog);
  dialog.showModal();
}
