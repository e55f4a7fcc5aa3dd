/**
 * IDs in Prisma: extensions of the client that generate IDs, and that read them as text.
 *
 * @packageDocumentation
 */

import { type IdFormat, IdTexts } from './texts.js';

export type { IdFormat, IdFormatOptions } from './texts.js';

/** Generates an ID: `ids.generateAsync`. */
export type Generate = () => bigint | string | Promise<bigint | string>;

/** The fields of models that are generated, by the names of the client: `{ order: { id: … } }`. */
export type GeneratedFields = Readonly<Record<string, Readonly<Record<string, Generate>>>>;

/** The argument that Prisma passes to a function of a query extension. */
interface Query {
  readonly args: any;
  query(args: any): Promise<any>;
}

/** The functions of a query extension that create rows. */
type CreatingFunctions = {
  [Name in 'create' | 'createMany' | 'createManyAndReturn' | 'upsert']: (query: Query) => Promise<any>;
};

/** An extension for `$extends`, which generates IDs. */
export interface GeneratingExtension<Fields extends GeneratedFields> {
  readonly name: string;
  readonly query: { [Model in keyof Fields]: CreatingFunctions };
}

/**
 * Returns an extension for `$extends` that generates the IDs of new rows: in `create`,
 * `createMany`, `createManyAndReturn` and `upsert`, for fields that have no value. The extension
 * does not generate IDs in nested writes (`items: { create: … }`): give these rows their IDs.
 *
 * In the schema, give the field `@default(dbgenerated())`, so that Prisma's types do not require
 * a value: `id BigInt @id @default(dbgenerated())`.
 *
 * @param fields - The function that generates each field, by model and field.
 * @example
 * ```ts
 * import { Snowflake } from 'saiban';
 * import { generateIds } from 'saiban/prisma';
 * const ids = new Snowflake({ node: 7 });
 * const extension = generateIds({ order: { id: ids.generateAsync } });
 * // const prisma = new PrismaClient({ adapter }).$extends(extension);
 * // const order = await prisma.order.create({ data: { note: 'two tickets' } });
 * console.log(Object.keys(extension.query)); // [ 'order' ]
 * ```
 */
export function generateIds<const Fields extends GeneratedFields>(fields: Fields): GeneratingExtension<Fields> {
  const query = mapped(fields, (generators): CreatingFunctions => {
    const filled = async (row: Record<string, unknown>) => {
      const made = { ...row };
      for (const [field, generate] of Object.entries(generators)) {
        if (made[field] === undefined) made[field] = await generate();
      }
      return made;
    };
    const create = async ({ args, query }: Query) => query({ ...args, data: await filled(args.data) });
    const createMany = async ({ args, query }: Query) => {
      const rows: Record<string, unknown>[] = [];
      for (const row of Array.isArray(args.data) ? args.data : [args.data]) rows.push(await filled(row));
      return query({ ...args, data: rows });
    };
    const upsert = async ({ args, query }: Query) => query({ ...args, create: await filled(args.create) });
    return { create, createMany, createManyAndReturn: createMany, upsert };
  });
  return { name: 'saiban: generate IDs', query: query as { [Model in keyof Fields]: CreatingFunctions } };
}

/** A field that is read as text. */
export type TextField = IdFormat | NullableField;

/** A field that is read as text, or is `null`. */
export interface NullableField {
  /** The format of the IDs. */
  readonly format: IdFormat;
  /** Whether the field can be `null`. This option only changes the field's TypeScript type. */
  readonly nullable: true;
}

/** The fields of models that are read as text, by the names of the client. */
export type TextFields = Readonly<Record<string, Readonly<Record<string, TextField>>>>;

/** A field of a result extension. */
interface ComputedField<Field extends PropertyKey, Value> {
  readonly needs: { [Name in Field]: true };
  compute(row: any): Value;
}

/** An extension for `$extends`, which reads IDs as text. */
export interface TextExtension<Fields extends TextFields> {
  readonly name: string;
  readonly result: {
    [Model in keyof Fields]: {
      [Field in keyof Fields[Model]]: ComputedField<Field, Fields[Model][Field] extends NullableField ? string | null : string>;
    };
  };
}

/**
 * Returns an extension for `$extends` with which results have the text of IDs instead of bigints,
 * so that `JSON.stringify` accepts them. Arguments of queries are values of the column: bigints for
 * a `BigInt` column. `new IdTexts(format).read(text)` converts a text to such a value.
 *
 * Without this extension, results have bigints, and `idReplacer` writes them in JSON.
 *
 * @param fields - The format of each field, by model and field; for a field that can be `null`,
 * `{ format, nullable: true }`.
 * @throws {@link SaibanError} as the constructor of `IdTexts`.
 * @example
 * ```ts
 * import { idsAsText } from 'saiban/prisma';
 * const customer = { format: 'snowflake', nullable: true } as const;
 * const extension = idsAsText({ order: { id: 'snowflake', customer } });
 * // const prisma = new PrismaClient({ adapter }).$extends(extension);
 * console.log(extension.result.order.id.compute({ id: 2125041057055170561n })); // 2125041057055170561
 * console.log(extension.result.order.customer.compute({ customer: null })); // null
 * ```
 */
export function idsAsText<const Fields extends TextFields>(fields: Fields): TextExtension<Fields> {
  const result = mapped(fields, (ofModel) =>
    mapped(ofModel, (given, field) => {
      const texts = new IdTexts(isNullable(given) ? given.format : given);
      const compute = (row: Record<string, unknown>) => {
        const value = row[field];
        if (value === null || value === undefined) return null;
        // A column of a scheme with bigints can also hold text.
        return texts.write((texts.areText ? value : texts.read(value)) as bigint);
      };
      return { needs: { [field]: true }, compute };
    }),
  );
  return { name: 'saiban: IDs as text', result: result as unknown as TextExtension<Fields>['result'] };
}

function isNullable(field: TextField): field is NullableField {
  return typeof field === 'object' && 'format' in field;
}

/** Returns an object with the same names and other values. */
function mapped<Value, Made>(
  object: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value, name)]));
}
