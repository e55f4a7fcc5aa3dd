import { Generator } from './generator.js';
import type { Parts } from './parts.js';

/** What {@link Ulid}, {@link Uuid} and {@link ObjectId} have in common: IDs that are text, and bytes too. */
export abstract class ByteGenerator<Inspected extends Parts<string> = Parts<string>> extends Generator<
  string,
  Uint8Array,
  Inspected
> {
  readonly #bytes: number;

  /** @internal */
  constructor(functions: object, idBytes: number) {
    super(functions, idBytes, true);
    this.#bytes = idBytes;
  }

  /**
   * Makes an ID, as bytes, the highest first: 16, of an ObjectId 12.
   *
   * @throws {@link SaibanError} as {@link Generator.generate}.
   * @example
   * ```ts
   * import { Uuid } from 'saiban';
   * console.log(new Uuid({ version: 4 }).generateBytes().length); // 16
   * ```
   */
  generateBytes(): Uint8Array {
    const made = new Uint8Array(this.#bytes);
    this.fill(made);
    return made;
  }

  /**
   * The bytes of an ID, the highest first: 16, of an ObjectId 12.
   *
   * @throws {@link SaibanError} the kinds that begin with `TEXT_`; `ID_OUT_OF_RANGE` for a UUID of another version.
   * @example
   * ```ts
   * import { ObjectId } from 'saiban';
   * console.log(new ObjectId().toBytes('507f191e810c19729de860ea')[0]); // 80
   * ```
   */
  toBytes(id: string): Uint8Array {
    return this.idBytes(id);
  }

  /**
   * The ID of these bytes, the highest first: 16, of an ObjectId 12.
   *
   * @throws {@link SaibanError} `INVALID_ARGUMENT` for other than so many bytes; `ID_OUT_OF_RANGE` for a UUID of another version.
   * @example
   * ```ts
   * import { ObjectId } from 'saiban';
   * console.log(new ObjectId().fromBytes(new Uint8Array(12))); // 000000000000000000000000
   * ```
   */
  fromBytes(bytes: Uint8Array): string {
    return this.ofBytes(bytes);
  }
}
