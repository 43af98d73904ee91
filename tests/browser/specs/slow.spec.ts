// Pages that arrive in parts, as on slow networks and busy servers.
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { MEDIUM, NARROW, WIDE, expect, test } from "../support/reader.ts";

/** Number of bytes that arrive in parts: the frame and the first words. */
const FIRST = 24_000;
/** Minimum size of a part in bytes. Parts end at the start or end of an element. */
const PART = 200;
/** Time between parts in ms, longer than a frame of the display. */
const PAUSE = 25;

/** Starts a proxy that sends the beginning of each page in parts. */
async function slow(origin: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { hostname, port } = new URL(origin);
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    asked.pipe(
      request({ hostname, port, path: asked.url, method: asked.method, headers }, async (found) => {
        answer.writeHead(found.statusCode!, found.headers);
        const body = Buffer.concat(await found.toArray());
        let sent = 0;
        if (found.headers["content-type"]?.startsWith("text/html")) {
          for (let end = body.indexOf(">", PART); end >= 0 && end < FIRST; end = body.indexOf(">", sent + PART)) {
            answer.write(body.subarray(sent, end + 1));
            sent = end + 1;
            await new Promise((resolve) => setTimeout(resolve, PAUSE));
          }
        }
        answer.end(body.subarray(sent));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

for (const viewport of [WIDE, MEDIUM, NARROW]) {
  test(`nothing moves while a page arrives at ${viewport.width}`, async ({ reader, page, at }) => {
    const server = await slow(new URL(at.ferry).origin);
    await page.setViewportSize(viewport);
    for (const address of [at.ferry, at.structured, at.dressed]) {
      const url = new URL(address);
      url.port = String((server.address() as AddressInfo).port);
      await reader.open(url.href);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
    server.close();
  });
}
