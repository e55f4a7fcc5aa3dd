// Runs in every test runner: fake timers do not stop generateAsync, whether saiban was loaded
// before or after. runners.test.mjs adds the lines that define `FAKES`, which replace the timers,
// `restore`, and `load`, which loads saiban again.

for (const [kind, fake] of Object.entries(FAKES)) {
  test(`generateAsync waits for a real timer under ${kind}`, async () => {
    const [real, last] = [setTimeout, Date.now() + 50];
    const before = load();
    fake();
    try {
      expect(setTimeout).not.toBe(real);
      for (const [{ Snowflake }, notBefore] of [
        [before, last],
        [load(), last + 50],
      ]) {
        const ids = new Snowflake({ node: 7, scope: 'process', notBefore });
        expect(ids.inspect(await ids.generateAsync()).timestampMs).toBeGreaterThan(notBefore);
      }
    } finally {
      restore();
    }
  });
}
