/**
 * IDs in schemas of Mongoose.
 *
 * @packageDocumentation
 */

import { wrong } from './arguments.js';
import { ByteGenerator } from './byte-generator.js';
import { type AnyGenerator, Generator, isTextOf } from './generator.js';
import type { ObjectIdGenerator } from './schemes.js';

/** The type and the default of a path in a Mongoose schema. */
export interface IdPath<Type extends 'ObjectId' | 'String' | 'BigInt'> {
  readonly type: Type;
  readonly default: () => any;
}

/** The type of the path for the IDs of a generator. */
export type IdPathType<Ids extends AnyGenerator> = Ids extends ObjectIdGenerator
  ? 'ObjectId'
  : Ids extends Generator<infer Id, any, any, any>
    ? Id extends bigint
      ? 'BigInt'
      : 'String'
    : never;

/**
 * Returns a path of a Mongoose schema whose default is a new ID of this generator: an `ObjectId`
 * for ObjectIds, a `BigInt` (BSON's 64-bit integer) for bigints, and a `String` for other texts.
 *
 * Mongoose writes an ObjectId as text in JSON. For a bigint, use `idReplacer`.
 *
 * @throws {@link SaibanTypeError} for a value that is not a generator.
 * @example
 * ```ts
 * import mongoose from 'mongoose';
 * import { ObjectId, Snowflake } from 'saiban';
 * import { idPath } from 'saiban/mongoose';
 * import { idReplacer } from 'saiban/texts';
 * const [ids, numbers] = [new ObjectId(), new Snowflake({ node: 7 })];
 * const Order = mongoose.model('Order', new mongoose.Schema({ _id: idPath(ids), number: idPath(numbers) }));
 * const order = new Order({ number: 2125041057055170561n });
 * console.log(ids.inspect(order.id).scheme, JSON.stringify(order, idReplacer('snowflake'))); // objectid {"number":"2125041057055170561","_id":"…"}
 * ```
 */
export function idPath<Ids extends AnyGenerator>(ids: Ids): IdPath<IdPathType<Ids>> {
  if (!(ids instanceof Generator)) throw wrong('ids', 'a generator', ids);
  return { type: pathType(ids) as IdPathType<Ids>, default: () => made(ids) };
}

function pathType(ids: AnyGenerator): 'ObjectId' | 'String' | 'BigInt' {
  if (ids.scheme === 'objectid') return 'ObjectId';
  return isTextOf(ids) ? 'String' : 'BigInt';
}

/** Makes an ID. An ObjectId has no prefix in MongoDB. */
function made(ids: AnyGenerator): unknown {
  if (ids.scheme !== 'objectid' || !(ids instanceof ByteGenerator)) return ids.generate();
  return Buffer.from(ids.generateBytes()).toString('hex');
}
