// Pages of the workspace that arrive in parts.
import { base, call, organization, page as inserted, site, space as createSpace, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, NARROW, test, WIDE } from "../../support/reader.ts";
import { slow, through } from "../../support/slow.ts";

/** Number of bytes that arrive in parts: the frame and the first rows of a table. */
const FIRST = 60_000;

for (const viewport of [WIDE, NARROW]) {
  test(`nothing moves while the redirects of a site arrive at ${viewport.width}`, async ({ reader, page }) => {
    await page.setExtraHTTPHeaders(headers);
    const space = await createSpace("Slow redirects");
    await write(space, [inserted("Start", "Text.")]);
    const { id, path } = await site({ title: "Slow redirects", visibility: "public", spaces: [space] });
    const { pages } = await call("GET", `/spaces/${space}/content/pages`);
    const long = `/${"former-".repeat(12)}path`;
    for (const [source, destination] of [
      ["/a", { kind: "external", url: "https://example.com/a" }],
      ["/b", { kind: "path", spaceId: space, path: pages[0].path }],
      [long, { kind: "external", url: `https://example.com${long}` }],
    ] as const) await call("POST", `${path}/redirects`, { source, destination });
    const server = await slow(base, FIRST);
    await page.setViewportSize(viewport);
    await reader.open(through(server, `${base}/o/${organization}/sites/${id}/redirects`));
    await expect(page.getByRole("region", { name: "Redirects" })).toContainText("/b");
    await page.goto("about:blank");
    server.close();
  });
}
