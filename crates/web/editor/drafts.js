// Texts that the server lacks, kept in the browser.

const DATABASE = "quire-drafts";
const STORE = "drafts";

/** The open database. It stays open: a page that is left has no time to open it. */
let connection;

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
    request.addEventListener("success", () => {
      const { result } = request;
      const forget = () => {
        if (connection === result) connection = undefined;
      };
      result.addEventListener("close", forget);
      // Another tab has a newer version.
      result.addEventListener("versionchange", () => {
        forget();
        result.close();
      });
      connection = result;
      resolve(result);
    });
    request.addEventListener("error", () => reject(request.error));
    request.addEventListener("blocked", () => reject(new Error("The browser's store is in use by an older version.")));
  });
}

/** Runs an action in a transaction that has begun when this returns. Resolves when it is on disk. */
const transact = (database, mode, act) =>
  new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    const request = act(transaction.objectStore(STORE));
    transaction.addEventListener("complete", () => resolve(request.result));
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("The browser's store is full.")));
    // Without a wait for the answer of the request: a page that is left has none.
    transaction.commit();
  });

/** Whether the page is being left. */
let isLeft = false;
addEventListener("pagehide", () => (isLeft = true), true);
addEventListener("pageshow", () => (isLeft = false), true);

/** Returns the time of a draft, for people. */
export const timeOf = (ms) => new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }).format(ms);

/** A place for one value, such as the draft of a page by a person. */
export class Draft {
  constructor(...key) {
    this.key = key;
    this.name = `${DATABASE} ${key.join(" ")}`;
    /** Number of values that were held. */
    this.holds = 0;
  }

  run(mode, act) {
    return connection ? transact(connection, mode, act) : opened().then((database) => transact(database, mode, act));
  }

  async get() {
    const held = localStorage.getItem(this.name);
    if (held === null) return this.run("readonly", (store) => store.get(this.key));
    const value = JSON.parse(held);
    await this.put(value).catch(() => {});
    return value;
  }

  /** Resolves when the value is on disk. */
  async put(value) {
    if (isLeft) this.hold(value);
    const { holds } = this;
    await this.run("readwrite", (store) => store.put(value, this.key));
    if (holds === this.holds) localStorage.removeItem(this.name);
  }

  /** Holds a value where it is at once: the transaction of a page that is left may end with the page. */
  hold(value) {
    this.holds += 1;
    try {
      localStorage.setItem(this.name, JSON.stringify(value));
    } catch {
      // It is too large, or the browser stores nothing: the transaction is left.
    }
  }

  remove() {
    localStorage.removeItem(this.name);
    return this.run("readwrite", (store) => store.delete(this.key));
  }
}
