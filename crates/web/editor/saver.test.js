import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Saver, State } from "./saver.js";

/** Timers that advance only when a test says so. */
class Timers {
  constructor() {
    Object.assign(this, { time: 0, queue: [], keys: 0 });
  }

  now() {
    return this.time;
  }

  set(act, wait) {
    const timer = { act, at: this.time + wait };
    this.queue.push(timer);
    return timer;
  }

  clear(timer) {
    this.queue = this.queue.filter((other) => other !== timer);
  }

  random() {
    return 0;
  }

  key() {
    this.keys += 1;
    return `key-${this.keys}`;
  }

  async pass(ms) {
    const end = this.time + ms;
    for (;;) {
      await settled();
      const due = this.queue.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.time = due.at;
      this.clear(due);
      due.act();
    }
    this.time = end;
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Returns a saver with a fake server and device. `answers` are functions of the request, one per request. */
function stage(answers = []) {
  const timers = new Timers();
  const at = { timers, sent: [], kept: null, states: [], merges: [], text: "", isFull: false, takes: true };
  at.saver = new Saver({
    base: "r0",
    timers,
    send: async (request) => {
      at.sent.push(structuredClone(request));
      const answer = answers.shift() ?? (() => ({ status: 200, body: { revision: `r${at.sent.length}` } }));
      return answer(request);
    },
    store: {
      put: async (entry) => {
        if (at.isFull) throw new Error("QuotaExceededError");
        at.kept = structuredClone(entry);
      },
      remove: async () => {
        at.kept = null;
      },
    },
    onState: (state, detail) => at.states.push(detail === undefined ? state : `${state}: ${detail}`),
    onMerge: (merge) => {
      at.merges.push(merge);
      return at.takes;
    },
  });
  at.type = (text) => {
    at.text += text;
    at.saver.changed(() => at.text);
  };
  return at;
}

const lost = () => Promise.reject(new TypeError("Failed to fetch"));

describe("saving", () => {
  test("a pause keeps the text on the device, a longer one sends it", async () => {
    const at = stage();
    at.type("a");
    await at.timers.pass(199);
    assert.equal(at.kept, null);
    await at.timers.pass(1);
    assert.equal(at.kept.document, "a");
    assert.equal(at.sent.length, 0);
    await at.timers.pass(1_300);
    assert.deepEqual(at.sent, [{ key: "key-1", base: "r0", document: "a" }]);
    assert.equal(at.kept, null);
    assert.deepEqual(at.states, [State.dirty, State.saving, State.clean]);
    at.type("b");
    await at.timers.pass(1_500);
    assert.equal(at.sent[1].base, "r1");
  });

  test("typing without a pause is kept each second and sent each ten", async () => {
    const at = stage();
    for (let key = 0; key < 100; key += 1) {
      at.type("x");
      await at.timers.pass(100);
      if (at.timers.now() === 1_000) assert.equal(at.kept.document.length, 10);
    }
    assert.equal(at.sent.length, 1);
    assert.equal(at.sent[0].document.length, 100);
  });

  test("what is typed while the server works is sent afterwards", async () => {
    let answer;
    const at = stage([() => new Promise((resolve) => (answer = resolve))]);
    at.type("a");
    await at.timers.pass(1_500);
    at.type("b");
    await at.timers.pass(300);
    assert.equal(at.kept.document, "ab");
    answer({ status: 200, body: { revision: "r1" } });
    await at.timers.pass(0);
    assert.deepEqual(at.sent.map(({ base, document }) => [base, document]), [["r0", "a"], ["r1", "ab"]]);
    assert.equal(at.kept, null);
    assert.equal(at.saver.state, State.clean);
  });

  test("without an answer the same request is sent again, and the text stays on the device", async () => {
    const at = stage([lost, () => ({ status: 503 }), () => ({ status: 429, body: { retryAfter: 4 } })]);
    at.type("a");
    await at.timers.pass(1_500);
    assert.equal(at.saver.state, State.offline);
    at.type("b");
    await at.timers.pass(500);
    assert.equal(at.kept.document, "ab");
    await at.timers.pass(500);
    await at.timers.pass(2_000);
    await at.timers.pass(5_000);
    assert.deepEqual(at.sent.slice(0, 4).map(({ key, document }) => [key, document]), Array(4).fill(["key-1", "a"]));
    assert.deepEqual(at.sent.slice(4).map(({ key, document }) => [key, document]), [["key-2", "ab"]]);
    assert.equal(at.saver.state, State.clean);
  });

  test("a slow server is shown after three seconds", async () => {
    let answer;
    const at = stage([() => new Promise((resolve) => (answer = resolve))]);
    at.type("a");
    await at.timers.pass(1_500 + 2_999);
    assert.equal(at.saver.state, State.saving);
    await at.timers.pass(1);
    assert.equal(at.saver.state, State.offline);
    answer({ status: 200, body: { revision: "r1" } });
    await at.timers.pass(0);
    assert.equal(at.saver.state, State.clean);
  });

  test("a session that ended is waited for", async () => {
    const at = stage([() => ({ status: 401 })]);
    at.type("a");
    await at.timers.pass(1_500);
    at.type("b");
    await at.timers.pass(60_000);
    assert.equal(at.sent.length, 1);
    assert.equal(at.kept.document, "ab");
    assert.equal(at.saver.state, State.signedOut);
    await at.saver.again();
    assert.deepEqual(at.sent.map(({ document }) => document), ["a", "a", "ab"]);
    assert.equal(at.saver.state, State.clean);
  });

  test("a refused text is kept, with the reason", async () => {
    const error = { error: { message: "The change request is merged." } };
    const at = stage([() => ({ status: 409, body: error })]);
    at.type("a");
    await at.timers.pass(1_500);
    assert.equal(at.states.at(-1), "refused: The change request is merged.");
    assert.equal(at.kept.document, "a");
    at.type("b");
    await at.timers.pass(60_000);
    assert.equal(at.kept.document, "ab");
    assert.equal(at.sent.length, 1);
  });

  test("a device that is full stays shown while the server does not answer", async () => {
    const gone = () => Promise.reject(new Error("gone"));
    const at = stage([gone, gone]);
    at.isFull = true;
    at.type("a");
    await at.timers.pass(2_500);
    assert.equal(at.sent.length, 2);
    assert.equal(at.saver.state, State.full);
    assert.ok(at.states.every((state) => state !== State.offline), at.states.join());
    await at.timers.pass(10_000);
    assert.equal(at.saver.state, State.clean);
  });

  test("a device that is full is shown, and the text is sent nevertheless", async () => {
    const at = stage();
    at.isFull = true;
    at.type("a");
    await at.timers.pass(200);
    assert.equal(at.saver.state, State.full);
    await at.timers.pass(1_300);
    assert.equal(at.sent[0].document, "a");
    assert.equal(at.saver.state, State.clean);
  });

  test("documents that others changed are merged", async () => {
    const body = { revision: "r1", document: "a and theirs", conflicts: [{ id: "c" }] };
    const at = stage([() => ({ status: 200, body })]);
    at.type("a");
    await at.timers.pass(1_500);
    assert.deepEqual(at.merges, [{ sent: "a", merged: "a and theirs", conflicts: [{ id: "c" }] }]);
    assert.equal(at.saver.base, "r1");
  });

  test("a text that could not take in what others wrote stays one of its former revision", async () => {
    const at = stage([() => ({ status: 200, body: { revision: "r1", document: "a and theirs" } })]);
    at.takes = false;
    at.type("a");
    await at.timers.pass(1_500);
    at.type("b");
    await at.timers.pass(1_500);
    assert.deepEqual(at.sent.map(({ base }) => base), ["r0", "r0"]);
  });

  test("a random typist on a bad network loses nothing", async () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const stored = new Map();
    let document = "";
    let revision = 0;
    const server = (request) => {
      if (random() < 0.2) return lost();
      if (!stored.has(request.key)) {
        document = request.document;
        revision += 1;
        stored.set(request.key, { status: 200, body: { revision: `r${revision}` } });
      }
      // The response may be lost after the server has stored the text.
      if (random() < 0.2) return lost();
      return random() < 0.1 ? { status: 503 } : stored.get(request.key);
    };
    const at = stage(Array(100_000).fill(server));
    for (let action = 0; action < 2_000; action += 1) {
      at.type(String.fromCodePoint(97 + Math.floor(random() * 26)));
      await at.timers.pass(Math.floor(random() * 900));
      // At any time the server, a pending request or the device has all but the last second.
      const known = [document, at.kept?.document ?? "", at.sent.at(-1)?.document ?? ""];
      assert.ok(Math.max(...known.map((text) => text.length)) >= at.text.length - 12);
      assert.ok(known.every((text) => at.text.startsWith(text)));
    }
    await at.timers.pass(120_000);
    assert.equal(document, at.text);
    assert.equal(at.saver.state, State.clean);
    assert.equal(at.kept, null);
  });
});
