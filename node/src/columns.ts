// IDs in columns of a database, for Drizzle, Knex and TypeORM.

import { flag, idOrText } from './arguments.js';
import { decode } from './encoding.js';
import { ErrorCode } from './error-code.js';
import { SaibanError, SaibanTypeError } from './errors.js';
import { type IdFormat, type IdOf, IdTexts } from './texts.js';

/** How a column and a program hold IDs. */
export interface ColumnOptions<AsText extends boolean = boolean> {
  /**
   * The type of the column: `'bigint'`, the default of schemes whose IDs are bigints, or `'text'`,
   * which holds the text of the format.
   */
  readonly column?: 'bigint' | 'text' | undefined;
  /** Whether the values in the program are the text of the format, and not bigints. */
  readonly text?: AsText | undefined;
}

/** The names of the options of a column. @internal */
export const COLUMN_OPTIONS = ['column', 'text'] as const;

/** The type of the values in the program. */
export type ColumnValue<Format extends IdFormat, AsText extends boolean> = AsText extends true ? string : IdOf<Format>;

/** The length of a column of text: the longest prefix, and the longest number. */
const TEXT_LENGTH = 96;

/** Converts the values of a column. @internal */
export class ColumnIds {
  readonly #texts: IdTexts;
  readonly #asText: boolean;
  /** Whether the column holds texts. */
  readonly holdsText: boolean;

  constructor(format: IdFormat, { column, text: asText }: ColumnOptions) {
    this.#texts = new IdTexts(format);
    this.#asText = flag(asText, 'text');
    if (column !== undefined && column !== 'bigint' && column !== 'text') {
      throw new SaibanError(ErrorCode.UNKNOWN_NAME, `column is ${JSON.stringify(column)}: give "bigint" or "text"`);
    }
    if (column === 'bigint' && this.#texts.areText) {
      const what = 'column is "bigint", but IDs of this scheme are text: give "text", or leave it out';
      throw new SaibanError(ErrorCode.INVALID_ARGUMENT, what);
    }
    this.holdsText = column === 'text' || this.#texts.areText;
  }

  /** The length of the column, if it holds texts. */
  get length(): number | undefined {
    return this.holdsText ? TEXT_LENGTH : undefined;
  }

  /** The type of the column in SQL. */
  get sqlType(): string {
    return this.holdsText ? `varchar(${TEXT_LENGTH})` : 'bigint';
  }

  /** Converts an ID, or the text of an ID, for the driver. */
  toDriver(value: unknown): bigint | string {
    const id = this.#texts.read(value);
    return this.holdsText ? this.#texts.write(id as bigint) : id;
  }

  /** Converts a value of the driver for the program. */
  fromDriver(value: unknown): bigint | string {
    const id = this.holdsText ? this.#texts.read(value) : bigintOf(value);
    return this.#asText || !this.holdsText ? this.#written(id) : id;
  }

  /** Checks an ID, and returns its text if the program wants text. */
  #written(id: bigint | string): bigint | string {
    const text = this.#texts.write(id as bigint);
    return this.#asText ? text : id;
  }
}

/** Returns the ID that a driver returned as a bigint, as a safe number, or as decimal text. */
function bigintOf(value: unknown): bigint {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new SaibanTypeError(
      `the driver returned an ID as the number ${value}, beyond Number.MAX_SAFE_INTEGER (${Number.MAX_SAFE_INTEGER}), ` +
        'where numbers lose digits: let the driver return bigints or text (better-sqlite3: ' +
        'database.defaultSafeIntegers(); mysql2: supportBigNumbers and bigNumberStrings), or use a column of text',
    );
  }
  const given = idOrText(value, 'the value of the driver');
  return typeof given === 'string' ? decode(given, 'decimal') : given;
}
