// All screens of the workspace in three widths and two themes: screenshots, and checks for overflow.
import type { Page } from "@playwright/test";
import { base, call, organization, page as inserted, site, space as created, user, write } from "../../support/api.ts";
import { headers } from "../../support/editor.ts";
import { expect, MEDIUM, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";

const folder = process.env.QUIRE_SCREENS ?? "";
const WIDTHS = { 390: NARROW, 820: MEDIUM, 1440: WIDE };
const TEXT = "Ferry sends a folder **once a night**.\n\n{% hint style=\"warning\" %}\nStop the database first.\n{% endhint %}\n\n## Install\n\n1. Get the tool.\n2. Run it.\n\n```sh title=\"install.sh\"\nferry install --quiet\n```\n\n| Option | Meaning |\n| --- | --- |\n| `--quiet` | says nothing |\n| `--keep` | days |\n";

/** Creates the data of the screens. Returns their addresses by name. */
async function screens(team = "Writers"): Promise<Record<string, string>> {
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
  const { id: writers } = await call("PUT", `/orgs/${organization}/teams`, { title: team });
  const { id: published } = await site({ title: "Ferry docs", visibility: "public" }, async (path) => call("POST", `${path}/site-spaces`, { spaceId: id }));
  const { items: siteSpaces } = await call("GET", `/orgs/${organization}/sites/${published}/site-spaces`);
  const integration = `tides-${Date.now()}`;
  await call("POST", `/integrations/${integration}`, { title: "Tides", description: "Shows the tides.", scopes: [], script: "run()", organization, blocks: [{ id: "map", title: "Map" }] });
  const { id: installation } = await call("POST", `/integrations/${integration}/installations`, { organization });
  await call("POST", `/integrations/${integration}/installations/${installation}/spaces`, { space: id });
  const [org, space, change] = [`${base}/o/${organization}`, `${base}/s/${id}`, `${base}/s/${id}/~/changes`];
  const at = (root: string, name: string, ...parts: string[]) => Object.fromEntries(parts.map((part) => [`${name}-${part.replaceAll(/\W+/g, "")}`, `${root}/${part}`]));
  return {
    home: org,
    ...at(org, "organization", "changes", "people", "invites", "teams", "settings", "fields", "openapi", "translations", "integrations", "webhooks", "audit", "sign-in", "deleted", "sites"),
    team: `${org}/teams/${writers}`,
    search: `${org}/search?query=backups`,
    ...at(`${org}/sites/${published}`, "site", "structure", "look", "address", "access", "redirects", "renderer"),
    site: `${org}/sites/${published}`,
    "site-part": `${org}/sites/${published}/structure/site-spaces/${siteSpaces[0].id}`,
    "site-look-more": `${org}/sites/${published}/look/more`,
    integration: `${org}/integrations/${integration}`,
    installation: `${org}/integrations/${integration}/${installation}`,
    collection: `${base}/c/${collection}`,
    ...at(`${base}/c/${collection}`, "collection", "settings", "access"),
    page: space,
    ...at(space, "space", "~/changes", "~/history", "~/settings", "~/access", "~/git", "~/trash", "~/import", "~/files", "~/reusable"),
    cover: `${space}/~/cover/${pages[0].id}`,
    revision: `${space}/~/history/${revisions[0].id}`,
    review: `${change}/${edited}`,
    editor: `${change}/${edited}/${pages[0].path}`,
    conflicts: `${change}/${conflicting}/~conflicts`,
    account: `${base}/~/account`,
    founding: `${base}/~/new-organization`,
    // Below an organization, an address without a page redirects to the published site.
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

/** Number of parts of the screens, which run in parallel. */
const PARTS = 4;

/** Returns the controls that Tab does not reach, or that do not show the focus. */
async function stops(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  await page.evaluate(() => {
    // Starts at the beginning of the page.
    const first = document.querySelector<HTMLElement>("a[href], button")!;
    first.focus();
    (window as any).stops = [first];
  });
  for (let stop = 0; stop < 80; stop += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const seen = (window as any).stops as Element[];
      if (element === document.body || seen.includes(element)) return null;
      const before = seen.at(-1);
      seen.push(element);
      const style = getComputedStyle(element);
      // A page within a frame shows the focus itself.
      const isInside = element.isContentEditable || element instanceof HTMLIFrameElement;
      const isShown = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1) || isInside;
      // The menu button moves along the rows of the tree.
      const isMoved = [before, element].some((one) => one?.ariaHasPopup === "menu");
      const isBehind = !before || isMoved || Boolean(before.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
      const box = element.getBoundingClientRect();
      return { name: element.outerHTML.slice(0, 90), isShown, isBehind, isThere: box.width > 0 && element.checkVisibility({ checkVisibilityCSS: true }), isText: element.isContentEditable };
    });
    // The editor handles Tab itself. Another test covers it.
    if (!found || found.isText) break;
    if (!found.isShown) wrong.push(`focus not shown: ${found.name}`);
    if (!found.isBehind) wrong.push(`out of order: ${found.name}`);
    if (!found.isThere) wrong.push(`focus on what is not visible: ${found.name}`);
  }
  const kept = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")]
      .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }) && !(element as HTMLButtonElement).disabled)
      // A toolbar and a tab list have a single tab stop.
      .filter((element) => element.tabIndex < 0 && !element.closest("[role=toolbar], [role=tablist], [contenteditable]"))
      .map((element) => `no stop: ${element.outerHTML.slice(0, 90)}`));
  return [...wrong, ...kept];
}

/**
 * Returns the controls that do not show where they are, and the chosen ones that look like the others. Forced colors
 * remove backgrounds and shadows, so a control needs text, a picture or a border.
 */
async function unseen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const named = (element: Element) => element.outerHTML.slice(0, 90);
    const isThere = (element: Element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && element.getBoundingClientRect().width > 1;
    const isClear = (color: string) => /^rgba\(.*, 0\)$|\/ 0\)$/.test(color);
    /** Returns the color behind the content of an element. */
    const behind = (element: Element | null): string => {
      if (!element) return getComputedStyle(document.documentElement).backgroundColor;
      const { backgroundColor } = getComputedStyle(element);
      return isClear(backgroundColor) ? behind(element.parentElement) : backgroundColor;
    };
    const hasBorder = (element: Element) => {
      const style = getComputedStyle(element);
      const around = behind(element.parentElement);
      const isDrawn = (side: string) => {
        const [width, kind, color] = ["width", "style", "color"].map((name) => style.getPropertyValue(`border-${side}-${name}`));
        return parseFloat(width!) > 0 && kind !== "none" && !isClear(color!) && color !== around;
      };
      return ["top", "bottom", "left", "right"].some(isDrawn);
    };
    const isReadable = (element: HTMLElement) => {
      const parts = [element, ...element.querySelectorAll<HTMLElement>("*")].filter(isThere);
      const isLegible = (part: HTMLElement) => getComputedStyle(part).color !== behind(part);
      const words = parts.some((part) => [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim()) && isLegible(part));
      return words || parts.some((part) => part.localName === "img" || (part.localName === "svg" && isLegible(part)));
    };
    const isNative = (element: HTMLInputElement) => ["checkbox", "radio", "color", "range", "file"].includes(element.type) && getComputedStyle(element).appearance !== "none";
    const controls = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")].filter(isThere);
    const hidden = controls.filter((control) => {
      if (control.matches("input, select, textarea")) return !isNative(control as HTMLInputElement) && !hasBorder(control) && !hasBorder(control.parentElement!);
      return !isReadable(control) && !hasBorder(control);
    });
    const SHOWN = ["fontWeight", "textDecorationLine", "outlineStyle", "backgroundColor", "borderBottomColor", "borderBottomStyle"] as const;
    const chosen = [...document.querySelectorAll<HTMLElement>('[aria-current]:not([aria-current="false"]), [aria-pressed="true"], [aria-selected="true"]')].filter(isThere);
    const alike = chosen.filter((one) => {
      const peers = [...(one.closest("nav, ul, [role], .tabs, div") ?? document).querySelectorAll<HTMLElement>(one.localName)];
      const other = peers.find((peer) => peer !== one && peer.className === one.className && isThere(peer) && !peer.matches('[aria-current]:not([aria-current="false"]), [aria-pressed="true"], [aria-selected="true"]'));
      return other && SHOWN.every((name) => getComputedStyle(one)[name] === getComputedStyle(other)[name]);
    });
    return [...hidden.map((one) => `not seen: ${named(one)}`), ...alike.map((one) => `not marked: ${named(one)}`)];
  });
}

for (let part = 0; part < PARTS; part += 1) {
  test(`every screen is accessible, part ${part + 1} @full`, async ({ reader, page }, info) => {
    test.setTimeout(900_000);
    await page.setExtraHTTPHeaders(headers);
    const all = Object.entries(await screens(`Writers ${part}.${info.retry}`)).filter((_, at) => at % PARTS === part);
    for (const [name, address] of all) {
      await page.setViewportSize(WIDE);
      if (name === "missing") reader.awaits(address);
      await page.goto(address, { waitUntil: "load" });
      if (name === "editor") await expect(page.getByText("Saved", { exact: true })).toBeVisible();
      await reader.settled();
      await reader.isAccessibleEverywhere();
      // A phone of 320 px, and a window of 1440 px at 200 % zoom.
      for (const size of [{ width: 320, height: 640 }, { width: 720, height: 450 }]) {
        await page.setViewportSize(size);
        await reader.fits();
      }
      await page.setViewportSize(WIDE);
      expect.soft(await stops(page), `stops of ${name}`).toEqual([]);
      // The account page and the 404 page have no frame, and work without scripts.
      for (const key of name === "account" || name === "missing" ? [] : ["Control+k", "/"]) {
        // In a text field, the key is text.
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await page.keyboard.press(key);
        await expect.soft(page.getByRole("combobox", { name: "Search", exact: true }), `${key} on ${name}`).toBeFocused();
        await page.keyboard.press("Escape");
      }
      await page.emulateMedia({ reducedMotion: "reduce" });
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll("*")].filter((element) => {
          const style = getComputedStyle(element);
          return style.animationName !== "none" || style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0.01) || style.scrollBehavior === "smooth";
        }).map((element) => element.outerHTML.slice(0, 60)));
      expect.soft(moving, `moves on ${name}`).toEqual([]);
      await page.emulateMedia({ reducedMotion: null, forcedColors: "active" });
      expect.soft(await unseen(page), `with forced colors: ${name}`).toEqual([]);
      expect.soft(await stops(page), `stops of ${name} with forced colors`).toEqual([]);
      await page.emulateMedia({ forcedColors: null });
    }
  });
}
