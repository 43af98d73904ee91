// Attacks in all user texts of the workspace.
import type { Page } from "@playwright/test";
import { base, call, organization, page as inserted, space as createSpace, write } from "../../support/api.ts";
import { headers, status } from "../../support/editor.ts";
import { member } from "../../support/person.ts";
import { expect, NARROW, replaceAssets, test, WIDE } from "../../support/reader.ts";
import { ATTACKS } from "../../support/seed.ts";
import { sites } from "../../support/sites.ts";

/** Checks that nothing ran or may run, and that the page fits the window. */
async function isHarmless(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: (window as any).hostile ?? null,
    handlers: [...document.querySelectorAll("*")].flatMap((element) => [...element.attributes])
      .filter(({ name }) => /^on/i.test(name) || name === "srcdoc")
      .map(({ name, value }) => `${name}=${value}`),
    schemes: [...document.querySelectorAll("[href], [src], [action], [formaction]")].flatMap((element) =>
      ["href", "src", "action", "formaction"].flatMap((name) => {
        const value = element.getAttribute(name);
        return value === null ? [] : [new URL(value, location.href).protocol];
      })).filter((scheme) => !["http:", "https:", "mailto:", "tel:", "data:", "blob:"].includes(scheme)),
    inline: [...document.scripts].filter((script) => !script.src && script.type !== "application/json").length,
    violations: (window as any).seen.violations.filter((violation: string) => !/^(img|media)-src/.test(violation)),
  }));
  expect.soft(found, what).toEqual({ ran: null, handlers: [], schemes: [], inline: 0, violations: [] });
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(overflow, `${what}: width at ${size.width}`).toBeLessThanOrEqual(0);
  }
}

/** Ignores expected problems: pictures of other hosts are blocked. */
function forgive(problems: string[]): void {
  const others = problems.filter((problem) => !/^request: |ERR_FAILED|ERR_NAME_NOT_RESOLVED|status of 40[14]|violates the following.*(img|media)-src/.test(problem));
  problems.length = 0;
  expect(others).toEqual([]);
}

test.beforeEach(async ({ page }) => {
  await page.setExtraHTTPHeaders(headers);
  await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort());
});

test("pages whose every field is an attack are read and edited @full", async ({ reader, page }) => {
  test.setTimeout(600_000);
  const { hostileSpace, hostilePages } = sites();
  const { number } = await call("POST", `/spaces/${hostileSpace}/change-requests`, { subject: ATTACKS[0] });
  for (const slug of hostilePages) {
    await page.goto(`${base}/s/${hostileSpace}/${slug}`);
    await isHarmless(page, `${slug}, read`);
    await page.goto(`${base}/s/${hostileSpace}/~/changes/${number}/${slug}`);
    await expect(status(page), slug).toHaveText("Saved");
    await isHarmless(page, `${slug}, edited`);
  }
  forgive(reader.problems);
});

test("attacks as names, titles, comments, alternative texts and languages stay text", async ({ reader, page, browser }) => {
  test.setTimeout(120_000);
  const names: string[] = [];
  const attacks = [ATTACKS[0]!, ATTACKS[1]!, ATTACKS[17]!, "Aa".repeat(49)];
  for (const attack of attacks) {
    const title = attack.slice(0, 50);
    const space = await createSpace(title);
    const markdown = `Text.\n\n![${attack}](https://evil.example/x.png)\n\n\`\`\`${attack.replaceAll(/\s/g, "")}\ncode\n\`\`\``;
    await write(space, [inserted(title, markdown, { slug: "attack", description: attack })]);
    const { pages } = await call("GET", `/spaces/${space}/content/pages`);
    const name = attack.slice(0, 40);
    names.push(name);
    const context = await browser.newContext({ extraHTTPHeaders: await member(name, "admin") });
    const other = await context.newPage();
    await replaceAssets(other);
    await other.goto(`${base}/s/${space}`);
    const field = other.getByRole("textbox", { name: "New comment" });
    await field.fill(attack);
    await field.press("Control+Enter");
    await expect(other.getByRole("article", { name: /^Comment by/ })).toBeVisible();
    await context.close();
    const { number } = await call("POST", `/spaces/${space}/change-requests`, { subject: title });
    const change = { operation: "update_page", page: pages[0].id, document: { markdown: `${markdown}\n\n${attack}` } };
    await call("POST", `/spaces/${space}/change-requests/${number}/content`, { changes: [change] });
    await call("PATCH", `/spaces/${space}/change-requests/${number}`, { status: "open" });
    for (const path of ["", "/~/changes", `/~/changes/${number}`, `/~/changes/${number}/attack`, "/~/history"]) {
      await page.goto(`${base}/s/${space}${path}`);
      await isHarmless(page, `${attack.slice(0, 30)} at ${path}`);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill(title.slice(0, 20));
    await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
    await isHarmless(page, "the palette");
  }
  // These pages show all attacks at once.
  for (const path of ["", "/changes", "/people"]) {
    await page.goto(`${base}/o/${organization}${path}`);
    await isHarmless(page, path);
  }
  for (const name of names) await expect(page.getByRole("main")).toContainText(name.slice(0, 30));
  forgive(reader.problems);
});
