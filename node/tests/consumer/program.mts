// A user's program in TypeScript with `import`. It is type-checked here, and with the packed
// package.
import {
  ByteGenerator,
  ErrorCode,
  Flake,
  Generator,
  Layout,
  Lease,
  ManualClock,
  ObjectId,
  Randflake,
  SaibanError,
  SaibanTypeError,
  Snowflake,
  SnowflakeGenerator,
  TickId,
  Tsid,
  Ulid,
  UlidFlake,
  Uuid,
  Xid,
  decode,
  encode,
  inspect,
  uuidFromGuidBytes,
  uuidToGuidBytes,
} from 'saiban';
import type { Capacity, Encoding, Field, Guarantee, Integer, Parts, Place, Rate, Rollback, Scheme, Scope, SnowflakeOptions, Stats, TimedNodeParts, TimedParts } from 'saiban';
import type { LeaseOptions, LeaseScheme, LeaseState, LeaseStatus, Leased, OpenOptions, RandflakeOptions, TsidOptions, TsidParts } from 'saiban';
import { type IdFormat, type IdOf, IdTexts, idReplacer } from 'saiban/texts';

const clock: ManualClock = new ManualClock(1_704_067_200_000);
const options: SnowflakeOptions = { node: 7, layout: Layout.TWITTER, clock, window: [1_704_067_200_000, 1_704_067_300_000n] };
const generators: Generator[] = [
  new Snowflake(options),
  new Randflake({ nodes: [0, 64], secret: new Uint8Array(16), shards: 4, maxWaitMs: 1000 }),
  new UlidFlake({ scalability: 3, entropySize: 2, epochMs: 0, maxJumpS: 60, state: undefined, scope: 'machine' }),
];
for (const ids of generators) {
  const id: bigint = ids.generate();
  const perhaps: bigint | null = ids.tryGenerate();
  const later: bigint = await ids.generateAsync();
  const parts: Parts = ids.inspect(later);
  const names: (string | number | bigint | null)[] = [parts.scheme, parts.node, parts.sequence, parts.random, parts.layout];
  const stats: Stats = ids.stats();
  const guarantee: Guarantee = stats.guarantee;
  const scope: Scope = stats.scope;
  if (stats.issued < 2 || scope !== (ids === generators[0] ? 'process' : 'machine') || guarantee !== 'unique' || stats.timeLeftMs === 0) throw new Error('stats');
  if (new Set([id, perhaps, later, ...ids.generateMany(2), names]).size < 5) throw new Error('an ID twice');
}

const encoding: Encoding = 'crockford';
const text: string = encode(decode('00CMXB6TAK4SA', encoding), encoding, { width: 13 });
const found: Parts[] = inspect(text, { scheme: 'ulid-flake', secret: new Uint8Array(16), oldSecrets: [Buffer.alloc(16)] });
const policy: Rollback = 'bits';
const rolling = new Snowflake({ node: 7, layout: Layout.TWITTER.withRollbackBits(2), rollback: policy, notBefore: 0n, clock });
const back: number | null = rolling.inspect(rolling.compose({ timestampMs: 1_704_067_200_000, node: 1, sequence: 2, rollback: 3 })).rollback;
if (back !== 3 || found[0]?.secretIndex !== null) throw new Error('parts');
const own = new Layout([['unused', 1], ['timestamp', 41], ['node', 10], ['sequence', 12]], { epochMs: 0, tickUs: 1000 });

const clockless: Generator<string>[] = [new Ulid({ prefix: 'item' }), new Uuid({ version: 4n, prefix: 'order' }), new ObjectId(), new Xid()];
for (const ids of clockless) {
  const made: string[] = [ids.generate(), await ids.generateAsync(), ...ids.generateMany(2)];
  if (ids.fill(new Uint8Array(48)) < 3 || new Set(made).size < 4) throw new Error('fill');
}
const binary: ByteGenerator = new Uuid({ clock, maxWaitMs: 5 });
const uuid: string = binary.fromBytes(binary.generateBytes());
const guid: string = uuidFromGuidBytes(uuidToGuidBytes(uuid));
const ticks: TickId = new TickId({ order: 'descending', clock });
const keys: string[] = new Array(2);
if (guid !== uuid || ticks.fill(keys) !== 2 || ticks.inspect(keys[0] as string).time.getTime() !== 1_704_067_200_000) throw new Error('text');
const flakes: Generator<bigint> = new Flake({ layout: Layout.fromText('timestamp:48 node.a:8 node.b:8 sequence:16 random:48'), node: 7, clock });
const wide: bigint = new Flake({ layout: Layout.MASTODON }).compose({ time: new Date(), sequence: 1 });
const timed: TimedParts<bigint> = new Flake({ layout: Layout.TWITTER, node: 9, clock }).inspect(wide >> 1n);
const untimed: Parts<string> = new Uuid({ version: 4 }).inspect(new Uuid({ version: 4 }).generate());
const [first, last]: [string, string] = new ObjectId().range(new Date(0), 1_704_067_200_000n);
const field: Field = ['random', 20, { step: 255 }];
const shape: Layout = new Layout([['timestamp', 44], field]);
const place: Place | undefined = shape.places[1];
const capacity: Capacity = shape.capacity;
const nodes: Integer = shape.maxNode;
const few: number = new Snowflake({ node: 7 }).inspect(1n).node;
if (nodes !== 0 || few !== 0) throw new Error('numbers');
const version: 1 | 4 | 7 = new Uuid({ version: 1n }).version;
const order: 'ascending' | 'descending' = ticks.order;
const long: SnowflakeGenerator = rolling;
const short: Snowflake = new SnowflakeGenerator({ node: 7 });
const shapes: Layout[] = [short.layout, long.layout];
const named: Layout = Layout.fromText('timestamp:48 node.a:8 node.b:8');
const both: Integer = named.nodeOfParts({ a: 1, b: 2n });
const apart: Readonly<Record<string, Integer>> = named.nodeParts(both);
const scheme: Scheme = ticks.scheme;
if (version !== 1 || order !== 'descending' || shapes.length !== 2 || apart.b !== 2 || scheme !== 'tick-id') throw new Error('what they are');
const tsidOptions: TsidOptions = { node: 4095, layout: Layout.preset('tsid-4096'), clock };
const tsidParts: TsidParts = { timestampMs: 1_704_067_200_000, node: 4095n, sequence: 1023 };
const tsids: Tsid = new Tsid(tsidOptions);
const tsid: TimedNodeParts<bigint, number> = tsids.inspect(tsids.compose(tsidParts));
const tsidScheme: LeaseScheme = 'tsid';
if (tsid.scheme !== tsidScheme || tsid.sequence !== 1023 || tsids.layout.maxNode !== 4095) throw new Error('TSID');
// Parts that every ID of the scheme has.
const everyNode: (number | bigint)[] = [
  new Randflake({ node: 9, secret: new Uint8Array(16), clock }).inspect(0n).node,
  tsid.node + tsid.sequence,
  new ObjectId().inspect('507f1f77bcf86cd799439011').sequence,
  new Xid().inspect('9m4e2mr0ui3e8a215n4g').node,
];
const scalability: number | null = new UlidFlake().inspect(1n).node;
if (everyNode.includes(-1) || scalability !== null) throw new Error('parts of nodes');

// Functions without their generator.
const { generate, tryGenerate, generateAsync, generateText } = new Snowflake({ node: 7 });
const { generateBytes } = new Uuid();
const unbound: (bigint | string | null | Uint8Array)[] = [
  ...Array.from({ length: 3 }, generate),
  tryGenerate(),
  await generateAsync(),
  generateText('hex'),
  generateBytes(),
];
if (unbound.length !== 7) throw new Error('unbound');

// Input from outside.
const outside: unknown = JSON.parse('"0EP7TRC000W01"');
if (!tsids.isValid(outside)) throw new Error('valid');
const checked: string = outside;
const strict: boolean = tsids.isValid(checked.toLowerCase()) && new IdTexts('tsid').isValid(checked) && !tsids.isValid(7n, { lenient: true });
if (!strict || !tsids.isValid(checked)) throw new Error(checked.toUpperCase());

const rate: Rate = shape.idsPerSecond;
if (place?.step !== 255n || capacity.nodes !== 1n || rate.inAll < 1 || shape.collisionOdds(1, 1) !== 0) throw new Error('layout');
if (timed.time.getTime() < 0 || untimed.time !== null || first >= last || flakes.inspect(flakes.generate()).nodeParts.b !== 7) throw new Error('flake');
const longest: string = encode(decode('7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'crockford', { bits: 128 }), 'hyphenated', { bits: 128n });
if (longest !== 'ffffffff-ffff-ffff-ffff-ffffffffffff') throw new Error('encoding');

const leased: LeaseScheme = 'ulid-flake';
const leaseOptions: LeaseOptions = { namespace: 'typed', nodes: 1n, ttlS: 60, scheme: leased, create: true, waitS: undefined };
{
  await using lease: Lease = await Lease.acquire('memory:', leaseOptions);
  const [begin, end]: readonly [Integer, Integer] = lease.nodes;
  const status: LeaseStatus = lease.status();
  const state: LeaseState = status.state;
  const under: bigint = await new UlidFlake({ lease }).generateAsync();
  const renewed: void = lease.renew();
  const held: readonly [Integer, Integer] | null = status.nodes;
  if (state !== 'active' || end <= begin || under === 0n || renewed !== undefined || held?.[0] !== begin) throw new Error('lease');
}
{
  const openOptions: OpenOptions<SnowflakeOptions> = { store: 'memory:typed', namespace: 'own', layout: Layout.TWITTER, shards: 1, prefix: 'order' };
  const secretly: OpenOptions<RandflakeOptions> = { store: 'memory:typed', namespace: 'secret', secret: new Uint8Array(16), node: undefined };
  const snowflake: Leased<Snowflake> = await Snowflake.open(openOptions);
  const opened: Leased<Generator>[] = [
    snowflake,
    await Randflake.open(secretly),
    await UlidFlake.open({ store: 'memory:typed', namespace: 'ulid-flake', entropySize: 2, allowCollisions: false }),
    await Flake.open({ store: 'memory:typed', namespace: 'flake', layout: Layout.DISCORD, maxJumpS: 60 }),
    await Tsid.open({ store: 'memory:typed', namespace: 'tsid', layout: Layout.preset('tsid-256'), rollback: 'hold' }),
  ];
  for (const ids of opened) {
    const perhaps: Lease | null = (ids as Generator).lease;
    if (perhaps !== ids.lease || ids.inspect(await ids.generateAsync()).node !== ids.lease.nodes[0]) throw new Error('open');
    await ids.lease.release();
  }
  if (snowflake.layout.name !== 'twitter' || short.lease !== null) throw new Error('opened');
}

// Without a node only where the layout may have none.
export const perhapsNode = (node: number | undefined): Flake => new Flake({ layout: Layout.MASTODON, node });

// A lease or `undefined`, with other options.
export const perhapsLeased = (lease: Lease | undefined): Generator[] => [
  new Snowflake({ lease, shards: 2, rollback: 'hold', node: undefined }),
  new Randflake({ lease, secret: new Uint8Array(16), maxWaitMs: 5, scope: undefined }),
  new UlidFlake({ lease, entropySize: 2, allowCollisions: false }),
  new Flake({ lease, layout: Layout.TWITTER, maxJumpS: 60, prefix: 'order' }),
];

// These must not type-check.
// @ts-expect-error a ULID needs no lease
export const unleased = (lease: Lease): Ulid => new Ulid({ lease });
// @ts-expect-error a Snowflake needs a node or a lease
export const unplaced = (): Snowflake => new Snowflake();
// @ts-expect-error a Snowflake needs a node or a lease
export const unplacedEither = (): Snowflake => new Snowflake({});
// @ts-expect-error a Snowflake needs a node or a lease
export const unplacedWith = (): Snowflake => new Snowflake({ layout: Layout.TWITTER, shards: 2 });
// @ts-expect-error the node may be missing
export const perhapsPlaced = (node: number | undefined): Snowflake => new Snowflake({ node });
// @ts-expect-error a Snowflake has a node, or a range of nodes
export const placedBoth = (): Snowflake => new Snowflake({ node: 5, nodes: [0, 64] });
// @ts-expect-error a Flake has a node, or a range of nodes
export const placedAllWays = (): Flake => new Flake({ layout: Layout.TWITTER, node: 5, nodes: [0, 64] });
// @ts-expect-error a TSID needs a node or a lease
export const unplacedTsid = (): Tsid => new Tsid();
// @ts-expect-error a TSID needs a node or a lease
export const unplacedTsidEither = (): Tsid => new Tsid({ layout: Layout.preset('tsid-256') });
// @ts-expect-error a Randflake needs a node or a lease
export const unplacedRandflake = (): Randflake => new Randflake({ secret: new Uint8Array(16) });
// @ts-expect-error a UUID may have no node
export const noded = (): number => new Uuid().inspect('').node;
// @ts-expect-error a Ulid-Flake ID has a node only with a scalability id
export const scaled = (): number => new UlidFlake().inspect(1n).node;
// @ts-expect-error a layout of one's own may have no node
export const flaked = (): Integer => new Flake({ layout: Layout.MASTODON }).inspect(1n).node;
// @ts-expect-error a lease gives the node
export const placedTwice = (lease: Lease): Snowflake => new Snowflake({ lease, node: 5 });
// @ts-expect-error a lease gives the nodes
export const placedApart = (lease: Lease): Randflake => new Randflake({ lease, nodes: [0, 1], secret: new Uint8Array(16) });
// @ts-expect-error a lease gives the times
export const timedApart = (lease: Lease): Flake => new Flake({ lease, layout: Layout.TWITTER, window: [0, 1] });
// @ts-expect-error a lease gives the times
export const timedLater = (lease: Lease): Snowflake => new Snowflake({ lease, notBefore: 0 });
// @ts-expect-error the store remembers
export const remembered = (lease: Lease): Snowflake => new Snowflake({ lease, state: 'ids.state' });
// @ts-expect-error a lease gives the scalability id
export const scaledTwice = (lease: Lease): UlidFlake => new UlidFlake({ lease, scalability: 5 });
// @ts-expect-error a lease allows no collisions
export const colliding = (lease: Lease): UlidFlake => new UlidFlake({ lease, allowCollisions: true });
// @ts-expect-error a lease is acquired
export const unacquired = (): Lease => new Lease();
// @ts-expect-error a UUID has no nodes
export const nodeless = (): Promise<Lease> => Lease.acquire('memory:', { scheme: 'uuid' });
// @ts-expect-error an ID of one's own layout needs the layout
export const shapeless = (): Flake => new Flake({ node: 1 });
// @ts-expect-error a lease of its own needs a store
export const storeless = (): Promise<Snowflake> => Snowflake.open({ namespace: 'orders' });
// @ts-expect-error a store gives the node
export const placedByStore = (): Promise<Snowflake> => Snowflake.open({ store: 'memory:', node: 5 });
// @ts-expect-error a store gives the times
export const timedByStore = (): Promise<Tsid> => Tsid.open({ store: 'memory:', window: [0, 1] });
// @ts-expect-error a store gives the scalability id
export const scaledByStore = (): Promise<UlidFlake> => UlidFlake.open({ store: 'memory:', scalability: 5 });
// @ts-expect-error a store gives the lease
export const leasedTwice = (lease: Lease): Promise<Snowflake> => Snowflake.open({ store: 'memory:', lease });
// @ts-expect-error a Randflake needs a secret, whatever gives its node
export const openly = (): Promise<Randflake> => Randflake.open({ store: 'memory:' });
// @ts-expect-error an ID of one's own layout needs the layout, whatever gives its node
export const shapelessly = (): Promise<Flake> => Flake.open({ store: 'memory:' });
// @ts-expect-error a constructor waits for no store
export const unawaited = (): Snowflake => new Snowflake({ store: 'memory:' });
// @ts-expect-error a ULID has no node
export const opens = () => Ulid.open({ store: 'memory:' });
// @ts-expect-error a generator has its lease for good
export const releasedAnew = (ids: Snowflake): void => void (ids.lease = null);
// @ts-expect-error a ULID has no node
export const placed = (): Ulid => new Ulid({ node: 1 });
// @ts-expect-error an XID has no node
export const shared = (): Xid => new Xid({ node: 1 });
// @ts-expect-error a ULID is text
export const numbered = (): string => new Ulid().toText(1n);
// @ts-expect-error the time is given once
export const timedTwice = (): string => new Ulid().compose({ timestampMs: 0, time: new Date(), random: 0 });
// @ts-expect-error a UUID v4 has no time
export const dated = (): string => new Uuid({ version: 4 }).inspect('').time.toISOString();
// @ts-expect-error bytes are no numbers
export const filled = (): number => new Uuid().fill(new BigInt64Array(1));
// @ts-expect-error no such preset
export const unset = (): Layout => Layout.preset('tsid-512');
// @ts-expect-error a name is no layout
export const unlaid = (): Snowflake => new Snowflake({ node: 1, layout: 'twitter' });
// @ts-expect-error no such policy
export const unpoliced = (): Snowflake => new Snowflake({ node: 1, rollback: 'jump' });
// @ts-expect-error no such scope
export const unshared = (): Snowflake => new Snowflake({ node: 1, scope: 'thread' });
// @ts-expect-error a ULID has no scope
export const scopeless = (): Ulid => new Ulid({ scope: 'process' });
// @ts-expect-error a Ulid-Flake has no shards
export const sharded = (): UlidFlake => new UlidFlake({ shards: 4 });
// @ts-expect-error a Randflake has no rollback bits
export const rolled = (): bigint => new Randflake({ node: 1, secret: new Uint8Array(16) }).compose({ timestampMs: 0, node: 0, sequence: 0, rollback: 1 });
// @ts-expect-error stats are read only
export const counted = (stats: Stats): void => void (stats.issued = 1);
// @ts-expect-error a Randflake needs a secret
export const secretless = (): Randflake => new Randflake({ node: 1 });
// @ts-expect-error no such encoding
export const uncoded = (): string => encode(1n, 'base85');
// @ts-expect-error an ID is not text
export const untyped = (): bigint => new UlidFlake().fromText(1n);
// @ts-expect-error parts are read only
export const written = (parts: Parts): void => void (parts.node = 1);
// @ts-expect-error generators in common are not made alone
export const abstract = (): Generator => new Generator();

// The text of IDs, without a framework.
const formats: IdFormat[] = ['ulid', { scheme: 'uuid-v7', encoding: 'base62' }, { scheme: 'tsid', prefix: undefined }, short];
const texts: IdTexts<'snowflake'> = new IdTexts('snowflake');
const readId: bigint = texts.read(texts.write(7n));
const readText: string = new IdTexts({ scheme: 'ulid', prefix: 'item' }).read(new Ulid({ prefix: 'item' }).generate());
const ofGenerator: bigint = new IdTexts(short).read('7');
const eitherId: IdOf<'ulid' | 'snowflake'> = readText;
const inJson: string = JSON.stringify({ readId, ofGenerator }, idReplacer('snowflake'));
if (formats.length !== 4 || eitherId !== readText || inJson !== '{"readId":"7","ofGenerator":"7"}') throw new Error('texts');
// @ts-expect-error a ULID is not a bigint
export const unread = (): bigint => new IdTexts('ulid').read('');
// @ts-expect-error no such scheme
export const unformatted = (): IdTexts => new IdTexts({ scheme: 'ulids' });

let caught: ErrorCode | undefined;
try {
  new Snowflake({ node: 1024, layout: own });
} catch (error) {
  if (error instanceof SaibanTypeError || !(error instanceof SaibanError)) throw error;
  caught = error.code;
}
console.log('import', text, found[0]?.random, caught === ErrorCode.NODE_OUT_OF_RANGE);
