// Unsent texts, stored in the browser.

const DATABASE = "quire-drafts";
const STORE = "drafts";

/** Open database. It stays open, because there is no time to open it when the page is unloaded. */
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

/** Runs an action in a transaction that has begun on return. Resolves when it is on disk. */
const transact = (database, mode, act) =>
  new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    const request = act(transaction.objectStore(STORE));
    transaction.addEventListener("complete", () => resolve(request.result));
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("The browser's store is full.")));
    // Commits without waiting for the request, whose result an unloading page never gets.
    transaction.commit();
  });

/** True while the page unloads. */
let isLeft = false;
addEventListener("pagehide", () => (isLeft = true), true);
addEventListener("pageshow", () => (isLeft = false), true);

/** Formats the time of a draft. */
export const timeOf = (ms) => new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }).format(ms);

/** Storage for one value, such as a user's draft of a page. */
export class Draft {
  constructor(...key) {
    this.key = key;
    this.name = `${DATABASE} ${key.join(" ")}`;
    /** Number of values in local storage so far. */
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

  /** Stores a value synchronously, because the transaction of an unloading page may be lost. */
  hold(value) {
    this.holds += 1;
    try {
      localStorage.setItem(this.name, JSON.stringify(value));
    } catch {
      // The value is too large or storage is disabled. Only the transaction remains.
    }
  }

  remove() {
    localStorage.removeItem(this.name);
    return this.run("readwrite", (store) => store.delete(this.key));
  }
}
