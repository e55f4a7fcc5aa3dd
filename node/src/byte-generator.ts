import { bytes as bytesGiven, text } from './arguments.js';
import { bound, define } from './bound.js';
import type { ComposeParts, PartTaken } from './compose.js';
import { calling, visible } from './errors.js';
import type { Opened } from './generator-options.js';
import { Generator } from './generator.js';
import type * as Native from './native.js';
import type { Parts } from './parts.js';
import { isShared } from './realm.js';

/**
 * The base class of generators whose IDs are text, and can also be bytes, such as ULIDs, UUIDs and
 * ObjectIds.
 */
export abstract class ByteGenerator<
  Inspected extends Parts<string> = Parts<string>,
  Composed extends ComposeParts = ComposeParts,
> extends Generator<string, Uint8Array, Inspected, Composed> {
  readonly #native: Native.GeneratorFunctions;
  readonly #bytes: number;
  readonly #make: ReturnType<typeof byteMaker>;

  /** @internal */
  constructor(opened: object, parts: readonly PartTaken[]) {
    super(opened, parts);
    this.#native = (opened as Opened).functions;
    this.#bytes = this.#native.idBytes;
    this.#make = byteMaker(this, this.#native);
    // A subclass may override the method.
    const isOverridden = this.generateBytes !== ByteGenerator.prototype.generateBytes;
    define(this, isOverridden ? bound(this, ['generateBytes']) : this.#make);
  }

  /**
   * Makes an ID as bytes, the highest first: 16 for 128 bits, 12 for 96 bits.
   *
   * @throws {@link SaibanError} as {@link Generator.generate}.
   * @example
   * ```ts
   * import { Uuid } from 'saiban';
   * console.log(new Uuid({ version: 4 }).generateBytes().length); // 16
   * ```
   */
  generateBytes(): Uint8Array {
    return this.#make.generateBytes();
  }

  /**
   * The bytes of an ID, the highest first: 16 for 128 bits, 12 for 96 bits.
   *
   * @throws {@link SaibanError} the kinds that begin with `TEXT_`; `ID_OUT_OF_RANGE` for a UUID of
   * another version.
   * @example
   * ```ts
   * import { ObjectId } from 'saiban';
   * console.log(new ObjectId().toBytes('507f191e810c19729de860ea')[0]); // 80
   * ```
   */
  toBytes(id: string): Uint8Array {
    const [subject, made] = [text(id, 'id'), new Uint8Array(this.#bytes)];
    calling(() => this.#native.toBytes?.(subject, made));
    return made;
  }

  /**
   * The ID of these bytes, the highest first: 16 for 128 bits, 12 for 96 bits.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for another number of bytes; `ID_OUT_OF_RANGE`
   * for a UUID of another version.
   * @example
   * ```ts
   * import { ObjectId } from 'saiban';
   * console.log(new ObjectId().fromBytes(new Uint8Array(12))); // 000000000000000000000000
   * ```
   */
  fromBytes(bytes: Uint8Array): string {
    const given = bytesGiven(bytes, 'bytes');
    // Other threads may share the memory of the given bytes. A Buffer's slice is no copy.
    const own = isShared(given.buffer) ? new Uint8Array(given) : given;
    return calling(() => this.#native.fromBytes?.(own)) as string;
  }
}

/**
 * Returns the function of a generator that makes an ID as bytes. It needs no `this`, and is faster
 * than a method.
 */
function byteMaker(ids: ByteGenerator, { generateBytes: make, idBytes }: Native.GeneratorFunctions): { generateBytes: () => Uint8Array } {
  if (make === undefined) {
    return {
      generateBytes: () => {
        const made = new Uint8Array(idBytes);
        ids.fill(made);
        return made;
      },
    };
  }
  const { slot } = make;
  return {
    generateBytes: () => {
      try {
        make();
      } catch (error) {
        throw visible(error);
      }
      // This is faster than slice(), and than set() into a new array.
      return new Uint8Array(slot);
    },
  };
}
