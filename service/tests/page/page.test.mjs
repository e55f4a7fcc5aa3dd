// The pages with and without a script, on desktop and phone, and for users of a screen reader or
// keyboard.

import { after, afterEach, before, test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Browser, DESKTOP, PHONE, barriers, overflow } from "./browser.mjs";
import { Fleet } from "./service.mjs";

const SNOWFLAKE = "175928847299117063";
const UUID = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";
const OBJECT_ID = "507f191e810c19729de860ea";
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

let fleet, service, browser;

before(async () => {
  fleet = new Fleet();
  service = await fleet.start();
  await fleet.start();
  browser = await Browser.launch();
});

afterEach(() => browser.closeAll());

after(async () => {
  await browser?.close();
  await fleet?.close();
});

const inspect = (id) => `${service.url}/inspect?id=${encodeURIComponent(id)}`;
const issued = (page, scheme) =>
  page.locator("#schemes tr", { has: page.getByRole("rowheader", { name: scheme, exact: true }) }).locator('[data-label="Issued"]');

test("without a script the status page shows schemes, leases, load and clock", async () => {
  await service.generate("orders", 3);
  const page = await browser.open(service.url, { javaScript: false });
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Ready");
  for (const scheme of ["orders", "public", "events", "uuid-v7", "ulid"]) {
    assert.equal(await page.locator("#schemes").getByRole("rowheader", { name: scheme, exact: true }).count(), 1, scheme);
  }
  assert.ok(Number((await issued(page, "orders").textContent()).replaceAll(",", "")) >= 3);
  // The page shows the store's listing for two seconds before it reads a new one.
  const own = page.locator("#namespaces tr", { hasText: "this instance" });
  while ((await own.count()) < 3) await page.reload();
  assert.equal(await own.count(), 3, "a lease of each scheme that needs one");
  assert.equal(await page.locator("#namespaces tbody tr").count(), 6, "those of the other instance too");
  for (const title of ["Load and limits", "Clock"]) assert.equal(await page.getByRole("heading", { name: title }).count(), 1);
  assert.equal(await page.locator("th:not([scope])").count(), 0, "every header says what it heads");
});

test("the script refreshes the tables without loading the page again", async () => {
  const page = await browser.open(service.url);
  await page.evaluate(() => (window.isSame = true));
  const before = await issued(page, "ulid").textContent();
  await service.generate("ulid", 1_000);
  await issued(page, "ulid").filter({ hasNotText: new RegExp(`^${before}$`) }).waitFor();
  assert.equal(await page.evaluate(() => window.isSame), true);
  assert.match(await page.locator("#refresh").textContent(), /refreshed every 2 s/);
});

test("a hidden page sends no requests, and refreshes at once when it is shown", async () => {
  const page = await browser.open(service.url);
  await page.clock.install();
  await page.reload();
  let requests = 0;
  const isRefresh = (request) => request.url() === `${service.url}/`;
  page.on("request", (request) => (requests += isRefresh(request)));
  const setHidden = (hidden) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await setHidden(true);
  await page.clock.runFor(60_000);
  assert.equal(requests, 0);
  const asked = page.waitForRequest(isRefresh);
  await setHidden(false);
  await asked;
});

test("selected text stays selected when the page refreshes", async () => {
  const page = await browser.open(service.url);
  await page.evaluate(() => document.getSelection().selectAllChildren(document.querySelector("#schemes tbody th")));
  const selected = await page.evaluate(() => document.getSelection().toString());
  for (let round = 0; round < 2; round += 1) {
    await service.generate("orders");
    await page.waitForResponse((answer) => answer.url() === `${service.url}/`);
  }
  assert.equal(await page.evaluate(() => document.getSelection().toString()), selected);
});

test("an unreachable service is reported as such, and found again", async () => {
  const other = await fleet.start();
  const page = await browser.open(other.url, { isExpected: (words) => words.includes("ERR_CONNECTION_REFUSED") });
  await other.stop();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /as of .*: the service does not answer/);
  assert.match(await page.title(), /^No answer/);
  await fleet.start(other.port);
  await page.locator("body:not(.stale)").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});

test("an inspector reports that its service is unreachable", async () => {
  const other = await fleet.start();
  const page = await browser.open(`${other.url}/inspect`, { isExpected: (words) => words.includes("ERR_CONNECTION_REFUSED") });
  await other.stop();
  await page.getByLabel("What can this ID be?").fill(UUID);
  await page.locator("#answer").getByText("There is no answer: the service does not answer.").waitFor();
});

test("a service with tokens asks the browser for one, and the page refreshes with it", async () => {
  const token = "9e107d9d372bb6826bd81d3542a419d6";
  const tokens = `[{ name = "on call", token_sha256 = "${createHash("sha256").update(token).digest("hex")}", scopes = ["admin"] }]`;
  const guarded = await fleet.start(0, { SAIBAN_SERVE_TOKENS: tokens });
  assert.equal((await fetch(guarded.url)).status, 401);
  const page = await browser.open(guarded.url, { httpCredentials: { username: "anybody", password: token } });
  const asOf = await page.locator("#refresh time").textContent();
  await page.locator("#refresh time").filter({ hasNotText: asOf }).waitFor();
  await page.getByRole("link", { name: "Inspect an ID" }).click();
  await page.getByLabel("What can this ID be?").fill(UUID);
  await page.getByRole("heading", { name: "uuid-v7", exact: true }).waitFor();
});

test("without a script an ID is inspected by the form", async () => {
  const page = await browser.open(`${service.url}/inspect`, { javaScript: false });
  await page.getByLabel("What can this ID be?").fill(UUID);
  await page.getByRole("button", { name: "Inspect" }).click();
  assert.equal(await page.getByRole("heading", { level: 2 }).first().textContent(), "uuid-v7");
  assert.equal(await page.getByLabel("What can this ID be?").inputValue(), UUID);
  const drawing = page.getByRole("img").first();
  assert.match(await drawing.getAttribute("aria-label"), /^128 bits\. timestamp bits 127–80: 0{7}1/);
  assert.equal(await drawing.locator("i").count(), 128);
});

test("with the script the inspector shows pasted IDs, without loading the page again", async () => {
  const page = await browser.open(`${service.url}/inspect`);
  await page.evaluate(() => (window.isSame = true));
  await page.getByLabel("What can this ID be?").focus();
  await page.keyboard.insertText(OBJECT_ID);
  await page.getByRole("heading", { name: "objectid", exact: true }).waitFor();
  assert.equal(await page.getByRole("status").textContent(), "Most likely: objectid.");
  assert.equal(new URL(page.url()).searchParams.get("id"), OBJECT_ID);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("8ZZZZZZZZZZZZZZZZZZZZZZZZZ");
  await page.getByText("TEXT_OVERFLOW").waitFor();
  assert.equal(await page.getByLabel("What can this ID be?").getAttribute("aria-invalid"), "true");
  assert.equal(await page.getByRole("status").textContent(), "Not an ID.");
  assert.equal(await page.evaluate(() => window.isSame), true);
});

test("an ID of a configured layout is shown with the name of its scheme", async () => {
  const [event] = await service.generate("events");
  const page = await browser.open(inspect(event));
  assert.equal(await page.getByRole("heading", { level: 2 }).first().textContent(), "events: flake");
  assert.equal(await page.getByRole("img").first().locator("i").count(), 96);
  assert.equal(await page.getByRole("rowheader", { name: "node.host" }).first().count(), 1);
});

test("hostile text is shown and never run", async () => {
  for (const javaScript of [false, true]) {
    const page = await browser.open(inspect(HOSTILE), { javaScript });
    assert.equal(await page.getByLabel("What can this ID be?").inputValue(), HOSTILE);
    assert.equal(await page.locator("main script, main img").count(), 0);
  }
  const page = await browser.open(`${service.url}/inspect`);
  await page.getByLabel("What can this ID be?").fill(HOSTILE);
  await page.getByText("Not an ID.").waitFor({ state: "attached" });
  assert.equal(await page.locator("main script, main img").count(), 0);
});

test("the content security policy allows the page's own resources, and nothing else", async () => {
  const { headers } = await browser.open(service.url);
  assert.match(headers["content-security-policy"], /default-src 'self'/);
  assert.doesNotMatch(headers["content-security-policy"], /unsafe/);
  assert.equal(headers["x-content-type-options"], "nosniff");
});

test("on a phone no page is wider than the screen", async () => {
  for (const url of [service.url, `${service.url}/inspect`, ...[SNOWFLAKE, OBJECT_ID, UUID, "8584379068854775807_042"].map(inspect)]) {
    const page = await browser.open(url, { viewport: PHONE });
    for (const folded of await page.locator("summary").all()) await folded.click();
    assert.equal(await overflow(page), 0, url);
  }
});

test("the pages are accessible: axe finds nothing on any page, in either colours, wide or narrow", async () => {
  for (const url of [service.url, `${service.url}/inspect`, inspect(SNOWFLAKE), inspect("507f191e810c19729de860e")]) {
    for (const dark of [false, true]) {
      for (const viewport of [DESKTOP, PHONE]) {
        const page = await browser.open(url, { dark, viewport });
        for (const folded of await page.locator("summary").all()) await folded.click();
        assert.deepEqual(await barriers(page), [], `${url} ${dark ? "dark" : "light"} ${viewport.width}`);
      }
    }
  }
});

test("by keyboard the content is one step away, and candidates unfold", async () => {
  const page = await browser.open(inspect(SNOWFLAKE));
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.locator("summary").first().focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("details[open]").count(), 1);
});

// The part of the status page that the documentation shows.
const PICTURE = { width: 1200, height: 1250 };

// The pictures are drawn only on request (--write).
const pictures = process.env.SAIBAN_PAGE_PICTURES ? test : () => {};
pictures("the pictures of the documentation are drawn", async () => {
  const folder = process.env.SAIBAN_PAGE_PICTURES;
  await fleet.start();
  await service.generate("orders", 4_711);
  await service.generate("public", 812);
  const order = (await service.generate("orders", 4)).at(-1);
  for (const [name, url, options] of [
    ["service-status", service.url, { viewport: PICTURE }],
    ["service-status-dark", service.url, { viewport: PICTURE, dark: true }],
    ["service-status-phone", service.url, { viewport: { ...PHONE, height: 1_000 }, scale: 1.5 }],
    ["service-inspector", inspect(order), { viewport: { ...PICTURE, height: 820 } }],
  ]) {
    const page = await browser.open(url, options);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
});
