/**
 * saiban (採番, "handing out numbers"): IDs that are unique across machines, without a database
 * round trip for each ID.
 *
 * @privateRemarks
 * Imports of this folder go one way: `errors`, `arguments`, then what generators take and return
 * (`clock`, `compose`, `encoding`, `layout`, `lease`, `parts`, `generator-options`, `stats`),
 * `generator`, then `schemes` and `remote`.
 *
 * @packageDocumentation
 */

export type { Integer } from './arguments.js';
export { ByteGenerator } from './byte-generator.js';
export { ManualClock } from './clock.js';
export type { ComposeParts, Moment, NodeId, NodeParts } from './compose.js';
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
export {
  type DecodeOptions,
  type EncodeOptions,
  decode,
  encode,
  uuidFromGuidBytes,
  uuidToGuidBytes,
} from './encoding.js';
export { ErrorCode } from './error-code.js';
export { SaibanError, SaibanTypeError } from './errors.js';
export type {
  GeneratorOptions,
  LeaseOption,
  Leased,
  NoLease,
  NodeOptions,
  OpenOptions,
  OptionalNodes,
  OwnNodes,
  Rollback,
  Scope,
  ScopeOption,
  StoreOption,
  TimeOptions,
} from './generator-options.js';
export { type FromTextOptions, Generator, type IdArgument, type IdArray } from './generator.js';
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
  type Guarantee,
  Layout,
  type LayoutOptions,
  type Place,
  type Rate,
} from './layout.js';
export { Lease, type LeaseOptions, type LeaseState, type LeaseStatus } from './lease.js';
export type { Encoding, LayoutName, LeaseScheme, ReadLayoutName, Scheme } from './names.js';
export type { Parts, PartsJson, PartsLayout, TimedNodeParts, TimedParts } from './parts.js';
export { RemoteGenerator, type RemoteOptions, type RemoteStatus } from './remote.js';
export * from './schemes.js';
export type { Stats } from './stats.js';
