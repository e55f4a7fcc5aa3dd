// A million IDs from each generator with a clock that jumps both ways: no two are equal, and the
// only errors are waits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, Randflake, Snowflake, UlidFlake } from 'saiban';

const START = 1_763_700_000_000;
const COUNT = 1_000_000;
const generators = {
  Snowflake: (clock) => new Snowflake({ node: 7, clock }),
  Randflake: (clock) => new Randflake({ nodes: [0, 8], secret: new Uint8Array(16), clock }),
  UlidFlake: (clock) => new UlidFlake({ clock }),
  'UlidFlake, scalable': (clock) => new UlidFlake({ scalability: 31, clock }),
};

for (const [name, make] of Object.entries(generators)) {
  test(`${name}: a stepped clock never repeats an ID`, () => {
    const clock = new ManualClock(START);
    let latest = START;
    const ids = make(clock);
    const made = new BigInt64Array(COUNT);
    for (let written = 0, turn = 0; written < COUNT; turn += 1) {
      // The clock steps back by up to 30 s. If the generator must wait, the clock continues from
      // the latest time, so that the generator always catches up.
      if (turn % 100 === 0) clock.set(latest - Math.floor(Math.random() * 30_000));
      try {
        if (turn % 2 === 0) {
          written += ids.fill(made.subarray(written, written + 1 + (turn % 97)));
        } else {
          made[written] = ids.generate();
          written += 1;
        }
      } catch (error) {
        assert.ok(['WOULD_WAIT', 'CLOCK_BACKWARD'].includes(error.code), error);
        clock.set((latest += 1 + Math.floor(Math.random() * 2000)));
      }
    }
    made.sort();
    assert.equal(made.findIndex((id, index) => index > 0 && id === made[index - 1]), -1);
  });
}
