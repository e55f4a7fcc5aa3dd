// No output of Node shows a secret. Inspection can try several secrets.
import assert from 'node:assert/strict';
import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { format, inspect as picture } from 'node:util';
import { serialize } from 'node:v8';
import { ManualClock, Randflake, inspect } from 'saiban';

const NOW = 1_763_700_000_000;
const OURS = Buffer.from('ab5345435245542d4f462d4f555253ef', 'hex');
const OLD = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const THIRD = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');

/** Returns the notations of a secret, of all and of the larger part. */
function forms(secret) {
  const halves = [secret, secret.subarray(0, 8), secret.subarray(8)];
  const hex = (between) => (part) => part.toString('hex').match(/../g).join(between);
  const base64 = ['base64', 'base64url'].map((name) => secret.toString(name).replace(/=+$/, ''));
  const numbers = [BigInt(`0x${secret.toString('hex')}`), BigInt(`0x${Buffer.from(secret).reverse().toString('hex')}`)];
  return [
    ...['', ' ', ':'].flatMap((between) => halves.map(hex(between))),
    ...halves.map((part) => hex('')(part).toUpperCase()),
    ...halves.map((part) => part.toString('latin1')),
    ...[', ', ','].flatMap((between) => halves.map((part) => [...part].join(between))),
    ...base64,
    ...numbers.map(String),
  ];
}

/** Yields all texts in which Node shows a value. */
function* shown(value) {
  const depth = { showHidden: true, depth: 9, getters: true, showProxy: true, maxArrayLength: null, maxStringLength: null };
  yield picture(value, depth);
  yield picture(value, { ...depth, customInspect: false });
  yield format('%s %o %O %j', value, value, value, typeof value === 'bigint' ? '' : (value?.message ?? ''));
  const stream = new PassThrough();
  const console = new Console({ stdout: stream, stderr: stream });
  console.log(value);
  console.dir(value, depth);
  console.table([value]);
  console.trace(value);
  yield stream.read().toString('latin1');
  yield String(value);
  for (let object = value; object !== null && typeof object === 'object'; object = Object.getPrototypeOf(object)) {
    for (const key of Reflect.ownKeys(object)) {
      const { value: member, get } = Object.getOwnPropertyDescriptor(object, key);
      yield `${String(key)} ${picture(member)} ${get}`;
    }
  }
  for (const copy of [JSON.stringify, structuredClone, serialize]) {
    try {
      const copied = copy(value);
      yield Buffer.isBuffer(copied) ? copied.toString('latin1') : picture(copied, depth);
    } catch (error) {
      yield picture(error, depth);
    }
  }
}

/** Yields all texts of a call's error. */
function* errorOf(call) {
  assert.throws(call, (error) => {
    caught = error;
    return true;
  });
  yield* shown(caught);
  yield caught.stack;
}
let caught;

function* everything() {
  const clock = new ManualClock(NOW);
  const ids = new Randflake({ nodes: [0, 9], shards: 3, secret: OURS, notBefore: 5, rollback: 'error', clock });
  const id = ids.generate();
  yield* shown(ids);
  yield* shown(ids.stats());
  yield* shown(ids.inspect(id));
  yield* [ids.toText(id), ids.generateText('hex')];
  for (const parts of inspect(id, { secret: OURS, oldSecrets: [OLD, new Uint8Array(OLD)] })) yield* shown(parts);
  clock.advance(-5000);
  yield* errorOf(() => ids.generate());
  yield* errorOf(() => ids.fromText('not ours'));
  const wrong = [
    ...[Buffer.concat([OURS, OURS]), OURS.subarray(0, 9), OURS.toString('latin1'), OURS.toString('hex'), [OURS], [...OURS]],
    ...[new Set([OURS]), BigInt(`0x${OURS.toString('hex')}`), OURS.buffer, new DataView(OURS.buffer), { secret: OURS }],
  ];
  for (const secret of wrong) {
    yield* errorOf(() => new Randflake({ node: 9, secret }));
    yield* errorOf(() => inspect(id, { secret }));
    yield* errorOf(() => inspect(id, { secret: OURS, oldSecrets: [OLD, secret] }));
  }
  yield* errorOf(() => inspect(id, { secret: OURS, oldSecrets: new Array(20).fill(OLD) }));
  yield* errorOf(() => inspect(id, { secret: OURS, oldSecrets: OLD }));
  yield* errorOf(() => inspect(id, { oldSecrets: [OLD] }));
  yield* errorOf(() => new Randflake({ node: 2 ** 17, secret: OURS }));
  yield* errorOf(() => new Randflake({ node: 1, secret: OURS, rollback: 'jump' }));
  yield* errorOf(() => new Randflake({ node: 1, secret: OURS, clock: OURS }));
  yield* errorOf(() => new Randflake({ node: 1, secret: OURS, [OURS.length]: OURS }));
}

test('Node shows a secret nowhere: not in a generator, its IDs or its errors', () => {
  const hidden = [OURS, OLD].flatMap(forms);
  let count = 0;
  for (const text of everything()) {
    count += 1;
    assert.equal(typeof text, 'string');
    assert.equal(hidden.findIndex((form) => text.includes(form)), -1, 'a secret is shown');
  }
  assert.ok(count > 300, String(count));
  // Checks that the search itself works.
  for (const secret of [OURS, OLD, [...OURS], { deep: { secret: OLD } }, new Map([[1, OURS]])]) {
    assert.ok([...shown(secret)].some((text) => hidden.some((form) => text.includes(form))), picture(secret));
  }
});

for (const [index, under] of [OURS, OLD, THIRD].entries()) {
  test(`inspect shows which of several secrets fitted: ${index}`, () => {
    const ids = new Randflake({ node: 42, secret: under, clock: new ManualClock(NOW) });
    // With the wrong secrets these IDs have times from 2044 on, which stay implausible until then.
    const id = ids.compose({ timestampMs: NOW, node: 42, sequence: 21 });
    for (const given of [id, ids.toText(id)]) {
      const found = inspect(given, { secret: OURS, oldSecrets: [OLD, new Uint8Array(THIRD)], scheme: 'randflake' });
      assert.deepEqual([found[0].secretIndex, found[0].node, found[0].timestampMs], [index, 42, NOW]);
      assert.deepEqual(found.map(({ secretIndex }) => secretIndex).sort(), [0, 1, 2]);
    }
  });
}

test('inspect shows no index of a single secret', () => {
  for (const oldSecrets of [undefined, null, []]) {
    const found = inspect(4594531474933654033n, { secret: THIRD, oldSecrets, scheme: 'randflake' });
    assert.deepEqual(found.map(({ node, secretIndex }) => [node, secretIndex]), [[42, null]]);
  }
});

test('eight secrets can be tried', () => {
  const oldSecrets = Array.from({ length: 7 }, (_, number) => new Uint8Array(16).fill(number));
  const found = inspect(4594531474933654033n, { secret: THIRD, oldSecrets, scheme: 'randflake' });
  assert.equal(found.length, 8);
  assert.equal(found.find(({ secretIndex }) => secretIndex === 0).node, 42);
});
