/**
 * IDs in the rows of Knex.
 *
 * @packageDocumentation
 */

import { options } from './arguments.js';
import { COLUMN_OPTIONS, ColumnIds, type ColumnOptions } from './columns.js';
import type { IdFormat } from './texts.js';

export type { ColumnOptions } from './columns.js';
export type { IdFormat, IdFormatOptions } from './texts.js';

/**
 * Returns a function for Knex's option `postProcessResponse`, which reads the IDs of all rows:
 * bigints from `BIGINT` columns, or their text. You can also call this function with the result of
 * one query. Knex writes bigints without a helper.
 *
 * The driver must return bigints or text, which for better-sqlite3 is
 * `options: { safeIntegers: true }`. Otherwise reading an ID above 2^53 is an error.
 *
 * @param formats - The format of the IDs of each column, by its name in rows. Other columns do not
 * change.
 * @param columnOptions - `column: 'text'` for columns of text, `text: true` for text in rows, such
 * as for JSON.
 * @throws {@link SaibanError} as the constructor of `IdTexts`; `INVALID_ARGUMENT` for a column of
 * bigints and a scheme whose IDs are text.
 * @example
 * ```ts
 * import knex from 'knex';
 * import { idRows } from 'saiban/knex';
 * const postProcessResponse = idRows({ id: 'snowflake' }, { text: true });
 * const connection = { filename: ':memory:', options: { safeIntegers: true } };
 * const db = knex({ client: 'better-sqlite3', connection, useNullAsDefault: true, postProcessResponse });
 * await db.schema.createTable('orders', (table) => table.bigInteger('id').primary());
 * await db('orders').insert({ id: 2125041057055170561n });
 * console.log(JSON.stringify(await db('orders'))); // [{"id":"2125041057055170561"}]
 * await db.destroy();
 * ```
 */
export function idRows(
  formats: Readonly<Record<string, IdFormat>>,
  columnOptions: ColumnOptions = {},
): <Result>(result: Result) => Result {
  const given = options(columnOptions, 'idRows', COLUMN_OPTIONS);
  const columns = Object.entries(formats).map(([name, format]) => [name, new ColumnIds(format, given)] as const);
  const convert = (row: unknown) => {
    if (typeof row !== 'object' || row === null) return;
    const values = row as Record<string, unknown>;
    for (const [name, ids] of columns) {
      const value = values[name];
      if (value !== undefined && value !== null) values[name] = ids.fromDriver(value);
    }
  };
  return (result) => {
    if (Array.isArray(result)) result.forEach(convert);
    else convert(result);
    return result;
  };
}
