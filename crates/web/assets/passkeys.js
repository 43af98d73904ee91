// Passkeys on sign-in and account pages. Runs before the first paint: shows passkey forms only if the browser supports
// them, without a layout shift.
const api = window.PublicKeyCredential;
if (api && "parseRequestOptionsFromJSON" in api && "parseCreationOptionsFromJSON" in api) {
  document.documentElement.dataset.passkeys = "";
}

const call = async (url, body) => {
  const response = await fetch(url, {
    method: "POST",
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { reason: answer.error.reason });
  return answer;
};

const signIn = async (form) => {
  const { id, publicKey } = await call(`${form.dataset.url}/start`);
  const credential = await navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(publicKey) });
  await call(form.dataset.url, { challenge: id, credential: credential.toJSON() });
};

const register = async (form) => {
  const { id, publicKey } = await call(`${form.dataset.url}/start`);
  const credential = await navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(publicKey) });
  await call(form.dataset.url, {
    challenge: id,
    name: new FormData(form).get("name"),
    credential: credential.toJSON(),
  });
};

// Returns a message for an error. Those of browsers are long and differ.
const message = (error) => {
  if (error.name === "NotAllowedError") return "The passkey was not used.";
  if (error.name === "InvalidStateError") return "This device already has a passkey of yours.";
  return error.message;
};

const submitted = async (event) => {
  event.preventDefault();
  const form = event.target;
  const [button, alert] = [form.querySelector("button"), form.querySelector("[role=alert]")];
  button.disabled = true;
  alert.hidden = true;
  try {
    await (form.dataset.passkey === "register" ? register(form) : signIn(form));
    location.assign(form.dataset.next);
  } catch (error) {
    if (error.reason === "confirmation-required") return location.assign(form.dataset.confirm);
    alert.textContent = message(error);
    alert.hidden = false;
  }
  button.disabled = false;
};

addEventListener("DOMContentLoaded", () => {
  for (const form of document.querySelectorAll("form[data-passkey]")) form.addEventListener("submit", submitted);
});
