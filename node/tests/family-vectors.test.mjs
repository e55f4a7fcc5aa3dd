// Every case of the vectors of custom layouts and wide IDs, one test each. vectors/README.md
// describes the operations.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  Flake,
  Layout,
  ManualClock,
  ObjectId,
  Randflake,
  Snowflake,
  TickId,
  Tsid,
  Ulid,
  UlidFlake,
  Uuid,
  Xid,
  decode,
  encode,
  uuidFromGuidBytes,
  uuidToGuidBytes,
} from 'saiban';

const read = (subject) => JSON.parse(readFileSync(new URL(`../../vectors/${subject}.json`, import.meta.url), 'utf8'));
const maybe = (value) => (value === undefined ? undefined : BigInt(value));
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = (text) => new Uint8Array(Buffer.from(text, 'hex'));
const isSafe = (value) => Number.isSafeInteger(Number(value));
/** Returns the object without undefined members. */
const given = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/**
 * How to build the generator of each scheme from a config. The values of a case override those of
 * the config.
 */
const make = {
  flake: (config, options) => new Flake({ ...options, layout: Layout.fromText(config.layout) }),
  ulid: (_config, options) => new Ulid(options),
  uuid: (config, options) => new Uuid({ ...options, version: config.version }),
  objectid: (_config, options) => new ObjectId(options),
  xid: (_config, options) => new Xid(options),
  'tick-id': (config, options) => new TickId({ ...options, order: config.order }),
};

function build(scheme, config, input, clock, defaultWaitMs) {
  const { node, nodes, window, not_before, rollback, shards, max_wait_ms, state } = input;
  const options = given({
    node: maybe(node),
    nodes: nodes?.map(BigInt),
    window: window?.map(BigInt),
    notBefore: maybe(not_before),
    shards: maybe(shards),
    rollback,
    state,
    maxWaitMs: max_wait_ms === undefined ? defaultWaitMs : Number(max_wait_ms),
    clock,
  });
  return make[scheme]({ ...config, ...given({ layout: input.layout, version: input.version, order: input.order }) }, options);
}

/**
 * The default wait of the other languages: 2 ticks, at most 2 s. Node's default is shorter, because
 * waiting blocks the event loop.
 */
function defaultWaitMs(scheme, config) {
  const tickMs = {
    flake: () => Layout.fromText(config.layout).tickUs / 1000,
    ulid: () => 1,
    uuid: () => ({ 1: 0.0001, 7: 1 })[config.version],
    objectid: () => 1000,
    xid: () => 1000,
    'tick-id': () => 0.0001,
  };
  const tick = tickMs[scheme]();
  return tick === undefined ? undefined : Math.min(2 * tick, 2000);
}

/** Returns a generator for reading and composing IDs, whose own node does not matter. */
function anyone(scheme, config) {
  const hasNode = scheme === 'flake' && Layout.fromText(config.layout).places.some(({ kind }) => kind === 'node');
  return build(scheme, config, hasNode ? { node: '0' } : {}, new ManualClock(0));
}

/** Returns the ID of a case: a number for Flakes, or else text. */
const idOf = (scheme, { id, text }) => (scheme === 'flake' ? BigInt(id) : text);
const answered = (scheme, ids, id) => (scheme === 'flake' ? { id: String(id), text: ids.toText(id) } : { text: id });
/**
 * Returns the expected result of a case in this language, without the number of IDs that are text.
 */
const wanted = (scheme, { id, ...out }) => (scheme === 'flake' ? { id, ...out } : out);

function partsOf(parts) {
  const { timestamp_ms, submillisecond_ns, node, node_parts, sequence, random, rollback, clock_sequence } = parts;
  const named = node_parts && Object.fromEntries(Object.entries(node_parts).map(([name, value]) => [name, BigInt(value)]));
  return given({
    timestampMs: maybe(timestamp_ms),
    submillisecondNs: maybe(submillisecond_ns),
    node: named ?? maybe(node),
    sequence: maybe(sequence),
    random: maybe(random),
    rollback: maybe(rollback),
    clockSequence: maybe(clock_sequence),
  });
}

function visible({ timestampMs, submillisecondNs, node, nodeParts, sequence, random, rollback }) {
  const numbers = { timestamp_ms: timestampMs, submillisecond_ns: submillisecondNs, node, sequence, random, rollback };
  const parts = Object.entries(numbers).filter(([, value]) => value !== null);
  const named = Object.entries(nodeParts).map(([name, value]) => [name, String(value)]);
  return {
    ...Object.fromEntries(parts.map(([name, value]) => [name, String(value)])),
    ...(named.length > 0 && { node_parts: Object.fromEntries(named) }),
  };
}

/**
 * Returns whether a JavaScript number can hold the time; if not, `inspect` fails. Nodes and
 * sequences may be bigints.
 */
const fits = ({ timestamp_ms }) => timestamp_ms === undefined || isSafe(timestamp_ms);

function inspected(ids, id, out) {
  if (out === undefined || fits(out)) return visible(ids.inspect(id));
  assert.throws(() => ids.inspect(id), { code: 'INVALID_ARGUMENT', message: /53 bits/ });
  return out;
}

const ticksOfV1 = (uuid) => {
  const [low, mid, high] = uuid.split('-');
  return BigInt(`0x${high.slice(1)}${mid}${low}`);
};
const ticksOfTickId = (id, order) => (order === 'ascending' ? BigInt(id.slice(0, 19)) : 2n ** 63n - 1n - BigInt(id.slice(0, 19)));

/** Returns the predictable parts of an ID, and checks its random parts against the previous ID. */
function predictable(scheme, config, ids, id, before) {
  const parts = ids.inspect(id);
  const seen = visible(parts);
  const isNew = before === undefined || before.parts.timestampMs !== parts.timestampMs;
  const grew = (part, least, most) => {
    if (isNew) return;
    const step = BigInt(parts[part]) - BigInt(before.parts[part]);
    assert.ok(step >= least && step <= most, `${part} grew by ${step}`);
  };
  if (scheme === 'ulid') grew('random', 1n, 1n);
  if (scheme === 'uuid' && config.version === 7) grew('random', 1n, 2n ** 32n);
  if (scheme === 'uuid' && config.version === 1) {
    assert.equal(Number.parseInt(id.slice(25, 26), 16) & 1, 1, 'a multicast node');
    if (before) assert.equal(id.slice(19), before.id.slice(19));
    return { ticks: String(ticksOfV1(id)) };
  }
  if (scheme === 'uuid' && config.version === 4) return {};
  if (scheme === 'objectid' || scheme === 'xid') {
    if (before) assert.equal(parts.node, before.parts.node);
    if (!isNew) assert.equal(parts.sequence, (before.parts.sequence + 1) % 2 ** 24);
  }
  if (scheme === 'tick-id') return { ticks: String(ticksOfTickId(id, config.order)) };
  if (scheme === 'flake') {
    const { places } = ids.layout;
    const growing = places.find(({ step }) => step !== null);
    if (growing) grew('random', 1n, growing.step);
    const sequence = places.find(({ kind }) => kind === 'sequence');
    if (sequence?.start === 'random') grew('sequence', 1n, 1n);
    const { random: _, rollback, sequence: number, ...rest } = seen;
    return given({ ...rest, rollback, sequence: sequence?.start === 'random' ? undefined : number, new_tick: isNew });
  }
  return { timestamp_ms: seen.timestamp_ms, new_tick: isNew };
}

function generate(scheme, config, input, out) {
  const clock = new ManualClock(BigInt(input.clock_ms[0]));
  const ids = build(scheme, config, input, clock, defaultWaitMs(scheme, config));
  let before;
  return input.clock_ms.map((time, index) => {
    clock.set(BigInt(time));
    let id;
    try {
      id = ids.generate();
    } catch (error) {
      return { error: error.code };
    }
    if (typeof out[index] === 'string') return String(id);
    const answer = predictable(scheme, config, ids, id, before);
    before = { id, parts: ids.inspect(id) };
    return answer;
  });
}

/** What refuses an ID at the end of its random field. The clock of a case may be behind. */
const AT_ITS_END = ['WOULD_WAIT', 'CLOCK_BACKWARD'];

/**
 * Tries again, because a random part may rarely start at the end of its field, which is no error.
 */
function generateAgain(scheme, config, input, out) {
  for (let tries = 0; ; tries += 1) {
    const ids = generate(scheme, config, input, out);
    const unlucky = ids.some((id, index) => AT_ITS_END.includes(id.error) && out[index].new_tick === false);
    if (!unlucky || tries === 2) return { ids };
  }
}

/** Returns a number from a layout; checks that one beyond safe integers is refused. */
function checkedNumber(want, answer) {
  if (isSafe(want)) return String(answer());
  assert.throws(answer, { code: 'INVALID_ARGUMENT', message: /53 bits/ });
  return want;
}

const operations = {
  compose: (ids, input, scheme) => answered(scheme, ids, ids.compose(partsOf(input))),
  inspect: (ids, input, scheme, out) => inspected(ids, idOf(scheme, input), out),
  to_text: (ids, input, scheme) => ({ text: ids.toText(idOf(scheme, input), input.encoding) }),
  from_text: (ids, { text, lenient }, scheme) => answered(scheme, ids, ids.fromText(text, { lenient })),
  to_bytes: (ids, { text }) => ({ bytes: hex(ids.toBytes(text)) }),
  from_bytes: (ids, input) => ({ text: ids.fromBytes(bytes(input.bytes)) }),
  to_guid_bytes: (_ids, { text }) => ({ bytes: hex(uuidToGuidBytes(text)) }),
  from_guid_bytes: (_ids, input) => ({ text: uuidFromGuidBytes(bytes(input.bytes)) }),
  limits(ids, _input, _scheme, out) {
    const { layout } = ids;
    const { idsPerTick, nodes, ids: all } = layout.capacity;
    return {
      text: layout.toText(),
      last_ms: String(layout.lastMs),
      lifetime_ms: String(layout.lifetimeMs),
      ids_per_tick: String(idsPerTick),
      nodes: String(nodes),
      ids: String(all),
    };
  },
  round_trips(ids, { parts }) {
    const made = parts.map((part) => [ids.compose(partsOf(part)), part]);
    for (const [id, part] of made) {
      const seen = inspected(ids, id, part);
      for (const [name, value] of Object.entries(part)) assert.deepEqual(seen[name], value, name);
    }
    return { ids: made.map(([id]) => String(id)) };
  },
};

/** Returns the properties of a layout. */
function described(layout, out) {
  const { idsPerTick, nodes, bits, ids } = layout.capacity;
  const rates = layout.idsPerSecond;
  for (const [name, rate] of [['per_node', rates.perNode], ['in_all', rates.inAll]]) {
    assert.ok(Math.abs(rate - Number(out[name])) <= 1e-12 * Number(out[name]), `${name}: ${rate}`);
  }
  assert.equal(JSON.stringify(layout), out.json);
  assert.equal(String(layout), out.text);
  return given({
    text: layout.toText(),
    json: layout.toJson(),
    name: layout.name ?? undefined,
    size_bits: layout.sizeBits,
    bits,
    epoch_ms: checkedNumber(out.epoch_ms, () => layout.epochMs),
    tick_us: checkedNumber(out.tick_us, () => layout.tickUs),
    first_ms: checkedNumber(out.first_ms, () => layout.firstMs),
    last_ms: String(layout.lastMs),
    lifetime_ms: String(layout.lifetimeMs),
    ids_per_tick: String(idsPerTick),
    nodes: String(nodes),
    ids: String(ids),
    is_unique: layout.isUnique,
    is_time_ordered: layout.isTimeOrdered,
    per_node: out.per_node,
    in_all: out.in_all,
    places: layout.places.map(({ kind, name, bits, shift, max }) =>
      given({ kind, name: name ?? undefined, bits, shift, max: String(max) }),
    ),
  });
}

const ofLayouts = {
  layout: ({ text }, out) => described(Layout.fromText(text), out),
  from_json: ({ json }) => ({ text: Layout.fromJson(json).toText() }),
  with_rollback_bits: ({ text, bits }) => ({ text: Layout.fromText(text).withRollbackBits(bits).toText() }),
  collision_odds({ text, ids_per_second, seconds }, out) {
    const odds = Layout.fromText(text).collisionOdds(Number(ids_per_second), Number(seconds));
    const want = Number(out.odds);
    const tolerance = ['0', '1'].includes(out.odds) ? 0 : want * 1e-6;
    assert.ok(Math.abs(odds - want) <= tolerance, `${odds} for ${want}`);
    return out;
  },
};

/** Returns a generator of any scheme, for ranges. */
function ofScheme({ scheme, ...config }) {
  const clock = new ManualClock(0);
  const others = {
    snowflake: () => new Snowflake({ layout: Layout.fromText(config.layout), node: 0, clock }),
    tsid: () => new Tsid({ layout: Layout.fromText(config.layout), node: 0, clock }),
    randflake: () => new Randflake({ secret: bytes(config.secret), node: 0, clock }),
    'ulid-flake': () =>
      new UlidFlake({
        ...(config.scalable && { scalability: 0 }),
        entropySize: config.entropy_size,
        epochMs: BigInt(config.epoch_ms),
        clock,
      }),
  };
  return others[scheme]?.() ?? anyone(scheme, config);
}

function range(config, { start_ms, end_ms }) {
  const ids = ofScheme(config);
  const [first, last] = ids.range(BigInt(start_ms), BigInt(end_ms));
  const texts = { first_text: ids.toText(first), last_text: ids.toText(last) };
  return typeof first === 'bigint' ? { first: String(first), last: String(last), ...texts } : texts;
}

function answer(subject, configs, { op, config: name, in: input, out }) {
  if (subject === 'encoding-wide') {
    const { value, text, encoding, ...options } = input;
    return op === 'encode_wide'
      ? { text: encode(BigInt(value), encoding, options) }
      : { value: String(decode(text, encoding, options)) };
  }
  if (subject === 'layout') return ofLayouts[op](input, out);
  const config = configs[name];
  if (op === 'range') return range(config, input);
  const scheme = subject.replace(/-\d$/, '');
  if (op === 'generate') return generateAgain(scheme, config, input, out.ids);
  if (op === 'new') return build(scheme, config, input);
  return operations[op](anyone(scheme, config), input, scheme, out);
}

/** Returns the expected result of a case in this language. */
function expected(subject, configs, { op, config, out }) {
  if (subject === 'range') {
    const { first, last, ...texts } = out;
    return ['ulid', 'uuid', 'objectid', 'xid', 'tick-id'].includes(configs[config].scheme) ? texts : { first, last, ...texts };
  }
  return ['compose', 'from_text', 'from_bytes', 'from_guid_bytes'].includes(op) ? wanted(subject.replace(/-\d$/, ''), out) : out;
}

const LEAST = { 'tick-id': 300, layout: 400, range: 500, 'encoding-wide': 3000 };

for (const subject of ['flake', 'flake-1', 'flake-2', 'ulid', 'uuid', 'objectid', 'xid', 'tick-id', 'layout', 'range', 'encoding-wide']) {
  const { configs, cases } = read(subject);
  describe(subject, () => {
    for (const vector of cases) {
      test(vector.id, () => {
        if ('out' in vector) {
          assert.deepEqual(answer(subject, configs, vector), expected(subject, configs, vector));
          return;
        }
        assert.throws(
          () => answer(subject, configs, vector),
          (error) => {
            assert.equal(error.code, vector.error, error.message);
            if ('position' in vector) assert.equal(error.position, vector.position);
            return true;
          },
        );
      });
    }
    test(`has at least ${LEAST[subject] ?? 300} cases`, () => assert.ok(cases.length >= (LEAST[subject] ?? 300)));
  });
}
