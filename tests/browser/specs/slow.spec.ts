// Pages that arrive in parts, as on slow networks and busy servers.
import { MEDIUM, NARROW, WIDE, expect, test } from "../support/reader.ts";
import { slow, through } from "../support/slow.ts";

for (const viewport of [WIDE, MEDIUM, NARROW]) {
  test(`nothing moves while a page arrives at ${viewport.width}`, async ({ reader, page, at }) => {
    const server = await slow(new URL(at.ferry).origin);
    await page.setViewportSize(viewport);
    for (const address of [at.ferry, at.structured, at.dressed]) {
      await reader.open(through(server, address));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
    server.close();
  });
}
