// Bad input: the right kind of error, a message with the limits, and no crash.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import {
  ErrorCode,
  Flake,
  Layout,
  ManualClock,
  ObjectId,
  Randflake,
  SaibanError,
  SaibanTypeError,
  SharedCounter,
  Snowflake,
  TickId,
  Ulid,
  UlidFlake,
  Uuid,
  Xid,
  decode,
  encode,
  inspect,
} from 'saiban';
import { IdTexts } from 'saiban/texts';

const require = createRequire(import.meta.url);
/** The native half and its error conversion, which the package does not export. */
const native = (() => {
  const folder = new URL('../native/', import.meta.url);
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.node'));
  return require(new URL(file, folder).pathname);
})();
const { calling } = require('../dist/errors.js');
const NOW = 1_763_700_000_000;
const secret = Buffer.from('dffd6021bb2bd5b0af676290809ec3a5', 'hex');
const manual = (ms = NOW) => new ManualClock(ms);
const snowflake = (options = {}) => new Snowflake({ node: 7, clock: manual(), ...options });
const randflake = (options = {}) => new Randflake({ node: 42, secret, clock: manual(), ...options });
const ulidFlake = (options = {}) => new UlidFlake({ clock: manual(), ...options });

/** Checks that a call throws this kind of error, with a message that matches. */
function refuses(name, code, message, call, position) {
  test(`${code}: ${name}`, async () => {
    let error;
    try {
      await call();
    } catch (caught) {
      error = caught;
    }
    assert.ok(error, 'nothing was thrown');
    assert.equal(error.code, code, error.message);
    assert.equal(error instanceof SaibanTypeError, code === 'WRONG_TYPE');
    assert.equal(error instanceof TypeError, code === 'WRONG_TYPE');
    assert.equal(error instanceof SaibanError, code !== 'WRONG_TYPE');
    assert.ok(error instanceof Error);
    assert.equal(error.name, code === 'WRONG_TYPE' ? 'SaibanTypeError' : 'SaibanError');
    assert.match(error.message, message);
    assert.equal(error.position, position);
    // The generator and the process continue.
    assert.equal(typeof snowflake().generate(), 'bigint');
  });
}

test('every error kind of the core has its code here, with an equal number', () => {
  const kinds = native.errorKinds();
  assert.ok(kinds.length >= 44);
  assert.deepEqual(Object.keys(ErrorCode), kinds.map(({ name }) => name));
  assert.deepEqual(Object.values(ErrorCode), Object.keys(ErrorCode));
  for (const { name, number } of kinds) assert.equal(new SaibanError(name, '').number, number);
});

// The secret, the node, the window
for (const length of [0, 15, 17, 32]) {
  refuses(`a secret of ${length} bytes`, 'INVALID_SECRET', new RegExp(`${length} bytes.*16`), () =>
    randflake({ secret: new Uint8Array(length) }),
  );
}
refuses('a secret of inspect', 'INVALID_SECRET', /3 bytes.*16/, () => inspect(1n, { secret: new Uint8Array(3) }));
refuses('neither node nor nodes', 'NODE_REQUIRED', /0 to 1023/, () => new Snowflake());
refuses('neither node nor nodes', 'NODE_REQUIRED', /0 to 131071/, () => new Randflake({ secret }));
for (const node of [-1, 1024, 2n ** 70n, -(2n ** 70n), Number.MAX_SAFE_INTEGER]) {
  refuses(`node ${node}`, 'NODE_OUT_OF_RANGE', /nodes 0 to 1023/, () => snowflake({ node }));
}
refuses('node 131072', 'NODE_OUT_OF_RANGE', /nodes 0 to 131071/, () => randflake({ node: 131_072 }));
refuses('scalability 32', 'NODE_OUT_OF_RANGE', /0 to 31/, () => ulidFlake({ scalability: 32 }));
for (const nodes of [[5, 5], [6, 5], [-1, 3], [1020, 1025]]) {
  refuses(`nodes ${nodes}`, 'NODE_OUT_OF_RANGE', /0 to 1023/, () => snowflake({ node: undefined, nodes }));
}
refuses('node and nodes', 'INVALID_ARGUMENT', /both/, () => snowflake({ nodes: [0, 4] }));
refuses('a node for Ulid-Flake', 'INVALID_ARGUMENT', /scalability/, () => ulidFlake({ node: 1 }));
for (const window of [[NOW, NOW], [NOW + 1, NOW], [0, NOW], [NOW, 2n ** 63n - 1n], [NOW, 2n ** 80n]]) {
  refuses(`window ${window}`, 'INVALID_WINDOW', /start < end/, () => snowflake({ window }));
}
refuses('milliseconds for seconds', 'INVALID_WINDOW', /start < end/, () => randflake({ window: [NOW, NOW + 1000] }));
for (const maxWaitMs of [-1, Number.NaN, -Infinity]) {
  refuses(`maxWaitMs ${maxWaitMs}`, 'INVALID_ARGUMENT', /maxWaitMs/, () => snowflake({ maxWaitMs }));
}
refuses('entropySize 0', 'INVALID_ENTROPY_SIZE', /1 to 3/, () => ulidFlake({ entropySize: 0 }));
refuses('entropySize 3, scalable', 'INVALID_ENTROPY_SIZE', /1 to 2/, () => ulidFlake({ entropySize: 3, scalability: 1 }));

// Clocks, restarts and shards
refuses('an unknown policy', 'UNKNOWN_NAME', /jump.*hold, error or bits/, () => snowflake({ rollback: 'jump' }));
refuses('an unknown scope', 'UNKNOWN_NAME', /scope.*thread.*process or machine/, () => snowflake({ scope: 'thread' }));
refuses("the scope machine with a clock of one's own", 'STATE_UNAVAILABLE', /scope "machine".*give scope "process"/, () =>
  randflake({ scope: 'machine' }),
);
refuses('the policy bits without bits', 'INVALID_LAYOUT', /withRollbackBits/, () => snowflake({ rollback: 'bits' }));
refuses('the policy bits for Randflake', 'INVALID_LAYOUT', /no rollback field/, () => randflake({ rollback: 'bits' }));
refuses('the policy bits for Ulid-Flake', 'INVALID_LAYOUT', /no rollback field/, () => ulidFlake({ rollback: 'bits' }));
for (const shards of [0, 5, -1, 2n ** 80n]) {
  refuses(`${shards} shards of four nodes`, 'NODE_OUT_OF_RANGE', /shards .*1 to 4/, () =>
    snowflake({ node: undefined, nodes: [8, 12], shards }),
  );
}
refuses('two shards of a node', 'NODE_OUT_OF_RANGE', /2 shards .*1 to 1/, () => randflake({ shards: 2 }));
for (const maxJumpS of [0, -1, -(2n ** 80n)]) {
  refuses(`maxJumpS ${maxJumpS}`, 'INVALID_ARGUMENT', /maxJumpS is below 1/, () => ulidFlake({ maxJumpS }));
}
// Core's argument names become those of this package; the user's text does not change.
refuses('a size of entropy', 'INVALID_ENTROPY_SIZE', /^entropySize 9 /, () => ulidFlake({ entropySize: 9 }));
refuses('parts of a UUID', 'INVALID_ARGUMENT', /^timestampMs is missing, which IDs of uuid-v7 have: give it$/, () =>
  new Uuid().compose({ random: 1 }));
refuses('nanoseconds', 'INVALID_ARGUMENT', /^submillisecondNs are/, () =>
  snowflake().compose({ timestampMs: NOW, submillisecondNs: -1, node: 1, sequence: 1 }),
);
refuses('a window that has not begun', 'LEASE_NOT_BEGUN', /allow a longer wait \(maxWaitMs\).* an earlier notBefore/, () =>
  snowflake({ window: [NOW + 10, NOW + 20] }).generate(),
);
refuses('a name that core has, too', 'UNKNOWN_NAME', /"not_before"/, () => snowflake({ rollback: 'not_before' }));
refuses('its JSON', 'INVALID_LAYOUT', /epoch_ms and tick_us/, () => Layout.fromJson('{"fields":[],"timestamp_ms":0}'));
for (const [ids, parts] of [
  [snowflake(), { node: 0, sequence: 0 }],
  [randflake(), { node: 0, sequence: 0, time: null }],
  [ulidFlake(), { random: 0, timestampMs: null }],
  [new Flake({ layout: Layout.MASTODON }), {}],
  [new Ulid(), { random: 0 }],
  [new ObjectId(), { node: 0, sequence: 0 }],
  [new TickId(), { random: 0, submillisecondNs: 5 }],
]) {
  refuses(`no time for ${ids.scheme}`, 'INVALID_ARGUMENT', /^the time is missing: give timestampMs or time$/, () =>
    ids.compose(parts),
  );
}
refuses('nothing left after notBefore', 'INVALID_WINDOW', /start < end/, () => snowflake({ notBefore: 2n ** 80n }));
refuses('a window over by notBefore', 'INVALID_WINDOW', /\[1730000020, 1730000020\)/, () =>
  randflake({ window: [1_730_000_010, 1_730_000_020], notBefore: 1_730_000_019 }),
);

test('NODE_IN_USE: the same nodes in other shards', () => {
  const first = new Snowflake({ nodes: [920, 930], shards: 2 });
  assert.throws(() => new Snowflake({ nodes: [920, 930] }), { code: 'NODE_IN_USE' });
  assert.equal(new Snowflake({ nodes: [920, 930], shards: 2 }).stats().issued, 0);
  assert.equal(typeof first.generate(), 'bigint');
});

test('NODE_IN_USE: overlapping nodes of two generators on the system clock', () => {
  const first = new Snowflake({ nodes: [900, 910] });
  assert.throws(() => new Snowflake({ node: 905 }), { code: 'NODE_IN_USE' });
  assert.equal(typeof first.generate(), 'bigint');
});

// Layouts
const fields = [['unused', 1], ['timestamp', 41], ['node', 10], ['sequence', 12]];
refuses('widths of 15', 'INVALID_LAYOUT', /15 bits.*16 to 128/, () => new Layout([['timestamp', 15]]));
refuses('widths of 129', 'INVALID_LAYOUT', /129 bits.*16 to 128/, () => new Layout([['timestamp', 48], ['random', 81]]));
refuses('a negative width', 'INVALID_LAYOUT', /"unused".*1 to 127/, () => new Layout([['unused', -1], ...fields.slice(1)]));
refuses('a huge width', 'INVALID_LAYOUT', /"unused".*1 to 127/, () => new Layout([['unused', 2n ** 80n], ...fields.slice(1)]));
refuses('no timestamp', 'INVALID_LAYOUT', /no timestamp/, () => new Layout([['node', 32], ['sequence', 32]]));
refuses('a tick of 0', 'INVALID_LAYOUT', /tick/, () => new Layout(fields, { tickUs: 0 }));
refuses('a tick below 0', 'INVALID_LAYOUT', /tick/, () => new Layout(fields, { tickUs: -1000 }));
refuses('an unknown field', 'UNKNOWN_NAME', /timestamp, node/, () => new Layout([['nodes', 64]]));
refuses('an unknown preset', 'UNKNOWN_NAME', /twitter .*discord/, () => Layout.preset('friendica'));
refuses('a layout without node', 'INVALID_LAYOUT', /Snowflake/, () =>
  snowflake({ layout: new Layout([['unused', 1], ['timestamp', 43], ['random', 20]]) }),
);
for (const bits of [0, 5, -1, 10, 2n ** 80n]) {
  refuses(`${bits} rollback bits`, 'INVALID_LAYOUT', /bits: give 1 to 4/, () => Layout.TWITTER.withRollbackBits(bits));
}
refuses('rollback bits twice', 'INVALID_LAYOUT', /twice/, () => Layout.TWITTER.withRollbackBits(1).withRollbackBits(1));
refuses('a node of more than 53 bits in a Snowflake', 'INVALID_ARGUMENT', /53 bits.*use Flake/, () => {
  const layout = new Layout([['timestamp', 4], ['node', 56], ['sequence', 4]]);
  return snowflake({ layout, clock: manual(0) }).inspect(2n ** 59n);
});
refuses('an epoch of more than 53 bits', 'INVALID_ARGUMENT', /53 bits/, () =>
  new Layout([['timestamp', 40], ['node', 16]], { epochMs: 2n ** 60n }).epochMs,
);

// Time
refuses('a clock before 1970', 'CLOCK_UNAVAILABLE', /0 to/, () => manual(-1));
refuses('a clock set past 2554', 'CLOCK_UNAVAILABLE', /0 to/, () => manual().set(2n ** 62n));
refuses('a clock advanced before 1970', 'CLOCK_UNAVAILABLE', /0 to/, () => manual(5).advance(-6));
refuses('a clock before the epoch', 'TIMESTAMP_BEFORE_EPOCH', /epoch/, () => snowflake({ clock: manual(1) }).generate());
refuses('a clock past the layout', 'TIMESTAMP_OVERFLOW', /last/, () => snowflake({ clock: manual(4e12) }).generate());
refuses('a negative time', 'TIMESTAMP_BEFORE_EPOCH', /epoch/, () =>
  snowflake().compose({ timestampMs: -1, node: 0, sequence: 0 }),
);
refuses('a time too late', 'TIMESTAMP_OVERFLOW', /last/, () =>
  randflake().compose({ timestampMs: 2_803_741_824_000, node: 0, sequence: 0 }),
);
refuses('a clock far back', 'CLOCK_BACKWARD', /10 s behind/, () => {
  const clock = manual();
  const ids = snowflake({ clock });
  ids.fill(new BigInt64Array(4096));
  clock.advance(-10_000);
  ids.generate();
});
refuses('a used-up tick, and a clock that never waits', 'WOULD_WAIT', /wait/, () => {
  const ids = snowflake();
  assert.equal(ids.fill(new BigInt64Array(5000)), 4096);
  assert.equal(ids.tryGenerate(), null);
  ids.generate();
});
refuses('the same, asynchronously', 'WOULD_WAIT', /wait/, async () => {
  const ids = snowflake();
  ids.fill(new BigInt64Array(4096));
  await ids.generateAsync();
});
refuses('a window over', 'LEASE_EXPIRED', /ended/, () => snowflake({ window: [NOW - 10, NOW] }).generate());
refuses('a window not begun', 'LEASE_NOT_BEGUN', /may begin at/, () => snowflake({ window: [NOW + 60_000, NOW + 70_000] }).generate());
refuses('a window over, in seconds', 'LEASE_EXPIRED', /ended/, () =>
  randflake({ window: [NOW / 1000 - 10, NOW / 1000] }).generate(),
);
refuses('a window over, asynchronously', 'LEASE_EXPIRED', /ended/, () =>
  snowflake({ window: [NOW - 10, NOW] }).generateAsync(),
);

// Parts
refuses('sequence 4096', 'SEQUENCE_OUT_OF_RANGE', /0 to 4095/, () =>
  snowflake().compose({ timestampMs: NOW, node: 0, sequence: 4096 }),
);
for (const rollback of [1, -1, 2n ** 80n]) {
  refuses(`rollback ${rollback} without bits`, 'ROLLBACK_OUT_OF_RANGE', /0 to 0/, () =>
    snowflake().compose({ timestampMs: NOW, node: 0, sequence: 0, rollback }),
  );
}
refuses('rollback 4 of two bits', 'ROLLBACK_OUT_OF_RANGE', /rollback 4 .*0 to 3/, () =>
  snowflake({ layout: Layout.TWITTER.withRollbackBits(2) }).compose({ timestampMs: NOW, node: 0, sequence: 0, rollback: 4 }),
);
refuses('nine secrets', 'INVALID_ARGUMENT', /at most 8/, () => inspect(1n, { secret, oldSecrets: new Array(8).fill(secret) }));
refuses('old secrets alone', 'INVALID_ARGUMENT', /give the newest of them as secret/, () => inspect(1n, { oldSecrets: [secret] }));
refuses('an old secret of 15 bytes', 'INVALID_SECRET', /15 bytes.*16/, () =>
  inspect(1n, { secret, oldSecrets: [secret, new Uint8Array(15)] }),
);
refuses('a node to compose', 'NODE_OUT_OF_RANGE', /0 to 1023/, () =>
  snowflake().compose({ timestampMs: NOW, node: 1024, sequence: 0 }),
);
refuses('random 2^20', 'RANDOM_OUT_OF_RANGE', /0 to 1048575/, () =>
  ulidFlake().compose({ timestampMs: NOW, random: 2 ** 20 }),
);
refuses('an ID below 0', 'ID_OUT_OF_RANGE', /snowflake/, () => snowflake().inspect(-1n));
refuses('an ID of 65 bits', 'ID_OUT_OF_RANGE', /64-bit/, () => randflake().toText(2n ** 64n));
refuses('an ID of 64 bits, unsigned', 'ID_OUT_OF_RANGE', /64-bit/, () => randflake().inspect(2n ** 63n));
refuses('a value of 65 bits', 'ID_OUT_OF_RANGE', /64-bit/, () => encode(-(2n ** 63n) - 1n, 'hex'));
refuses('any ID of 65 bits', 'ID_OUT_OF_RANGE', /64-bit/, () => inspect(2n ** 64n));
refuses('too many IDs', 'INVALID_ARGUMENT', /10000000/, () => snowflake().generateMany(10_000_001));
refuses('less than no IDs', 'INVALID_ARGUMENT', /10000000/, () => snowflake().generateMany(-1));
refuses('a part beyond 2^53', 'INVALID_ARGUMENT', /53 bits/, () =>
  snowflake({ layout: new Layout([['timestamp', 1], ['node', 62], ['sequence', 1]]), clock: manual(0), node: 1 }).inspect(2n ** 62n),
);

// Text
refuses('a bad character', 'TEXT_CHARACTER', /'!' \(position 12/, () => randflake().fromText('3vgoe12ccb8g!'), 12);
refuses('a bad character past others beyond ASCII', 'TEXT_CHARACTER', /position 2/, () => decode('ab€', 'hex'), 2);
refuses('half a surrogate pair', 'TEXT_CHARACTER', /position 1/, () => decode('a\ud83d', 'hex'), 1);
refuses('upper case', 'TEXT_NOT_CANONICAL', /position 1/, () => randflake().fromText('3VGOE12CCB8GH'), 1);
refuses('leading zeros', 'TEXT_NOT_CANONICAL', /position 0/, () => decode('00ff', 'hex'), 0);
refuses('no text', 'TEXT_LENGTH', /0 characters/, () => snowflake().fromText(''));
refuses('much text', 'TEXT_LENGTH', /1000000 characters/, () => ulidFlake().fromText('0'.repeat(1_000_000)));
refuses('text of 65 bits', 'TEXT_OVERFLOW', /64 bits/, () => randflake().fromText('vvvvvvvvvvvvv'));
refuses('text of 64 bits for Ulid-Flake', 'TEXT_OVERFLOW', /./, () => ulidFlake().fromText('8000000000000'));
refuses('text to inspect', 'TEXT_CHARACTER', /position/, () => inspect('00CMXB6TAK4S!'), 12);
refuses('a negative value of 32 bits', 'ID_OUT_OF_RANGE', /^numbers of 32 bits are unsigned .*: give 0 or more, below 2\^32$/, () =>
  encode(-1, 'hex', { bits: 32 }),
);
refuses('a huge value of 96 bits', 'ID_OUT_OF_RANGE', /below 2\^96/, () => encode(2n ** 130n, 'hex', { bits: 96 }));
refuses('a negative ID of 32 bits', 'ID_OUT_OF_RANGE', /32 bits are unsigned/, () => inspect(-1n, { bits: 32 }));
refuses('a huge step of a clock', 'CLOCK_UNAVAILABLE', /cannot be moved by 1180591620717411303424 ms/, () =>
  new ManualClock(0).advance(2n ** 70n),
);
refuses('an unknown encoding', 'UNKNOWN_NAME', /crockford/, () => encode(1n, 'base85'));
refuses('an unknown encoding of a generator', 'UNKNOWN_NAME', /crockford/, () => snowflake().generateText('base85'));
refuses('an unknown scheme', 'UNKNOWN_NAME', /snowflake, randflake/, () => inspect(1n, { scheme: 'nanoid' }));
refuses('a width too small', 'WIDTH_OUT_OF_RANGE', /needs 3/, () => encode(4095, 'hex', { width: 2 }));
for (const width of [0, 17, -1, 2n ** 80n]) {
  refuses(`width ${width}`, 'WIDTH_OUT_OF_RANGE', /1 to 16/, () => encode(1, 'hex', { width }));
}

// Types
const wrong = {
  'a string for a node': [/node is a string: give an integer/, () => snowflake({ node: '7' })],
  'a fraction for a node': [/node is a number that is no integer/, () => snowflake({ node: 1.5 })],
  'a boolean for a node': [/node is a boolean/, () => snowflake({ node: true })],
  'text for a secret': [/secret is a string: give a Buffer/, () => randflake({ secret: 'dffd6021bb2bd5b0af676290809ec3a5' })],
  'no secret': [/secret is undefined/, () => new Randflake({ node: 1 })],
  'no options': [/options object of Randflake is undefined: give an object with any of node, .*secret/, () => new Randflake()],
  'a misspelt option': [/no option "nod": give node, nodes/, () => new Snowflake({ nod: 7 })],
  'a misspelt option of a constructor with a store': [
    /no option "nod": give (?!.*\b(?:store|namespace)\b).*lease, layout$/,
    () => new Snowflake({ nod: 7 }),
  ],
  'a misspelt option of a scheme without nodes': [
    /^Ulid has no option "prefx": give window, notBefore, rollback, clock, maxJumpS, maxWaitMs, prefix$/,
    () => new Ulid({ prefx: 'order' }),
  ],
  'a misspelt option of UUIDs': [/give version, window, .*, prefix$/, () => new Uuid({ versoin: 4 })],
  'a misspelt option of Ulid-Flake': [
    /give scalability, (?!.*\b(?:node|nodes|store)\b).*scope, lease$/,
    () => ulidFlake({ scalabilty: 4 }),
  ],
  'no options of a scheme without nodes': [
    /^the options object of Xid is null: give an object with any of window, (?!.*node)/,
    () => new Xid(null),
  ],
  'a misspelt option of a counter': [
    /^SharedCounter has no option "stp": give (?!.*gapless).*waitS, start, step$/,
    () => new SharedCounter('memory:misspelt', { stp: 1 }),
  ],
  'an array of options': [/give an object/, () => new Snowflake([7])],
  'a number of options': [/give an object/, () => new Snowflake(7)],
  'a number for nodes': [/nodes is an integer: give an array/, () => snowflake({ node: undefined, nodes: 4 })],
  'three nodes': [/nodes is an object \(Array\)/, () => snowflake({ node: undefined, nodes: [1, 2, 3] })],
  'a date for a window': [/window\[0\] is an object \(Date\)/, () => snowflake({ window: [new Date(), NOW] })],
  'a date for a clock': [/clock is an object \(Date\)/, () => snowflake({ clock: new Date() })],
  'a name for a layout': [/layout is a string: give a Layout/, () => snowflake({ layout: 'twitter' })],
  'text for a wait': [/maxWaitMs is a string/, () => snowflake({ maxWaitMs: '5' })],
  'a number for a policy': [/rollback is an integer: give a string/, () => snowflake({ rollback: 1 })],
  'a boolean for a scope': [/scope is a boolean: give a string/, () => snowflake({ scope: true })],
  'text for shards': [/shards is a string: give an integer/, () => snowflake({ shards: '4' })],
  'shards of Ulid-Flake': [/UlidFlake has no option "shards": give scalability/, () => ulidFlake({ shards: 4 })],
  'a URL for a path': [/state is an object \(URL\): give a string/, () => snowflake({ state: new URL('file:///ids') })],
  'bytes for a path': [/state is an object \(Buffer\): give a string/, () => snowflake({ state: Buffer.from('ids') })],
  'a date for notBefore': [/notBefore is an object \(Date\)/, () => snowflake({ notBefore: new Date() })],
  'a fraction for maxJumpS': [/maxJumpS is a number that is no integer/, () => snowflake({ maxJumpS: 1.5 })],
  'text for rollback bits': [/bits is a string/, () => Layout.TWITTER.withRollbackBits('2')],
  'text for a rollback': [
    /rollback is a string: give an integer/,
    () => snowflake().compose({ timestampMs: NOW, node: 0, sequence: 0, rollback: '1' }),
  ],
  'a rollback for Randflake': [
    /compose has no option "rollback"/,
    () => randflake().compose({ timestampMs: NOW, node: 0, sequence: 0, rollback: 0 }),
  ],
  'one old secret for a list': [/oldSecrets is an object \(Buffer\): give an array/, () => inspect(1n, { secret, oldSecrets: secret })],
  'text for an old secret': [/oldSecrets\[1\] is a string: give a Buffer/, () => inspect(1n, { secret, oldSecrets: [secret, '00'] })],
  'no old secret in a list': [/oldSecrets\[0\] is undefined/, () => inspect(1n, { secret, oldSecrets: new Array(2 ** 32 - 1) })],
  'text for a time': [/timestampMs is a string/, () => new ManualClock('now')],
  'nothing for a time': [/timestampMs is undefined/, () => new ManualClock()],
  'an unsafe number for an ID that may be text': [
    /^id is the number 1152921504606847000, beyond Number\.MAX_SAFE_INTEGER \(9007199254740991\), /,
    () => snowflake().inspect(2 ** 60),
  ],
  'an unsafe number for an ID of any scheme': [
    /lose digits: give a bigint, or the ID's text$/,
    () => inspect(2 ** 53),
  ],
  'an unsafe number for an ID that is to be text': [
    /^id is the number 9007199254740992, beyond .*: give a bigint$/,
    () => snowflake().toText(2 ** 53),
  ],
  'an unsafe number for an ID that only text can be': [
    /^id is an integer: give a string$/,
    () => new Ulid().toText(2 ** 53),
  ],
  'an unsafe number for an ID to read that only text can be': [
    /^id is an integer: give a string$/,
    () => new IdTexts('ulid').read(2 ** 53),
  ],
  'an unsafe number for an ID to write': [
    /^id is the number 9007199254740992, beyond .*: give a bigint$/,
    () => new IdTexts('snowflake').write(2 ** 53),
  ],
  'an unsafe number for an ID to read': [
    /^id is the number 9007199254740992, beyond .*: give a bigint, or the ID's text$/,
    () => new IdTexts('snowflake').read(2 ** 53),
  ],
  'an unsafe number for the start of a range': [
    /^start is the number 9007199254740992, .*: give a Date, or Unix milliseconds as a bigint$/,
    () => snowflake().range(2 ** 53, NOW),
  ],
  'an unsafe number for milliseconds': [
    /^timestampMs is the number 1\.76e\+21, .*: give Unix milliseconds as a bigint, or a Date as time$/,
    () => new Ulid().compose({ timestampMs: 1.76e21, random: 1 }),
  ],
  'an unsafe number for the time of a clock': [
    /^timestampMs is the number 9007199254740992, .*: give a bigint$/,
    () => manual(2 ** 53),
  ],
  'an unsafe number for a count': [
    /^count is the number 9007199254740992, .*: give a bigint$/,
    () => snowflake().generateMany(2 ** 53),
  ],
  'an unsafe number for a part of a node': [
    /^node\.host is the number 9007199254740992, .*: give a bigint$/,
    () => snowflake().compose({ timestampMs: NOW, node: { host: 2 ** 53 }, sequence: 0 }),
  ],
  'an unsafe number for a value': [
    /^value is the number 9007199254740992, .*: give a bigint$/,
    () => encode(2 ** 53, 'hex'),
  ],
  'an unsafe negative number': [
    /beyond Number\.MIN_SAFE_INTEGER \(-9007199254740991\), /,
    () => encode(-(2 ** 53), 'hex'),
  ],
  'an unsafe number for a node': [
    /^node is the number 9007199254740992, .*: give a bigint$/,
    () => snowflake({ node: 2 ** 53 }),
  ],
  'an unsafe number among nodes': [
    /nodes\[1\] .*lose digits/,
    () => snowflake({ nodes: [0, Number.MAX_VALUE] }),
  ],
  'an unsafe number for a random part': [
    /random .*lose digits: give a bigint/,
    () => ulidFlake().compose({ timestampMs: NOW, random: 2 ** 60 }),
  ],
  'a fraction for an ID that may be text': [
    /no integer: give a bigint or text$/,
    () => snowflake().inspect(1.5),
  ],
  'text for a value': [/^value is a string: give a bigint$/, () => encode('1', 'hex')],
  'text for the start of a range': [
    /^start is a string: give a Date, or Unix milliseconds as an integer$/,
    () => snowflake().range('2025-01-01', new Date(NOW)),
  ],
  'seconds with a fraction for the end of a range': [
    /^end is a number that is no integer: give a Date, or/,
    () => snowflake().range(0, 1.5),
  ],
  'an invalid date for a range': [
    /^end is an invalid Date: give a Date, or Unix/,
    () => snowflake().range(NOW, new Date('soon')),
  ],
  'an invalid date for a time': [
    /^time is an invalid Date: give/,
    () => new Ulid().compose({ time: new Date('soon'), random: 1 }),
  ],
  'a date for milliseconds': [
    /^timestampMs is an object \(Date\): give Unix milliseconds as an integer, or a Date as time$/,
    () => new Ulid().compose({ timestampMs: new Date(), random: 1 }),
  ],
  'text for an ID': [/id is a string: give a bigint/, () => snowflake().toText('1')],
  'null for an ID': [/id is null/, () => snowflake().inspect(null)],
  'an ID for text': [/text is a bigint: give a string/, () => snowflake().fromText(1n)],
  'a symbol for text': [/text is a symbol/, () => decode(Symbol('x'), 'hex')],
  'a number for an encoding': [/encoding is an integer/, () => encode(1n, 16)],
  'a buffer of another type': [/ids is an object \(BigUint64Array\)/, () => snowflake().fill(new BigUint64Array(4))],
  'an array for a buffer': [/ids is an object \(Array\)/, () => snowflake().fill([0n])],
  'text for a count': [/count is a string/, () => snowflake().generateMany('10')],
  'no parts': [/compose is undefined/, () => snowflake().compose()],
  'half the parts': [/sequence is undefined/, () => snowflake().compose({ timestampMs: NOW, node: 1 })],
  'an object for fields': [/fields is an object/, () => new Layout({ node: 64 })],
  'a field without a width': [/fields\[0\]/, () => new Layout([['node']])],
};
for (const [name, [message, call]] of Object.entries(wrong)) refuses(name, 'WRONG_TYPE', message, call);

test('WRONG_TYPE: a misspelt option of open, which suggests no option that a lease replaces', async () => {
  await assert.rejects(Snowflake.open({ stor: 'memory:' }), {
    code: 'WRONG_TYPE',
    message:
      'Snowflake.open has no option "stor": give shards, rollback, clock, maxJumpS, maxWaitMs, prefix, scope, store, namespace, layout',
  });
  await assert.rejects(UlidFlake.open({ stor: 'memory:' }), { message: /give entropySize, epochMs, (?!.*(?:node|lease|scalability))/ });
});

test('WRONG_TYPE: a method of another object', () => {
  assert.throws(() => Snowflake.prototype.generate.call({}), TypeError);
  assert.throws(() => Snowflake({ node: 7 }), TypeError);
});

test('INTERNAL: a panic does not cross, and the process lives', () => {
  for (const call of [() => native.panics(), native.panics('closure'), native.panics('raw')]) {
    assert.throws(() => calling(call), (error) => {
      assert.ok(error instanceof SaibanError);
      assert.equal(error.code, 'INTERNAL');
      assert.match(error.message, /a defect of saiban, please report it: .*(?:at once|later)/);
      return true;
    });
  }
});

test('WRONG_TYPE: values that the native half cannot convert', () => {
  for (const call of [
    () => native.encode('1', 'hex'),
    () => native.encode(1n, 16),
    () => native.decode(1n, 'hex', undefined, false),
    () => new native.ManualClock('now'),
    () => native.generator('snowflake', { layout: {} }, {}),
    () => native.generator('snowflake', {}, {}, {}),
    () => native.generator('snowflake', {}, {}, undefined, {}),
    () => native.inspect(Symbol('id')),
  ]) {
    assert.throws(() => calling(call), SaibanTypeError);
  }
});
