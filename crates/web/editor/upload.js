// Uploads with progress, which `fetch` does not report.

/**
 * Sends a form to the API. Calls `onProgress` with the part that was sent, from 0 to 1. Rejects with the message of the
 * API. `signal` cancels the request.
 */
export function upload(url, form, { headers = {}, onProgress, signal } = {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.responseType = "json";
    const all = { Accept: "application/json", ...headers };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => {
      const { status, response } = request;
      if (status < 300) return resolve(response);
      const message = response?.error?.message ?? `The server answered ${status}.`;
      const details = response?.error?.details ?? [];
      const error = new Error([message, ...details.map((detail) => `${detail.field}: ${detail.message}`)].join(" "));
      return reject(Object.assign(error, { status, details }));
    });
    request.addEventListener("error", () => reject(new Error("The server cannot be reached.")));
    request.addEventListener("abort", () => reject(new Error("The upload was cancelled.")));
    signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
