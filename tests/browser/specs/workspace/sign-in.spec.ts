// Sign-in: first run, passwords, links, invites and sessions.
import { call, base, organization, quire, space } from "../../support/api.ts";
import { startDeployment } from "../../support/deployment.ts";
import { registered, unused } from "../../support/person.ts";
import { expect, NARROW, test } from "../../support/reader.ts";
import type { Page } from "@playwright/test";

const PASSWORD = "ferry lantern quilt";

test("the first run ends signed in, and its link works once", async ({ reader, browser }) => {
  const deployment = await startDeployment();
  try {
    const { page } = reader;
    const fill = async (page: Page, password: string) => {
      await page.getByLabel("Organization").fill("Acme");
      await page.getByLabel("Your name").fill("Ada Lovelace");
      await page.getByLabel("E-mail address").fill("ada@example.com");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Create organization" }).click();
    };
    const other = await browser.newContext();
    const second = await other.newPage();
    await second.goto(deployment.welcome);
    await fill(second, "password123");
    await expect(second.getByText("is too easy to guess")).toBeVisible();
    await expect(second.getByLabel("Organization")).toHaveValue("Acme");

    await reader.open(deployment.welcome);
    await reader.isAccessibleEverywhere();
    await fill(page, PASSWORD);
    await expect(page).toHaveURL(`${deployment.base}/`);
    await reader.open(`${deployment.base}/~/account`);
    await expect(page.getByText("ada@example.com")).toBeVisible();

    const late = await second.goto(deployment.welcome);
    expect(late?.status()).toBe(410);
    await expect(second.getByText("The link works once.")).toBeVisible();
    await other.close();
  } finally {
    await deployment.stop();
  }
});

test("a wrong password is told apart from too many", async ({ page }) => {
  const answers: (string | null)[] = [];
  const known = unused("known@signing.example");
  await registered(known, "Known", "read");
  for (const email of [known, unused("unknown@signing.example")]) {
    await page.goto(`${base}/~/sign-in`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Continue" }).click();
    for (let count = 0; count < 5; count++) {
      await expect(page.getByLabel("Password")).toBeFocused();
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      answers.push(await page.getByRole("alert").textContent());
    }
    const next = async () => {
      await page.getByLabel("Password").fill("not the password");
      const answer = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Sign in" }).click();
      return answer;
    };
    let response = await next();
    // One more try is allowed after each twelve seconds, which a busy machine takes for some of them.
    for (let further = 0; further < 3 && response.status() === 401; further += 1) response = await next();
    expect(response.status()).toBe(429);
    expect(Number(await response.headerValue("retry-after"))).toBeGreaterThan(0);
    await expect(page.getByRole("alert")).toHaveText("Too many requests.");
  }
  expect(new Set(answers)).toEqual(new Set(["The e-mail address or the password is wrong."]));
});

test("an invited person joins, signs in elsewhere and ends a session", async ({ reader, browser }) => {
  const open = await space("Open to members");
  const email = unused("grace@example.org");
  const body = { emails: [email], role: "read" };
  const { invites } = await call("POST", `/orgs/${organization}/invites`, body);
  const link = `${base}/~/invite/${invites[0].id}?secret=${invites[0].secret}`;
  const { page } = reader;
  await reader.open(link);
  await reader.isAccessibleEverywhere();
  await page.getByLabel("Your name").fill("Grace Hopper");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page).toHaveURL(`${base}/`);
  const seen = await page.request.get(`${base}/v1/orgs/${organization}/spaces?limit=1000`);
  expect((await seen.json()).items.map((item: { id: string }) => item.id)).toContain(open);

  // The cookie is limited to this host, and hidden from scripts and from forms of other sites.
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: "quire", httpOnly: true, sameSite: "Lax", secure: false });
  const elsewhere = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  const refused = await page.request.patch(`${base}/v1/user`, { headers: elsewhere, data: { displayName: "Eve" } });
  expect([refused.status(), (await refused.json()).error.reason]).toEqual([403, "cross-site-request"]);

  const other = await browser.newContext({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" });
  const second = await other.newPage();
  await second.goto(`${base}/~/account`);
  await second.getByLabel("E-mail address").fill(email);
  await second.getByRole("button", { name: "Continue" }).click();
  await second.getByLabel("Password").fill(PASSWORD);
  await second.getByRole("button", { name: "Sign in" }).click();
  await expect(second.getByRole("heading", { name: "Your account" })).toBeVisible();

  await reader.open(`${base}/~/account`);
  await reader.isAccessibleEverywhere();
  const browsers = page.getByRole("region", { name: "Browsers" }).getByRole("listitem");
  await expect(browsers).toHaveCount(2);
  await page.getByRole("button", { name: "Sign out Firefox on Linux" }).click();
  await expect(browsers).toHaveCount(1);
  await second.reload();
  await expect(second).toHaveURL(`${base}/~/sign-in?next=/~/account`);
  await other.close();

  await page.getByLabel("Label").fill("laptop");
  reader.awaits(`${base}/~/account/tokens`);
  await page.getByLabel("Last day").fill("2020-01-01");
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByText("must be today or later")).toBeVisible();
  await page.getByLabel("Label").fill("laptop");
  await page.getByLabel("Last day").fill("2999-01-01");
  await page.getByLabel("Read-only").check();
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("status")).toContainText("qr_");
  await page.getByRole("button", { name: "Revoke laptop" }).click();
  await expect(page.getByRole("button", { name: "Revoke laptop" })).toHaveCount(0);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await reader.isAccessibleEverywhere();
  await page.getByLabel("E-mail address").fill(email);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();
  await reader.isAccessibleEverywhere();
  await page.getByRole("link", { name: "Use another address" }).click();
  await expect(page.getByLabel("E-mail address")).toHaveValue("");
});

test("a link of the operator signs in once, by its button", async ({ reader }) => {
  const { url } = JSON.parse(quire("admin", "login-link", "--email", "walker@example.com"));
  const { page } = reader;
  await reader.open(url);
  await reader.open(url);
  await reader.isAccessibleEverywhere();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${base}/`);
  await reader.open(url, 410);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: NARROW });

  test("a person joins, signs in again and changes the password", async ({ page }) => {
    const email = unused("edsger@example.org");
    const body = { emails: [email], role: "read" };
    const { invites } = await call("POST", `/orgs/${organization}/invites`, body);
    await page.goto(`${base}/~/invite/${invites[0].id}?secret=${invites[0].secret}`);
    await page.getByLabel("Your name").fill("Edsger");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Join" }).click();
    await page.context().clearCookies();
    await page.goto(`${base}/~/account`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Present password").fill(PASSWORD);
    await page.getByLabel("New password").fill("quilted harbour seal");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByRole("status")).toHaveText("Saved.");
  });
});
