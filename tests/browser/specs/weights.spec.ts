// Transferred bytes of the long page.
import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "../support/reader.ts";

/** Returns the size of a response with gzip and without. */
const weigh = (url: string) =>
  new Promise<{ sent: number; plain: number }>((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "gzip", accept: "*/*" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const body = Buffer.concat(chunks);
        const plain = response.headers["content-encoding"] === "gzip" ? gunzipSync(body).length : body.length;
        resolve({ sent: body.length, plain });
      });
    }).on("error", reject);
  });

test("the long page is light", async ({ reader, page, at }) => {
  const url = `${at.ferry}/guides/jobs`;
  await reader.open(url);
  await page.waitForLoadState("networkidle");
  const requests = reader.requests;
  const kinds = { html: { sent: 0, plain: 0 }, css: { sent: 0, plain: 0 }, js: { sent: 0, plain: 0 } };
  kinds.html = await weigh(url);
  for (const request of requests) {
    const kind = /\.css$/.test(request) ? kinds.css : /\.js$/.test(request) ? kinds.js : undefined;
    if (!kind) continue;
    const { sent, plain } = await weigh(request);
    kind.sent += sent;
    kind.plain += plain;
  }
  const rows = Object.entries(kinds).map(([kind, { sent, plain }]) => `| ${kind}, plain and gzip | ${plain}; ${sent} bytes |`);
  console.log([...rows, `| requests | ${requests.length} |`].join("\n"));
  expect(kinds.html.plain).toBeLessThanOrEqual(60_000);
  expect(kinds.html.sent).toBeLessThanOrEqual(10_000);
  expect(kinds.css.sent).toBeLessThanOrEqual(15_000);
  expect(kinds.js.sent).toBeLessThanOrEqual(12_000);
  expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(8);
  const answer = await weigh(`${at.ferry}/~quire/search?q=verify`);
  expect(answer.sent, "answer of a search").toBeLessThanOrEqual(5_000);
});
