// Every case of ../../vectors/*.json, one test each. vectors/README.md describes the operations.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Layout, ManualClock, Randflake, Snowflake, Tsid, UlidFlake, decode, encode, inspect } from 'saiban';

/**
 * Reads the file of a subject. sparx.json is not used, because this package does not export the
 * cipher.
 */
const read = (subject) => JSON.parse(readFileSync(new URL(`../../vectors/${subject}.json`, import.meta.url), 'utf8'));
const maybe = (value) => (value === undefined ? undefined : BigInt(value));
const pair = (value) => value?.map(BigInt);
const bytes = (hex) => Buffer.from(hex, 'hex');

function layout(described) {
  if (typeof described === 'string') return Layout.preset(described);
  return new Layout(described.fields, { epochMs: BigInt(described.epoch_ms), tickUs: BigInt(described.tick_us) });
}

/**
 * Returns a function that builds a generator. The values of `given` override those of the config.
 */
const ofLayout = (Generator) => (config, given, clock) =>
  new Generator({ ...common(given, clock), layout: layout(given.layout ?? config.layout) });
const build = {
  snowflake: ofLayout(Snowflake),
  tsid: ofLayout(Tsid),
  randflake: (config, given, clock) =>
    new Randflake({ ...common(given, clock), secret: bytes(given.secret ?? config.secret) }),
  'ulid-flake': (config, given, clock) =>
    new UlidFlake({
      ...common(given, clock),
      scalability: maybe(given.scalability),
      entropySize: given.entropy_size ?? config.entropy_size,
      epochMs: BigInt(config.epoch_ms),
    }),
};

function common(given, clock) {
  return {
    node: maybe(given.node),
    nodes: pair(given.nodes),
    window: pair(given.window),
    notBefore: maybe(given.not_before),
    rollback: given.rollback,
    maxWaitMs: given.max_wait_ms === undefined ? given.defaultWaitMs : Number(given.max_wait_ms),
    clock,
  };
}

/**
 * The default wait of the other languages: 2 ticks, at most 2 s. Node's default is shorter, because
 * waiting blocks the event loop.
 */
function defaultWaitMs(subject, config) {
  const tickMs = { randflake: 1000, 'ulid-flake': 1 };
  return Math.min(2 * (tickMs[subject] ?? layout(config.layout).tickUs / 1000), 2000);
}

/** Returns a generator for reading and composing IDs, whose own node does not matter. */
function anyone(subject, config) {
  if (subject !== 'ulid-flake') return { node: '0' };
  return config.scalable ? { scalability: '0' } : {};
}

const visibleParts = (parts) =>
  Object.fromEntries(
    [
      ['timestamp_ms', parts.timestampMs],
      ['submillisecond_ns', parts.submillisecondNs],
      ['node', parts.node],
      ['sequence', parts.sequence],
      ['random', parts.random],
      ['rollback', parts.rollback],
      ['secret_index', parts.secretIndex],
    ]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, String(value)]),
  );

const operations = {
  compose(ids, { timestamp_ms, submillisecond_ns, node, sequence, rollback, random, scalability }, subject) {
    const timestampMs = BigInt(timestamp_ms);
    const ofLayout = () => ({
      node: BigInt(node),
      sequence: BigInt(sequence),
      rollback: maybe(rollback),
      submillisecondNs: maybe(submillisecond_ns),
    });
    const own = {
      snowflake: ofLayout,
      tsid: ofLayout,
      randflake: () => ({ node: BigInt(node), sequence: BigInt(sequence) }),
      'ulid-flake': () => ({ random: BigInt(random), scalability: maybe(scalability) }),
    };
    const id = ids.compose({ timestampMs, ...own[subject]() });
    return { id: String(id), text: ids.toText(id) };
  },
  inspect(ids, { id }, subject) {
    const parts = ids.inspect(BigInt(id));
    assert.equal(parts.scheme, subject);
    assert.equal(parts.id, BigInt(id));
    assert.equal(parts.time.getTime(), new Date(parts.timestampMs).getTime());
    return visibleParts(parts);
  },
  to_text: (ids, { id }) => ({ text: ids.toText(BigInt(id)) }),
  from_text: (ids, { text, lenient }) => ({ id: String(ids.fromText(text, { lenient })) }),
};

/** Returns the IDs for each time of the clock; for Ulid-Flake, their predictable parts. */
function generate(subject, config, given) {
  const clock = new ManualClock(BigInt(given.clock_ms[0]));
  const ids = build[subject](config, { ...given, defaultWaitMs: defaultWaitMs(subject, config) }, clock);
  let before;
  return given.clock_ms.map((time) => {
    clock.set(BigInt(time));
    let id;
    try {
      id = ids.generate();
    } catch (error) {
      return { error: error.code };
    }
    if (subject !== 'ulid-flake') return String(id);
    const parts = ids.inspect(id);
    const isNew = before?.timestampMs !== parts.timestampMs;
    const { random: _, ...answer } = visibleParts(parts);
    const step = isNew ? 1 : Number(parts.random - before.random);
    before = parts;
    const grew = step >= 1 && step < 2 ** (8 * config.entropy_size);
    return { ...answer, new_tick: isNew, ...(grew ? {} : { step }) };
  });
}

/** What refuses an ID at the end of its random field. The clock of a case may be behind. */
const AT_ITS_END = ['WOULD_WAIT', 'CLOCK_BACKWARD'];

/**
 * Tries again, because a random part may rarely start at the end of its field, which is no error.
 */
function generateAgain(subject, config, given, wanted) {
  for (let tries = 0; ; tries += 1) {
    const ids = generate(subject, config, given);
    const unlucky = ids.some((id, index) => AT_ITS_END.includes(id.error) && wanted?.[index].new_tick === false);
    if (!unlucky || tries === 2) return { ids };
  }
}

/** Returns the most plausible reading with the config's secret and old ones. */
function inspectSecrets(scheme, config, { id, old_secrets }) {
  const [secret, ...oldSecrets] = [config.secret, ...old_secrets].map(bytes);
  const found = inspect(BigInt(id), { secret, oldSecrets, scheme });
  assert.equal(found.length, 1 + oldSecrets.length);
  return visibleParts(found[0]);
}

function answer(subject, configs, { op, config: name, in: given, out }) {
  if (subject === 'encoding') {
    const { value, text, encoding, ...options } = given;
    return op === 'encode'
      ? { text: encode(BigInt(value), encoding, options) }
      : { value: String(decode(text, encoding, options)) };
  }
  const config = configs[name];
  if (op === 'generate') return generateAgain(subject, config, given, out?.ids);
  if (op === 'inspect_secrets') return inspectSecrets(subject, config, given);
  if (op === 'new') return build[subject](config, given);
  return operations[op](build[subject](config, anyone(subject, config), new ManualClock(0)), given, subject);
}

const SUBJECTS = ['snowflake', 'randflake', 'ulid-flake', 'tsid', 'encoding'];

for (const subject of SUBJECTS) {
  const { configs, cases } = read(subject);
  describe(subject, () => {
    for (const vector of cases) {
      test(vector.id, () => {
        if ('out' in vector) {
          assert.deepEqual(answer(subject, configs, vector), vector.out);
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
  });
}

test('the files hold at least 200 cases a subject', () => {
  for (const subject of SUBJECTS) {
    assert.ok(read(subject).cases.length >= 200, subject);
  }
});
