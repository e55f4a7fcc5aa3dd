// A user's program in TypeScript with `require`.
import saiban = require('saiban');

const ids = new saiban.Snowflake({ node: 7, clock: new saiban.ManualClock(1_704_067_200_000n) });
const id: bigint = ids.generate();
const parts: saiban.Parts = ids.inspect(id);

/** `import` returns the same classes as `require`. */
async function main(): Promise<void> {
  const imported = await import('saiban');
  console.log('require', id, parts.node, imported.Snowflake === saiban.Snowflake);
}
void main();
