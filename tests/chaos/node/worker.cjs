// The worker of tests/chaos/run in Node, without forks. tests/chaos/run describes the input and the
// files written.
'use strict';

const fs = require('node:fs');
const { setImmediate: nextTurn, setTimeout: sleep } = require('node:timers/promises');
const { Flake, Layout, Lease, SaibanError } = require(process.argv[2]);

// The number of IDs a call.
const BLOCK = 256;
// The pause after an error.
const PAUSE_MS = 5;
// The shortest time without IDs that is recorded.
const GAP_NS = 100_000_000n;

/** Writes every ID that the worker gets, and the times without IDs, with the errors. */
class Record {
  constructor(path) {
    this.ids = fs.openSync(`${path}.ids`, 'wx');
    this.events = fs.openSync(`${path}.events`, 'wx');
    this.lastNs = process.hrtime.bigint();
    this.count = 0;
    this.node = null;
    this.errors = {};
    this.message = '';
    this.tell({ event: 'start', at: Number(this.lastNs), pid: process.pid, parent: null });
  }

  /** Records that these IDs were returned, the last of them with this node. */
  made(ids, node) {
    const nowNs = process.hrtime.bigint();
    for (let bytes = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength); bytes.length > 0; ) {
      bytes = bytes.subarray(fs.writeSync(this.ids, bytes));
    }
    if (this.count === 0 || nowNs - this.lastNs >= GAP_NS) {
      const { errors, message } = this;
      const event = this.count === 0 ? 'first' : 'gap';
      this.tell({ event, from: Number(this.lastNs), to: Number(nowNs), node, errors, message });
    } else if (this.node !== node) {
      this.tell({ event: 'node', at: Number(nowNs), node });
    }
    this.errors = {};
    this.message = '';
    this.node = node;
    this.count += ids.length;
    this.lastNs = nowNs;
  }

  /** Records that there was an error instead of IDs. */
  failed(error) {
    const { code: kind, message } = error;
    this.message = message;
    if (!(kind in this.errors)) this.tell({ event: 'error', at: Number(process.hrtime.bigint()), kind, message });
    this.errors[kind] = (this.errors[kind] ?? 0) + 1;
  }

  /** Records that the process ends regularly. */
  end() {
    this.tell({ event: 'end', at: Number(process.hrtime.bigint()), from: Number(this.lastNs), ids: this.count });
  }

  tell(event) {
    fs.writeSync(this.events, `${JSON.stringify(event)}\n`);
  }
}

async function main(plan) {
  const layout = Layout.fromText(plan.layout);
  const record = new Record(plan.record);
  const block = new BigInt64Array(BLOCK);
  let isOver = false;
  process.stdin.resume().on('end', () => {
    isOver = true;
  });
  let lease;
  let ids;
  while (!isOver) {
    try {
      if (!ids && plan.nodes) {
        ids = new Flake({ layout, nodes: plan.nodes });
      } else if (!ids) {
        lease = await Lease.acquire(plan.store, { ttlS: plan.ttl_s, scheme: 'flake', layout, create: false, waitS: 2 });
        ids = new Flake({ layout, lease });
      }
      const made = ids.fill(block);
      if (made > 0) record.made(block.subarray(0, made), Number(ids.inspect(block[made - 1]).node));
      await nextTurn();
    } catch (error) {
      if (!(error instanceof SaibanError)) throw error;
      record.failed(error);
      await sleep(ids ? PAUSE_MS : 20 * PAUSE_MS);
    }
  }
  // If the store does not reply, the worker ends, and the lease expires.
  await lease?.release().catch(() => {});
  record.end();
  process.exit(0);
}

main(JSON.parse(process.argv[3]));
