// The README's lines of Node, as a program.
import { Snowflake } from "saiban";

const ids = new Snowflake({ node: 7 });    // node 7, which must be ours alone
const id = ids.generate();                 // bigint
console.log(id, ids.generateText("base62"), ids.inspect(id).time);
