// Runs in every test runner, where saiban's JavaScript may be in another realm than its native
// half. Errors keep their classes, arguments may come from any realm, and results belong to this
// realm. runners.test.mjs adds the lines that load `saiban` and `vm`; `test` and `expect` are the
// runner's.

const NOW = 1_763_700_000_000;
const { ManualClock, SaibanError, SaibanTypeError, Snowflake, Uuid } = saiban;
const snowflake = (options = {}) =>
  new Snowflake({ node: 7, clock: new ManualClock(NOW), ...options });
const later = () => snowflake({ window: [NOW + 10, NOW + 20] });

/** Returns the error that a call throws, or with which its promise is rejected. */
async function thrown(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** An error from every exit of the native half. Messages contain JavaScript's option names. */
const ERRORS = {
  'a constructor': ['NODE_OUT_OF_RANGE', /1024/, () => snowflake({ node: 1024 })],
  'a function': ['TEXT_CHARACTER', /position 1/, () => saiban.decode('f!', 'hex')],
  generate: ['LEASE_NOT_BEGUN', /\bmaxWaitMs\b.*\bnotBefore\b/, () => later().generate()],
  tryGenerate: ['LEASE_NOT_BEGUN', /\bmaxWaitMs\b/, () => later().tryGenerate()],
  generateAsync: ['WOULD_WAIT', /wait/, () => later().generateAsync()],
  fill: ['LEASE_NOT_BEGUN', /\bmaxWaitMs\b/, () => later().fill(new BigInt64Array(1))],
  compose: ['INVALID_ARGUMENT', /\btimestampMs\b/, () => new Uuid().compose({ random: 1 })],
  'Lease.acquire': [
    'INVALID_ARGUMENT',
    /\bttlS\b.*\bmaxTtlS\b/,
    () => saiban.Lease.acquire('memory:', { ttlS: 7200 }),
  ],
};

for (const [way, [code, message, call]] of Object.entries(ERRORS)) {
  test(`an error of ${way} is a SaibanError`, async () => {
    const error = await thrown(call);
    expect([error.name, error.code]).toEqual(['SaibanError', code]);
    expect(error).toBeInstanceOf(SaibanError);
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toMatch(message);
  });
}

test('an error of the wrong type is a SaibanTypeError', async () => {
  const error = await thrown(() => snowflake({ node: '7' }));
  expect([error.name, error.code]).toEqual(['SaibanTypeError', 'WRONG_TYPE']);
  expect(error).toBeInstanceOf(SaibanTypeError);
  expect(error).toBeInstanceOf(TypeError);
});

/** Makes a value in this file's realm, in Node's realm, and in a new one. */
const REALMS = {
  'this realm': (code) => new Function(`return ${code}`)(),
  "Node's realm": (code) => vm.runInThisContext(code),
  'a new realm': (code) => vm.runInNewContext(code),
};

for (const [realm, made] of Object.entries(REALMS)) {
  test(`a Date of ${realm} is a time`, () => {
    const time = made(`new Date(${NOW})`);
    expect(snowflake().range(time, made(`new Date(${NOW + 1})`))).toEqual(
      snowflake().range(NOW, NOW + 1),
    );
    const parts = { node: 1, sequence: 2 };
    expect(snowflake().compose({ time, ...parts })).toBe(
      snowflake().compose({ timestampMs: NOW, ...parts }),
    );
  });

  test(`a BigInt64Array of ${realm} is filled`, () => {
    const ids = made('new BigInt64Array(3)');
    expect(snowflake().fill(ids)).toBe(3);
    expect(snowflake().inspect(ids[2]).sequence).toBe(2);
  });

  test(`a Uint8Array of ${realm} is filled, read and a secret`, () => {
    const bytes = made('new Uint8Array(16)');
    expect(new Uuid().fill(bytes)).toBe(1);
    const id = new Uuid().fromBytes(bytes);
    expect(saiban.inspect(bytes, { secret: made('new Uint8Array(16)') })[0].id).toBe(id);
    expect(saiban.uuidToGuidBytes(saiban.uuidFromGuidBytes(bytes))).toEqual(new Uint8Array(bytes));
    expect(
      new saiban.Randflake({ node: 1, secret: bytes, clock: new ManualClock(NOW) }).scheme,
    ).toBe('randflake');
  });

  test(`objects and arrays of ${realm} are options`, () => {
    const ids = new Snowflake(
      Object.assign(made('({ nodes: [4, 6] })'), { clock: new ManualClock(NOW) }),
    );
    expect(ids.inspect(ids.generate()).node).toBe(4);
    expect(new saiban.Layout(made("[['timestamp', 44], ['random', 20]]")).sizeBits).toBe(64);
  });
}

test('what is returned is of this realm', async () => {
  const arrays = [
    snowflake().generateMany(2),
    new Uuid().generateMany(2),
    snowflake().range(NOW, NOW + 1),
    saiban.inspect(1n),
    saiban.candidates(1n),
    saiban.candidates(1n)[0].reasons,
    saiban.Layout.TWITTER.places,
    saiban.Layout.TWITTER.fields,
  ];
  for (const array of arrays) expect(array).toBeInstanceOf(Array);
  expect(new saiban.Counter().generateMany(2)).toBeInstanceOf(BigInt64Array);
  expect(await new saiban.SharedCounter('memory:runners').generateMany(2)).toBeInstanceOf(
    BigInt64Array,
  );
  const { time, idBytes, nodeParts } = snowflake().inspect(snowflake().generate());
  expect(time).toBeInstanceOf(Date);
  expect(nodeParts).toBeInstanceOf(Object);
  for (const bytes of [
    idBytes,
    new Uuid().generateBytes(),
    saiban.uuidToGuidBytes(new Uuid().generate()),
  ]) {
    expect(bytes).toBeInstanceOf(Uint8Array);
  }
});
