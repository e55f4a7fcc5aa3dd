// The measured cases: for each path saiban, the alternatives, and the baseline of a call.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Snowflake as SapphireSnowflake } from '@sapphire/snowflake';
import { ObjectId as BsonObjectId } from 'bson';
import { nanoid } from 'nanoid';
import NodejsSnowflake from 'nodejs-snowflake';
import { ObjectId, Randflake, Snowflake, Ulid, Uuid } from 'saiban';
import { monotonicFactory } from 'ulid';
import { v4, v7 } from 'uuid';

const baseline = createRequire(import.meta.url)('./baseline.node');
const { slot } = baseline;

// So many nodes that no tick runs out of IDs; a wait would hide the speed.
const nodes = [0, 1024];
const snowflake = new Snowflake({ nodes });
const randflake = new Randflake({ nodes, secret: new Uint8Array(16).fill(7) });
const ulid = new Ulid();
const [uuid4, uuid7] = [new Uuid({ version: 4 }), new Uuid({ version: 7 })];
const objectId = new ObjectId();

const sapphire = new SapphireSnowflake(1288834974657n);
const nodejsSnowflake = new NodejsSnowflake.Snowflake({ instance_id: 7 });
const monotonic = monotonicFactory();

const MANY = 1000;
const array = new BigInt64Array(10_000);

function filled(ids) {
  const count = ids.fill(array);
  if (count !== array.length) throw new Error(`${count} IDs of ${array.length}`);
  return count;
}

/** `per` is the number of IDs that a call makes. */
export const cases = [
  { path: 'snowflake.generate', who: 'saiban', make: () => snowflake.generate() },
  { path: 'snowflake.generate', who: '@sapphire/snowflake', make: () => sapphire.generate() },
  { path: 'snowflake.generate', who: 'nodejs-snowflake, limited by its format', make: () => nodejsSnowflake.getUniqueID() },
  { path: 'snowflake.generate', who: 'baseline: a native function that returns nothing', make: () => baseline.nothing() },
  { path: 'snowflake.generate', who: 'baseline: a native function that returns a bigint', make: () => baseline.bigint() },
  {
    path: 'snowflake.generate',
    who: 'baseline: a native function that leaves a number where it is read as a bigint',
    make: () => {
      baseline.intoSlot();
      return slot[0];
    },
  },
  { path: 'snowflake.generate_text', who: 'saiban', make: () => snowflake.generateText() },
  { path: 'snowflake.generate_text', who: 'baseline: a native function that returns a text', make: () => baseline.text() },
  // Randflake has no rival here: the package of its authors is not in npm's registry.
  { path: 'randflake.generate', who: 'saiban', make: () => randflake.generate() },
  { path: 'ulid.generate', who: 'saiban', make: () => ulid.generate() },
  { path: 'ulid.generate', who: 'ulid, monotonic', make: () => monotonic() },
  { path: 'ulid.generate_bytes', who: 'saiban', make: () => ulid.generateBytes() },
  { path: 'uuid4.generate', who: 'saiban', make: () => uuid4.generate() },
  { path: 'uuid4.generate', who: 'crypto.randomUUID', make: () => randomUUID() },
  { path: 'uuid4.generate', who: 'uuid', make: () => v4() },
  { path: 'uuid4.generate_bytes', who: 'saiban', make: () => uuid4.generateBytes() },
  { path: 'uuid4.generate_bytes', who: 'uuid', make: () => v4(undefined, new Uint8Array(16)) },
  { path: 'uuid7.generate', who: 'saiban', make: () => uuid7.generate() },
  { path: 'uuid7.generate', who: 'uuid', make: () => v7() },
  { path: 'objectid.generate', who: 'saiban', make: () => objectId.generate() },
  { path: 'objectid.generate', who: 'bson', make: () => new BsonObjectId() },
  { path: 'objectid.generate', who: 'bson, as text', make: () => new BsonObjectId().toHexString() },
  { path: 'objectid.generate_bytes', who: 'saiban', make: () => objectId.generateBytes() },
  { path: 'objectid.generate_bytes', who: 'bson, an object with the bytes', make: () => new BsonObjectId() },
  { path: 'nanoid.generate', who: 'nanoid', make: () => nanoid() },
  { path: 'snowflake.generate_many', who: 'saiban', per: MANY, make: () => snowflake.generateMany(MANY) },
  { path: 'snowflake.fill', who: 'saiban', per: array.length, make: () => filled(snowflake) },
  { path: 'randflake.fill', who: 'saiban', per: array.length, make: () => filled(randflake) },
];
