// Saving of a page: stores the input on this device at once, and sends it to the server soon after.
//
// The saver has no elements and no network access of its own, so tests can run it. It never drops text: until the
// server has answered, the device has it. A refused text remains there to be copied.

/** Pause after a key before the device stores the text, and maximum delay, in ms. */
const KEPT = { pause: 200, most: 1_000 };
/** The same for the server. */
const SENT = { pause: 1_500, most: 10_000 };
/** Delays before retries without a response. */
const RETRIES = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Random part of a delay, so that browsers do not reconnect simultaneously. */
const JITTER = 0.3;
/** Time without a response after which users are informed. */
const PATIENCE = 3_000;

/** States for display. `detail` has the message of a refusal. */
export const State = Object.freeze({
  clean: "clean",
  dirty: "dirty",
  saving: "saving",
  offline: "offline",
  signedOut: "signed-out",
  refused: "refused",
  full: "full",
});

/** Timer that fires after a pause, and at the latest a time after the first call. */
class Debounce {
  constructor(timers, { pause, most }, act) {
    Object.assign(this, { timers, pause, most, act, first: null, timer: null });
  }

  call() {
    const now = this.timers.now();
    this.first ??= now;
    this.timers.clear(this.timer);
    const wait = Math.max(0, Math.min(this.pause, this.first + this.most - now));
    this.timer = this.timers.set(() => this.fire(), wait);
  }

  fire() {
    this.cancel();
    return this.act();
  }

  cancel() {
    this.timers.clear(this.timer);
    this.timer = null;
    this.first = null;
  }
}

/**
 * @param base      revision that the document is of
 * @param send      sends `{key, base, document}` and resolves to `{status, body}`; rejects without an answer
 * @param store     device: `put(entry)`, `remove()`, both asynchronous
 * @param timers    `now()`, `set(act, ms)`, `clear(timer)`, `random()`, `key()`
 * @param onState   called with a new state, and the message of a refusal
 * @param onMerge   takes in a document that others have changed, and the conflicts; returns whether the text of here has
 *                  all of it now
 */
export class Saver {
  constructor({ base, send, store, timers, onState = () => {}, onMerge = () => true }) {
    Object.assign(this, { base, send, store, timers, onState, onMerge });
    this.state = State.clean;
    this.version = 0;
    this.saved = 0;
    this.read = null;
    /** Request without a response. A retry has the same key and body. */
    this.attempt = null;
    this.running = null;
    this.failures = 0;
    this.retry = null;
    /** Reason why the device could not store the text. */
    this.unkept = null;
    this.keeping = new Debounce(timers, KEPT, () => this.keep());
    this.sending = new Debounce(timers, SENT, () => this.save());
  }

  /** Records a change. `read` returns the current document. */
  changed(read) {
    this.read = read;
    this.version += 1;
    if (this.state === State.clean || this.state === State.full) this.show(State.dirty);
    this.keeping.call();
    if (this.state !== State.refused && this.state !== State.signedOut) this.sending.call();
  }

  /** Returns whether there is unsaved input. */
  get isDirty() {
    return this.version !== this.saved;
  }

  /** Stores the text on the device now. */
  async keep() {
    this.keeping.cancel();
    if (!this.isDirty) return;
    const { key } = this.attempt ?? {};
    try {
      await this.store.put({ base: this.base, document: this.read(), time: this.timers.now(), key });
      this.unkept = null;
      if (this.state === State.full) this.show(State.dirty);
    } catch (error) {
      this.unkept = error.message;
      this.show(State.full, error.message);
    }
  }

  /** Sends the input. Resolves when the server has stored or refused it. */
  save() {
    this.sending.cancel();
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Retries at once: the network is back, or the user signed in. */
  again() {
    this.timers.clear(this.retry);
    this.failures = 0;
    if (this.state === State.signedOut || this.state === State.refused) this.show(State.dirty);
    return this.save();
  }

  async run() {
    while (this.isDirty) {
      this.attempt ??= {
        version: this.version,
        request: { key: this.timers.key(), base: this.base, document: this.read() },
      };
      await this.keep();
      if (this.state !== State.offline && this.unkept === null) this.show(State.saving);
      const patience = this.timers.set(() => this.show(State.offline), PATIENCE);
      let answer = null;
      try {
        answer = await this.send(this.attempt.request);
      } catch {
        answer = { status: 0 };
      } finally {
        this.timers.clear(patience);
      }
      if (!(await this.take(answer))) return;
    }
    this.show(State.clean);
  }

  /** Processes a response. Resolves to whether there may be more to send. */
  async take({ status, body }) {
    if (status === 0 || status === 408 || status === 429 || status >= 500) {
      this.show(State.offline, undefined, status);
      this.retryLater(body?.retryAfter);
      return false;
    }
    this.failures = 0;
    const { version, request } = this.attempt;
    if (status === 401) {
      this.show(State.signedOut);
      return false;
    }
    this.attempt = null;
    if (status >= 400) {
      this.show(State.refused, body?.error?.message ?? `The server answered ${status}.`, status);
      return false;
    }
    this.saved = version;
    const { document = request.document, conflicts = [] } = body;
    const isMerged = body.document !== undefined || conflicts.length > 0;
    // A text without the changes of others keeps the former base. With the new one it would revert them.
    if (!isMerged || this.onMerge({ sent: request.document, merged: document, conflicts })) {
      this.base = body.revision;
    }
    if (!this.isDirty) await this.store.remove().catch(() => {});
    return true;
  }

  retryLater(seconds) {
    const wait = RETRIES[Math.min(this.failures, RETRIES.length - 1)];
    this.failures += 1;
    const jittered = wait * (1 + JITTER * this.timers.random());
    this.timers.clear(this.retry);
    this.retry = this.timers.set(() => this.save(), Math.max(jittered, (seconds ?? 0) * 1_000));
  }

  show(wanted, detail, status) {
    // Without a response the device has the text, unless it could not store it.
    const state = wanted === State.offline && this.unkept !== null ? State.full : wanted;
    if (state === this.state && detail === undefined) return;
    this.state = state;
    this.onState(state, detail, status);
  }

  /** Stores the rest on the device and sends no more. */
  async close() {
    await this.keep();
    this.sending.cancel();
    this.timers.clear(this.retry);
  }
}
