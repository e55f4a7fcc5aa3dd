/**
 * IDs in columns of Drizzle: `BIGINT` or text, for PostgreSQL, MySQL and SQLite.
 *
 * @packageDocumentation
 */

import { options } from './arguments.js';
import { COLUMN_OPTIONS, ColumnIds, type ColumnOptions, type ColumnValue } from './columns.js';
import type { IdFormat } from './texts.js';

export type { ColumnOptions, ColumnValue } from './columns.js';
export type { IdFormat, IdFormatOptions } from './texts.js';

/** The argument of Drizzle's `customType`, for a column of IDs. */
export interface IdColumn<Value> {
  dataType(): string;
  toDriver(value: Value): bigint | string;
  fromDriver(value: unknown): Value;
}

/**
 * Returns the argument of Drizzle's `customType` for a column of IDs. The column is `BIGINT`; with
 * `column: 'text'`, or for IDs that are text, the column is `VARCHAR`. `$defaultFn` generates IDs.
 *
 * The driver must return bigints or text, which for better-sqlite3 is
 * `database.defaultSafeIntegers()`. Otherwise reading an ID above 2^53 is an error. Drizzle's
 * relational queries (`with`) read related rows as JSON numbers: for them, use `column: 'text'`.
 *
 * @param columnOptions - `column: 'text'` for a column of text, `text: true` for text in the
 * program, such as for JSON.
 * @throws {@link SaibanError} as the constructor of `IdTexts`; `INVALID_ARGUMENT` for a column of
 * bigints and a scheme whose IDs are text.
 * @example
 * ```ts
 * import Database from 'better-sqlite3';
 * import { drizzle } from 'drizzle-orm/better-sqlite3';
 * import { customType, sqliteTable } from 'drizzle-orm/sqlite-core';
 * import { Snowflake } from 'saiban';
 * import { idColumn } from 'saiban/drizzle';
 * const ids = new Snowflake({ node: 7 });
 * const snowflake = customType<{ data: bigint }>(idColumn('snowflake'));
 * const orders = sqliteTable('orders', { id: snowflake().primaryKey().$defaultFn(ids.generate) });
 *
 * const database = new Database(':memory:').defaultSafeIntegers();
 * database.exec('CREATE TABLE orders (id bigint PRIMARY KEY)');
 * const [order] = await drizzle(database).insert(orders).values({}).returning();
 * console.log(ids.inspect(order!.id).node); // 7
 * ```
 */
export function idColumn<const Format extends IdFormat, AsText extends boolean = false>(
  format: Format,
  columnOptions: ColumnOptions<AsText> = {},
): IdColumn<ColumnValue<Format, AsText>> {
  const ids = new ColumnIds(format, options(columnOptions, 'idColumn', COLUMN_OPTIONS));
  return {
    dataType: () => ids.sqlType,
    toDriver: (value) => ids.toDriver(value),
    fromDriver: (value) => ids.fromDriver(value) as ColumnValue<Format, AsText>,
  };
}
