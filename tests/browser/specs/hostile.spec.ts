// Attacks in each field of a document, as users could write them.
import { expect, test } from "../support/reader.ts";

test("nothing that users wrote runs, loads or leaves the page", async ({ reader, page, at }) => {
  test.setTimeout(240_000);
  // Pictures from other hosts are allowed. The test counts everything else.
  await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort());
  for (const slug of at.hostilePages) {
    await page.goto(`${at.hostile}/${slug}`);
    const found = await page.evaluate(() => {
      const seen = (window as any).seen;
      const handlers = [...document.querySelectorAll("*")].flatMap((element) => [...element.attributes])
        .filter((attribute) => /^on/i.test(attribute.name) || attribute.name === "style" || attribute.name === "srcdoc");
      const schemes = [...document.querySelectorAll("[href], [src], [action], [formaction], [data-frame], [poster]")].flatMap((element) =>
        ["href", "src", "action", "formaction", "data-frame", "poster"].flatMap((name) => {
          const value = element.getAttribute(name);
          return value === null ? [] : [new URL(value, location.href).protocol];
        }));
      return {
        ran: (window as any).hostile ?? null,
        handlers: handlers.map((attribute) => `${attribute.name}=${attribute.value}`),
        schemes: [...new Set(schemes)].filter((scheme) => !["http:", "https:", "mailto:", "tel:"].includes(scheme)),
        inline: [...document.scripts].filter((script) => !script.src && script.type !== "application/ld+json").length + document.querySelectorAll("style").length,
        frames: document.querySelectorAll("iframe, object, embed, base, meta[http-equiv]").length,
        forms: [...document.forms].map((form) => new URL(form.action).host).filter((host) => host !== location.host),
        violations: seen.violations,
      };
    });
    expect.soft(found, slug).toEqual({ ran: null, handlers: [], schemes: [], inline: 0, frames: 0, forms: [], violations: [] });
    // Links and buttons of the document must be harmless too.
    await page.evaluate(() => {
      for (const element of document.querySelectorAll<HTMLElement>("main a, main button, main summary")) {
        if (element instanceof HTMLAnchorElement) element.addEventListener("click", (event) => event.preventDefault());
        element.click();
        element.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      }
    });
    expect.soft(await page.evaluate(() => (window as any).hostile ?? null), `${slug} after clicks`).toBeNull();
    expect.soft(new URL(page.url()).host).toBe(new URL(at.hostile).host);
  }
  // Aborted requests for pictures are expected.
  const others = reader.problems.filter((problem) => !/^request: |ERR_FAILED|ERR_NAME_NOT_RESOLVED|status of 40[14]/.test(problem));
  reader.problems.length = 0;
  expect(others).toEqual([]);
});
