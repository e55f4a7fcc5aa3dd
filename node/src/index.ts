/**
 * saiban (採番, "handing out numbers"): IDs that are unique across machines without asking a database each time.
 *
 * @packageDocumentation
 */

export type { Integer } from './arguments.js';
export { ManualClock } from './clock.js';
export { type DecodeOptions, type EncodeOptions, type Encoding, decode, encode } from './encoding.js';
export { ErrorCode } from './error-code.js';
export { SaibanError, SaibanTypeError } from './errors.js';
export type { GeneratorOptions, NodeOptions, Rollback } from './generator-options.js';
export { type FromTextOptions, Generator, type NodeParts } from './generator.js';
export { type InspectOptions, inspect } from './inspect.js';
export { type FieldName, Layout, type LayoutName, type LayoutOptions } from './layout.js';
export type { Parts, Scheme } from './parts.js';
export { Randflake, type RandflakeOptions } from './randflake.js';
export { Snowflake, type SnowflakeOptions, type SnowflakeParts } from './snowflake.js';
export type { Guarantee, Stats } from './stats.js';
export { UlidFlake, type UlidFlakeOptions, type UlidFlakeParts } from './ulid-flake.js';
