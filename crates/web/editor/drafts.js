// Texts that the server lacks, kept in the browser.

const DATABASE = "quire-drafts";
const STORE = "drafts";

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
    request.addEventListener("blocked", () => reject(new Error("The browser's store is in use by an older version.")));
  });
}

/** Returns the time of a draft, for people. */
export const timeOf = (ms) => new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }).format(ms);

/** A place for one value, such as the draft of a page by a person. */
export class Draft {
  constructor(...key) {
    this.key = key;
  }

  /** Runs an action in a transaction and resolves when it is on disk. */
  async run(mode, act) {
    const database = await opened();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, mode, { durability: "strict" });
        const request = act(transaction.objectStore(STORE));
        transaction.addEventListener("complete", () => resolve(request.result));
        transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("The browser's store is full.")));
      });
    } finally {
      database.close();
    }
  }

  get() {
    return this.run("readonly", (store) => store.get(this.key));
  }

  put(value) {
    return this.run("readwrite", (store) => store.put(value, this.key));
  }

  remove() {
    return this.run("readwrite", (store) => store.delete(this.key));
  }
}
