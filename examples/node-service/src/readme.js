// The README's lines of Node, as a program.
import { Snowflake } from "saiban";

const ids = new Snowflake({ node: 7 });    // node 7, which no other machine has
const id = ids.generate();                 // bigint
console.log(id, ids.generateText("base62"), ids.inspect(id).time);

const folder = mkdtempSync(join(tmpdir(), "saiban-"));
process.chdir(folder);

import { Lease } from "saiban";

const lease = await Lease.acquire("sqlite:ids.db");    // a node that no other process of this machine has
const orders = new Snowflake({ lease });
console.log(orders.generate(), lease.nodes, lease.status().state);
await lease.release();                                 // or, at the end of a block: await using lease = …

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.chdir("/");
rmSync(folder, { recursive: true });
