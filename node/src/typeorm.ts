/**
 * IDs in columns of TypeORM: a decorator, and a transformer.
 *
 * @packageDocumentation
 */

import { options, present } from './arguments.js';
import { COLUMN_OPTIONS, ColumnIds, type ColumnOptions, type ColumnValue } from './columns.js';
import type { IdFormat } from './texts.js';

export type { ColumnOptions, ColumnValue } from './columns.js';
export type { IdFormat, IdFormatOptions } from './texts.js';

/** A transformer of TypeORM: `to` is for the database, `from` for the program. */
export interface IdTransformer {
  to(value: any): any;
  from(value: any): any;
}

/**
 * Returns a transformer for a column of IDs, for TypeORM's option `transformer`. `null` stays
 * `null`.
 *
 * The driver must return bigints or text, which for better-sqlite3 is
 * `prepareDatabase: (database) => database.defaultSafeIntegers()`. Otherwise reading an ID above
 * 2^53 is an error.
 *
 * @param columnOptions - `column: 'text'` for a column of text, `text: true` for text in entities,
 * such as for JSON.
 * @throws {@link SaibanError} as the constructor of `IdTexts`; `INVALID_ARGUMENT` for a column of
 * bigints and a scheme whose IDs are text.
 * @example
 * ```ts
 * import { idTransformer } from 'saiban/typeorm';
 * const transformer = idTransformer('snowflake'); // Column({ type: 'bigint', transformer })
 * console.log(transformer.from('2125041057055170561'), transformer.from(null)); // 2125041057055170561n null
 * ```
 */
export function idTransformer(format: IdFormat, columnOptions: ColumnOptions = {}): IdTransformer {
  return transformerOf(new ColumnIds(format, options(columnOptions, 'idTransformer', COLUMN_OPTIONS)));
}

function transformerOf(ids: ColumnIds): IdTransformer {
  return {
    to: (value) => (value === undefined || value === null ? value : ids.toDriver(value)),
    from: (value) => (value === undefined || value === null ? value : ids.fromDriver(value)),
  };
}

/** The options of `IdColumn`: those of a column of IDs, and some of TypeORM's `Column`. */
export interface IdColumnOptions<Value = unknown> extends ColumnOptions {
  /**
   * Generates the ID of an entity that has none, when TypeORM inserts it:
   * `ids.generateAsync`. With `text: true`, the function can also return text. TypeORM does
   * not call the function for plain objects.
   */
  readonly generate?: (() => Value | Promise<Value>) | undefined;
  /** Whether the column is the primary key. */
  readonly primary?: boolean | undefined;
  /** Whether the column can be `NULL`. */
  readonly nullable?: boolean | undefined;
  /** Whether the column is unique. */
  readonly unique?: boolean | undefined;
  /** The name of the column in the database. */
  readonly name?: string | undefined;
}

/**
 * Returns a decorator of a property that is an ID: TypeORM's `Column`, with the type and the
 * transformer of IDs. The column is `BIGINT`; with `column: 'text'`, or for IDs that are text, the
 * column is `VARCHAR`.
 *
 * @throws {@link SaibanError} as {@link idTransformer}.
 * @example
 * ```ts
 * import { Snowflake } from 'saiban';
 * import { IdColumn } from 'saiban/typeorm';
 * import { DataSource, Entity } from 'typeorm';
 * const ids = new Snowflake({ node: 7 });
 *
 * @Entity()
 * class Order {
 *   @IdColumn('snowflake', { primary: true, generate: ids.generateAsync })
 *   id!: bigint;
 * }
 *
 * const prepareDatabase = (database: any) => database.defaultSafeIntegers();
 * const source = new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [Order], synchronize: true, prepareDatabase });
 * await source.initialize();
 * const order = await source.manager.save(new Order());
 * console.log(ids.inspect(order.id).node, (await source.manager.findOneBy(Order, { id: order.id }))?.id === order.id); // 7 true
 * ```
 */
export function IdColumn<const Format extends IdFormat, AsText extends boolean = false>(
  format: Format,
  idColumnOptions: IdColumnOptions<ColumnValue<Format, boolean>> & ColumnOptions<AsText> = {},
): PropertyDecorator {
  const { generate, ...given } = options(idColumnOptions, 'IdColumn', [...COLUMN_OPTIONS, ...ENTITY_OPTIONS]);
  const { column, text, ...others } = given;
  const ids = new ColumnIds(format, { column, text });
  const type = ids.holdsText ? 'varchar' : 'bigint';
  const columnOptions = present({ ...others, type, length: ids.length, transformer: transformerOf(ids) });
  return (entity, property) => {
    // Loads TypeORM here, because only programs that use TypeORM call the decorator.
    const { BeforeInsert, Column } = require('typeorm') as TypeOrm;
    Column(columnOptions)(entity, property);
    if (generate === undefined) return;
    // TypeORM calls listeners by the names of methods.
    const listener = `generate ${String(property)}`;
    const value = async function (this: Record<PropertyKey, unknown>) {
      this[property] ??= await generate();
    };
    Object.defineProperty(entity, listener, { value });
    BeforeInsert()(entity, listener);
  };
}

/** The names of the options of `IdColumn`, besides those of every column. */
const ENTITY_OPTIONS = ['generate', 'primary', 'nullable', 'unique', 'name'] as const;

/** The decorators of TypeORM. */
interface TypeOrm {
  BeforeInsert(): PropertyDecorator;
  Column(options: object): PropertyDecorator;
}
