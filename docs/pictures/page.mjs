// Draws the page after a question was approved and answered: `page.mjs ADDRESS FOLDER`.

import { join } from "node:path";
import { chromium } from "playwright-core";

const [, , address, folder] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: "light" });
await page.goto(address);
const box = page.getByRole("textbox").last();
await box.fill("revenue by region");
await box.press("Enter");
await page.getByRole("button", { name: "Approve", exact: true }).click();
await page.getByText("South America").last().waitFor();
await page.waitForTimeout(500);
await page.screenshot({ path: join(folder, "page.png") });
await browser.close();
