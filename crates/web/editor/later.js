// Loads the parts of the editor that the first key does not need, as one script, on first use.

let loading;
let found;

/** Returns the parts of the editor that are loaded on demand. */
export function parts() {
  loading ??= import("./parts.js").then(
    (module) => (found = module),
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Returns the parts if they are loaded. */
export const loaded = () => found;
