// Chromium, and checks for every page that it opens: no errors, and no requests to other hosts.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import assert from "node:assert/strict";

const require = createRequire(join(process.env.SAIBAN_PAGE_TOOLS, "package.json"));
const { chromium } = require("playwright-core");
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// These options silence Chromium's own requests, so that every request seen is the page's.
const QUIET = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const DESKTOP = { width: 1200, height: 900 };
export const PHONE = { width: 360, height: 740 };

export class Browser {
  #browser;
  #contexts = [];

  static async launch() {
    const browser = new Browser();
    browser.#browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: QUIET });
    return browser;
  }

  // Opens a page in a separate window. `complaints` collects its errors, except those that
  // `isExpected` accepts.
  async open(url, { javaScript = true, dark = false, viewport = DESKTOP, scale = 1, httpCredentials, isExpected = () => false } = {}) {
    const context = await this.#browser.newContext({
      viewport,
      colorScheme: dark ? "dark" : "light",
      javaScriptEnabled: javaScript,
      deviceScaleFactor: scale,
      httpCredentials,
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    const { host } = new URL(url);
    page.complaints = [];
    const complain = (words) => isExpected(words) || page.complaints.push(words);
    page.on("console", (message) => message.type() !== "log" && complain(`console: ${message.text()}`));
    page.on("pageerror", (error) => complain(`error: ${error.message}`));
    page.on("dialog", (dialog) => complain(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => new URL(request.url()).host === host || complain(`request to ${request.url()}`));
    const answer = await page.goto(url);
    assert.equal(answer.status(), 200, url);
    page.headers = answer.headers();
    return page;
  }

  // Closes the windows of a test, and checks that none of them has complaints.
  async closeAll() {
    const complaints = this.#contexts.flatMap((context) => context.pages().flatMap((page) => page.complaints));
    await Promise.all(this.#contexts.map((context) => context.close()));
    this.#contexts = [];
    assert.deepEqual(complaints, []);
  }

  close() {
    return this.#browser.close();
  }
}

// Returns the accessibility violations that axe finds, one per line.
export async function barriers(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ impact, id, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html).join(" ").slice(0, 300)}`);
}

// Returns how much wider than the window the page is.
export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
