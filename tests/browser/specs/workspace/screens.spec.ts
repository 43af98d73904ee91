// Every screen of the workspace, in three widths and two themes: without overflow, and as a picture.
import { base, call, organization, page as inserted, site, space as created, user, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";
const WIDTHS = { 390: NARROW, 820: MEDIUM, 1440: WIDE };
const TEXT = "Ferry sends a folder **once a night**.\n\n{% hint style=\"warning\" %}\nStop the database first.\n{% endhint %}\n\n## Install\n\n1. Get the tool.\n2. Run it.\n\n```sh title=\"install.sh\"\nferry install --quiet\n```\n\n| Option | Meaning |\n| --- | --- |\n| `--quiet` | says nothing |\n| `--keep` | days |\n";

/** Makes what the screens show, and returns their addresses by name. */
async function screens(): Promise<Record<string, string>> {
  const id = await created("Ferry handbook");
  await write(id, [inserted("Quickstart", TEXT), inserted("Backups", "Kept for 30 days."), inserted("Troubleshooting", "Ask us.")]);
  const { pages } = await call("GET", `/spaces/${id}/content/pages`);
  const draft = async (subject: string, document: string, page = pages[0].id) => {
    const { number } = await call("POST", `/spaces/${id}/change-requests`, { subject });
    const change = { operation: "update_page", page, document: { markdown: document } };
    await call("POST", `/spaces/${id}/change-requests/${number}/content`, { changes: [change] });
    return number;
  };
  const edited = await draft("Say how long backups are kept", TEXT.replace("once a night", "twice a night"));
  const conflicting = await draft("Keep them longer", "Kept for 60 days.", pages[1].id);
  await write(id, [{ operation: "update_page", page: pages[1].id, document: { markdown: "Kept for 90 days." } }]);
  await call("PATCH", `/spaces/${id}/change-requests/${edited}`, { status: "open" });
  await call("POST", `/spaces/${id}/change-requests/${edited}/comments`, { body: { markdown: "Is *twice* enough?" } });
  await call("POST", `/spaces/${id}/comments`, { page: pages[0].id, body: { markdown: "Which database?" } });
  const { items: revisions } = await call("GET", `/spaces/${id}/revisions`);
  const { id: collection } = await call("POST", `/orgs/${organization}/collections`, { title: "Handbooks" });
  const { id: team } = await call("PUT", `/orgs/${organization}/teams`, { title: "Writers" });
  const { id: published } = await site({ title: "Ferry docs", visibility: "public" }, async (path) => call("POST", `${path}/site-spaces`, { spaceId: id }));
  const [org, space, change] = [`${base}/o/${organization}`, `${base}/s/${id}`, `${base}/s/${id}/~/changes`];
  const at = (root: string, name: string, ...parts: string[]) => Object.fromEntries(parts.map((part) => [`${name}-${part.replaceAll(/\W+/g, "")}`, `${root}/${part}`]));
  return {
    home: org,
    ...at(org, "organization", "changes", "people", "invites", "teams", "settings", "fields", "openapi", "integrations", "webhooks", "audit", "sign-in", "deleted", "sites"),
    team: `${org}/teams/${team}`,
    search: `${org}/search?query=backups`,
    ...at(`${org}/sites/${published}`, "site", "structure", "look", "address", "access", "redirects"),
    site: `${org}/sites/${published}`,
    collection: `${base}/c/${collection}`,
    ...at(`${base}/c/${collection}`, "collection", "settings", "access"),
    page: space,
    ...at(space, "space", "~/changes", "~/history", "~/settings", "~/access", "~/trash", "~/import", "~/files", "~/reusable"),
    revision: `${space}/~/history/${revisions[0].id}`,
    review: `${change}/${edited}`,
    editor: `${change}/${edited}/${pages[0].path}`,
    conflicts: `${change}/${conflicting}/~conflicts`,
    account: `${base}/~/account`,
    // Below an organization, what the workspace lacks leads to the published site.
    missing: `${space}/~/nothing`,
  };
}

test("every screen fits, in light and dark", { tag: "@full" }, async ({ page }) => {
  test.setTimeout(600_000);
  expect(user).toBeTruthy();
  await page.setExtraHTTPHeaders(headers);
  await replaceAssets(page);
  const wide: string[] = [];
  const answers: string[] = [];
  for (const [name, address] of Object.entries(await screens())) {
    const response = await page.goto(address, { waitUntil: "load" });
    if (response!.status() !== (name === "missing" ? 404 : 200)) answers.push(`${name}: ${response!.status()} ${address}`);
    if (name === "editor") await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    for (const [width, size] of Object.entries(WIDTHS)) {
      await page.setViewportSize(size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${folder}/screen-${name}-${width}-${colorScheme}.png` });
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (overflow > 0) wide.push(`${name} at ${width}: ${overflow} px`);
    }
  }
  expect(wide).toEqual([]);
  expect(answers).toEqual([]);
});
