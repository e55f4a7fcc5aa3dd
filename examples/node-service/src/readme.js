// The README's lines of Node, as a program.
import { Snowflake } from "saiban";

const ids = new Snowflake({ node: 7 });       // no other machine or container uses 7
const id = ids.generate();
console.log(id);                              // 2125671060601860096n
console.log(ids.toText(id, "base62"));        // 2X1ax3hdPiS
console.log(ids.inspect(id).time);            // 2026-11-25T19:20:48.563Z

const folder = mkdtempSync(join(tmpdir(), "saiban-"));
process.chdir(folder);

const orders = await Snowflake.open({ store: "sqlite:ids.db" });    // a node number that no other process has
console.log(orders.generate(), orders.lease.nodes, orders.lease.status().state);
await orders.lease.release();

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.chdir("/");
rmSync(folder, { recursive: true });
