// Light and dark, print, and reduced motion.
import { expect, test } from "../support/reader.ts";

const PAGE = "background-color";
const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(27, 27, 31)";

test("colors follow the system until a visitor chooses", async ({ reader, page, at }) => {
  await reader.open(`${at.ferry}/guides/jobs`);
  const body = page.locator("body");
  await expect(body).toHaveCSS(PAGE, LIGHT);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(body).toHaveCSS(PAGE, DARK);
  const button = page.getByRole("button", { name: "Change the theme" });
  await button.click();
  await expect(body).toHaveCSS(PAGE, LIGHT);
  await reader.open(`${at.ferry}/guides/filters`);
  await expect(body, "the choice holds on the next page").toHaveCSS(PAGE, LIGHT);
  await page.emulateMedia({ colorScheme: "light" });
  await button.click();
  await expect(body).toHaveCSS(PAGE, DARK);
  await reader.isAccessible("dark by choice");
});

test("a chosen theme is there with the first paint", async ({ reader, page, at }) => {
  await reader.open(at.ferry);
  await page.getByRole("button", { name: "Change the theme" }).click();
  // Records the color of the page in each frame until it is loaded.
  await page.addInitScript(() => {
    const colors: string[] = ((window as any).colors = []);
    const look = () => {
      if (document.body) colors.push(getComputedStyle(document.body).backgroundColor);
      if (document.readyState !== "complete") requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await reader.open(`${at.ferry}/guides/jobs`);
  const colors = await page.evaluate(() => (window as any).colors);
  expect([...new Set(colors)]).toEqual([DARK]);
});

test("paper shows the content alone, dark on white, with all that is closed", async ({ reader, page, at }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await reader.open(`${at.ferry}/guides/jobs`);
  for (const part of [".site-header", ".sidebar", ".outline", ".bar", ".pagination", ".page-actions", ".skip", ".copy"]) {
    for (const element of await page.locator(part).all()) await expect(element, part).toBeHidden();
  }
  await expect(page.getByText("Ten errors in one run"), "disclosures are open").toBeVisible();
  await expect(page.getByText("brew install ferry"), "all tabs are shown").toBeVisible();
  const [text, ground] = await page.evaluate(() => {
    const luminance = (color: string) => color.match(/[\d.]+/g)!.slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    const style = getComputedStyle(document.querySelector(".document p")!);
    return [luminance(style.color), luminance(getComputedStyle(document.body).backgroundColor)];
  });
  expect(text, "dark text").toBeLessThan(300);
  expect(ground, "white paper").toBe(765);
  const pdf = await page.pdf({ format: "A4" });
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(pages).toBeGreaterThan(1);
  expect(pages, "no page is empty").toBeLessThan(12);
});

test("nothing moves for those who asked for that", async ({ reader, page, at }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await reader.open(at.blocks);
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll("*")].filter((element) => {
      const style = getComputedStyle(element);
      return style.animationName !== "none" || style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0.01) || style.scrollBehavior === "smooth";
    }).map((element) => element.outerHTML.slice(0, 60)),
  );
  expect(moving).toEqual([]);
});
