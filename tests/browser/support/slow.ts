// Proxy whose pages arrive in parts, as on slow networks and busy servers.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Number of bytes that arrive in parts: the frame and the first words. */
const FIRST = 24_000;
/** Minimum size of a part in bytes. Parts end at the start or end of an element. */
const PART = 200;
/** Time between parts in ms, longer than a frame of the display. */
const PAUSE = 25;

/** Starts a proxy that sends the first bytes of each page in parts. */
export async function slow(origin: string, first = FIRST): Promise<Server> {
  const relay = async (found: IncomingMessage, answer: ServerResponse) => {
    answer.writeHead(found.statusCode!, found.headers);
    if (!found.headers["content-type"]?.startsWith("text/html")) {
      // Event streams do not end.
      answer.on("close", () => found.destroy());
      return void found.pipe(answer);
    }
    const body = Buffer.concat(await found.toArray());
    let sent = 0;
    for (let end = body.indexOf(">", PART); end >= 0 && end < first; end = body.indexOf(">", sent + PART)) {
      answer.write(body.subarray(sent, end + 1));
      sent = end + 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    return void answer.end(body.subarray(sent));
  };
  const server = createServer((asked, answer) => {
    const { hostname, port } = new URL(origin);
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const forwarded = request({ hostname, port, path: asked.url, method: asked.method, headers }, (found) => {
      relay(found, answer).catch(() => answer.destroy());
    });
    // A connection to the server that breaks breaks the one to the browser, which tries again.
    forwarded.on("error", () => answer.destroy());
    asked.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** Returns an address of the origin at the proxy. */
export function through(server: Server, address: string): string {
  const url = new URL(address);
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}
