import assert from "node:assert/strict";
import test from "node:test";
import { FORMS } from "./fields.js";
import { FORMED } from "./forms.js";

test("the nodes that open a form are those that have one", () => {
  assert.deepEqual([...FORMED].sort(), Object.keys(FORMS).sort());
});
