// Loads the parts of the editor that the first key does not need: one script, when one of them is used.

let loading;

/** Returns the parts of the editor that are loaded on demand. */
export function parts() {
  loading ??= import("./parts.js").catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
