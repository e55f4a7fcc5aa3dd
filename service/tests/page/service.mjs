// Instances of `saiban serve` on one store, as an operator starts them.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";

const COMMAND = process.env.SAIBAN;
const PATIENCE_MS = 60_000;

const CONFIGURATION = `
[schemes.orders]
scheme = "snowflake"
nodes = 4

[schemes.public]
scheme = "randflake"
secret_file = "public.secret"

[schemes.events]
scheme = "flake"
layout = "timestamp:48 node.region:4 node.host:12 sequence:20 random:12"

[schemes.uuid-v7]
scheme = "uuid-v7"

[schemes.ulid]
scheme = "ulid"
`;

// One store and its instances; `close` removes everything.
export class Fleet {
  #folder = mkdtempSync(join(tmpdir(), "saiban-page-"));
  #instances = [];

  constructor() {
    const secret = spawnSync(COMMAND, ["secret", "-o", join(this.#folder, "public.secret")]);
    if (secret.status !== 0) throw new Error(`saiban secret: ${secret.stderr}`);
    writeFileSync(join(this.#folder, "saiban.toml"), CONFIGURATION);
  }

  // Starts another instance, on this port or a free one, and waits until it is ready. `settings`
  // are environment variables.
  async start(port = 0, settings = {}) {
    const instance = new Instance(this.#folder, port, settings);
    this.#instances.push(instance);
    await instance.ready();
    return instance;
  }

  get folder() {
    return this.#folder;
  }

  async close() {
    await Promise.all(this.#instances.map((instance) => instance.stop()));
    rmSync(this.#folder, { recursive: true });
  }
}

class Instance {
  #process;
  #output = "";

  constructor(folder, port, settings) {
    // The environment overrides the file: all instances share the file, and each has its own port.
    const env = { ...process.env, SAIBAN_SERVE_LISTEN: `127.0.0.1:${port}`, SAIBAN_STORE: "sqlite:ids.db", ...settings };
    this.#process = spawn(COMMAND, ["serve", "--config", "saiban.toml"], { env, cwd: folder });
    for (const stream of [this.#process.stdout, this.#process.stderr]) stream.on("data", (data) => (this.#output += data));
  }

  // Waits until the instance prints its address and has leased its nodes.
  async ready() {
    const end = Date.now() + PATIENCE_MS;
    do {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (this.#process.exitCode !== null || Date.now() > end) throw new Error(`saiban serve is not ready: ${this.#output}`);
      this.port = this.#output.match(/^listening on 127\.0\.0\.1:(\d+)$/m)?.[1];
      this.url = `http://127.0.0.1:${this.port}`;
    } while (!this.port || !(await fetch(`${this.url}/readyz`)).ok);
  }

  async generate(scheme, count = 1) {
    const answer = await fetch(`${this.url}/v1/schemes/${scheme}/ids?count=${count}`, { method: "POST" });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()).ids;
  }

  async stop() {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    await ended;
  }
}
