// Visitor with checks on each page: errors, policy violations, requests and layout shifts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Page, type Response } from "@playwright/test";
import { sites, type Sites } from "./sites.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export { expect };

/** Viewports of a phone, a tablet and a desktop. */
export const NARROW = { width: 390, height: 844 };
export const MEDIUM = { width: 820, height: 1180 };
export const WIDE = { width: 1440, height: 900 };
/** Number of times that a page is loaded again because the server was busy. */
const MOST_RELOADS = 3;

/** Counts layout shifts and policy violations from the start of each page. */
function watch() {
  const seen = { shift: 0, shifted: [] as string[], violations: [] as string[] };
  (window as any).seen = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as any[]) {
      if (entry.hadRecentInput) continue;
      seen.shift += entry.value;
      for (const { node, previousRect: from, currentRect: to } of entry.sources) {
        const what = node?.outerHTML?.slice(0, 120) ?? node?.textContent?.slice(0, 60) ?? "gone";
        seen.shifted.push(`${what} from ${from.x}, ${from.y} to ${to.x}, ${to.y}`);
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
  addEventListener("securitypolicyviolation", (event) => seen.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
}

/** Source files of each asset below `crates`, as in crates/web/build.rs. */
const DOCUMENT = "render/assets/document.css";
const SOURCES: Record<string, string[]> = {
  "site.css": [DOCUMENT, "web/assets/cover.css", "web/assets/reader.css"],
  "workspace.css": [DOCUMENT, "web/assets/cover.css", "web/assets/workspace.css", "web/assets/palette.css", "web/assets/editor.css"],
  "account.css": ["web/assets/sign-in.css", "web/assets/palette.css"],
  "document.js": ["render/assets/document.js"],
  "editor.js": ["web/vendor/editor.js"],
  "editor-chunk.js": ["web/vendor/editor-chunk.js"],
  "editor-parts.js": ["web/vendor/editor-parts.js"],
  "editor-signs.js": ["web/vendor/editor-signs.js"],
  "source.js": ["web/vendor/source.js"],
  "actions.js": [
    "web/editor/drafts.js",
    ...["actions", "forms", "fields", "quotes", "comments", "events", "pages"].map((name) => `web/assets/${name}.js`),
  ],
  "uploads.js": ["web/editor/upload.js", "web/assets/uploads.js"],
  "commands.js": ["web/assets/keys.js", "web/assets/finder.js"],
  "tree.js": ["web/editor/menu.js", "web/assets/tree.js"],
};

/** With QUIRE_ASSETS=source, replaces the built style sheets and scripts by those of the working copy. */
export async function replaceAssets(page: Page): Promise<void> {
  if (process.env.QUIRE_ASSETS !== "source") return;
  const read = (path: string) => readFileSync(`${process.env.QUIRE_PROJECT}/crates/${path}`, "utf8");
  // Imports must use the module URL of the page. Another URL would load the module twice. The scripts of the editor
  // share one hash.
  let actions = "actions.js";
  await page.route(/\/~quire\/assets\/(site|document|reader|theme|workspace|sign-in|account|passkeys|actions|commands|conflicts|files|look|review|settings|tree|uploads|editor|editor-chunk|editor-parts|editor-signs|source)(\.\w+)?\.(css|js)$/, (route) => {
    const [, name, hash, kind] = /assets\/([\w-]+)(\.\w+)?\.(\w+)$/.exec(route.request().url())!;
    const sources = SOURCES[`${name}.${kind}`] ?? [`web/assets/${name}.${kind}`];
    if (name === "actions") actions = new URL(route.request().url()).pathname.split("/").pop()!;
    const body = sources.map(read).join("").replace('"./actions.js"', `"./${actions}"`)
      .replace(/"\.\/(editor[\w-]*)\.js"/g, (all, script) => (name.startsWith("editor") && hash ? `"./${script}${hash}.js"` : all));
    return route.fulfill({ body, contentType: kind === "css" ? "text/css" : "text/javascript" });
  });
}

/** Runs an action that loads the page again, and waits for the new document. */
export async function reloaded(page: Page, act: () => Promise<unknown>): Promise<void> {
  // The `load` event of the document before may still come.
  await page.evaluate(() => void ((window as any).isBefore = true));
  await act();
  await page.waitForFunction(() => !("isBefore" in window) && document.readyState === "complete");
}

export class Reader {
  /** Problems of all pages so far. */
  readonly problems: string[] = [];
  /** Requests since the last page was opened. */
  requests: string[] = [];
  private awaited = new Set<string>();
  /** Seconds to wait, if a response since the last navigation was 503. */
  private wait = 0;

  constructor(
    readonly page: Page,
    /** Hosts that pages may load from. */
    private readonly hosts = ["127.0.0.1", "localhost", "docs.ferry.example"],
  ) {
    page.on("console", (message) => {
      const about = message.location().url;
      if (message.type() === "error" && !(this.awaited.has(about) && /status of \d+/.test(message.text()))) {
        this.problems.push(`console: ${message.text()} (${about})`);
      }
    });
    page.on("pageerror", (error) => this.problems.push(`error: ${error}`));
    page.on("dialog", (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("response", (response) => {
      if (response.status() !== 503) return;
      this.wait = Number(response.headers()["retry-after"] ?? 0);
      if (this.wait > 0) this.awaited.add(response.url());
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      this.requests.push(request.url());
      if (/^(https?|wss?):$/.test(url.protocol) && !this.hosts.includes(url.hostname)) this.problems.push(`request: ${url}`);
    });
  }

  /** Permits an error response for a script's request to this address. */
  awaits(url: string): void {
    this.awaited.add(url);
  }

  /**
   * Opens a page, waits until it is complete, and runs the checks for all pages. A busy server answers 503 and says how
   * long to wait: the page is then loaded again, as a person would do.
   */
  async open(url: string, status = 200): Promise<Response> {
    if (status >= 400) this.awaited.add(url);
    let response: Response | null;
    for (let attempt = 0; ; attempt += 1) {
      this.requests = [];
      this.wait = 0;
      response = await this.page.goto(url, { waitUntil: "load" });
      if (this.wait === 0 || attempt === MOST_RELOADS) break;
      await this.page.waitForTimeout(this.wait * 1_000);
    }
    expect(response?.status(), url).toBe(status);
    await this.settled();
    return response!;
  }

  /** Checks that the open page had no layout shift and no policy violation. */
  async settled(): Promise<void> {
    await this.page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
    const seen = await this.page.evaluate(() => (window as any).seen);
    if (!seen) return;
    for (const violation of seen.violations) this.problems.push(`policy: ${violation} on ${this.page.url()}`);
    expect.soft(seen.shift, `layout shift of ${this.page.url()}: ${seen.shifted.join(" | ")}`).toBe(0);
  }

  /** Runs axe-core on the page in its present state. */
  async isAccessible(what: string): Promise<void> {
    // The content security policy does not apply to scripts of the test.
    if (!(await this.page.evaluate(() => "axe" in window))) await this.page.evaluate(axe);
    const found = await this.page.evaluate(async () => {
      const { violations } = await (window as any).axe.run(document, { resultTypes: ["violations"] });
      return violations.map((rule: any) => ({
        rule: rule.id,
        nodes: rule.nodes.slice(0, 4).map((node: any) => `${node.target.join(" ")}: ${node.failureSummary?.split("\n")[1]?.trim()}`),
        count: rule.nodes.length,
      }));
    });
    expect.soft(found, `axe: ${what} of ${this.page.url()}`).toEqual([]);
  }

  /** Runs axe-core on the page in light, in dark and on a narrow screen. */
  async isAccessibleEverywhere(): Promise<void> {
    const { page } = this;
    await this.isAccessible("light");
    await page.emulateMedia({ colorScheme: "dark" });
    await this.isAccessible("dark");
    await page.setViewportSize(NARROW);
    await this.isAccessible("dark, 390");
    await page.emulateMedia({ colorScheme: "light" });
    await this.isAccessible("light, 390");
    await this.fits();
    await page.setViewportSize(WIDE);
  }

  /** Checks that the page is not wider than the window. Wide content must scroll in its own box. */
  async fits(): Promise<void> {
    const [width, window] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect.soft(width, `width of ${this.page.url()}`).toBeLessThanOrEqual(window);
  }
}

/** Test with a checked visitor and the addresses of the sites. Any problem fails the test. */
export const test = base.extend<{ reader: Reader; at: Sites }>({
  at: async ({}, use) => use(sites()),
  page: async ({ page }, use) => {
    await replaceAssets(page);
    await use(page);
  },
  reader: async ({ page }, use) => {
    await page.addInitScript(watch);
    const reader = new Reader(page);
    await use(reader);
    expect(reader.problems, "errors, violations and foreign requests").toEqual([]);
  },
});
