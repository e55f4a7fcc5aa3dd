/**
 * saiban (採番, "handing out numbers"): IDs that are unique across machines without asking a database each time.
 *
 * @packageDocumentation
 */

export type { Integer, Moment, NodeId } from './arguments.js';
export { ByteGenerator } from './byte-generator.js';
export { ManualClock } from './clock.js';
export {
  Counter,
  type CounterOptions,
  type CounterStatus,
  DailyCounter,
  type DailyCounterOptions,
  type DailyNumber,
  SharedCounter,
  type SharedCounterOptions,
  type StoreOptions,
} from './counter.js';
export { type DecodeOptions, type EncodeOptions, type Encoding, decode, encode } from './encoding.js';
export { ErrorCode } from './error-code.js';
export { SaibanError, SaibanTypeError } from './errors.js';
export { Flake, type FlakeOptions, type FlakeParts } from './flake.js';
export type { GeneratorOptions, LeaseOption, NoLease, NodeOptions, OwnNodes, Rollback, Scope, ScopeOption, TimeOptions } from './generator-options.js';
export { type FromTextOptions, Generator, type IdArgument, type IdArray, type NodeParts } from './generator.js';
export {
  type InsertOptions,
  type InsertSyncOptions,
  type SavepointClient,
  insertUnique,
  insertUniqueSync,
  isUniqueConflict,
} from './inserting.js';
export { type Candidate, type InspectOptions, type Reason, type ReasonName, candidates, inspect } from './inspect.js';
export {
  type Capacity,
  type Field,
  type FieldKind,
  type FieldOptions,
  Layout,
  type LayoutName,
  type LayoutOptions,
  type Place,
  type Rate,
} from './layout.js';
export { Lease, type LeaseOptions, type LeaseScheme, type LeaseState, type LeaseStatus } from './lease.js';
export { ObjectId, type ObjectIdOptions, type ObjectIdParts } from './object-id.js';
export type { Parts, PartsJson, PartsLayout, Scheme, TimedParts } from './parts.js';
export { Randflake, type RandflakeOptions } from './randflake.js';
export { RemoteGenerator, type RemoteOptions, type RemoteStatus } from './remote.js';
export { Snowflake, type SnowflakeOptions, type SnowflakeParts } from './snowflake.js';
export type { Guarantee, Stats } from './stats.js';
export { TickId, type TickIdOptions, type TickIdParts, type TickOrder } from './tick-id.js';
export { type LeasedScalability, type OwnScalability, UlidFlake, type UlidFlakeOptions, type UlidFlakeParts } from './ulid-flake.js';
export { Ulid, type UlidOptions, type UlidParts } from './ulid.js';
export { Uuid, type UuidOptions, type UuidParts, uuidFromGuidBytes, uuidToGuidBytes } from './uuid.js';
