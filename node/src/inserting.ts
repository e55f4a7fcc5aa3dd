import { type Integer, integer } from './arguments.js';
import { ErrorCode } from './error-code.js';
import { SaibanError } from './errors.js';

/** Error codes of unique violations: PostgreSQL, better-sqlite3, MySQL (mysql2), Prisma. */
const CODES = new Set([
  '23505',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_ROWID',
  'ER_DUP_ENTRY',
  'ER_DUP_ENTRY_WITH_KEY_NAME',
  'P2002',
]);
/** Error numbers of unique violations in node:sqlite. */
const SQLITE = new Set([2067, 1555, 2579]);

/**
 * Returns whether this is a database's error for a duplicate key or other unique value.
 *
 * It recognises errors of pg, postgres.js, better-sqlite3, node:sqlite, mysql2 and Prisma, also
 * wrapped by Drizzle. Errors of other constraints are not conflicts, nor is another error with a
 * conflict as its `cause`.
 */
export function isUniqueConflict(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errcode, cause } = error as { code?: unknown; errcode?: unknown; cause?: unknown };
  if (CODES.has(code as string) || SQLITE.has(errcode as number)) return true;
  return error.constructor?.name === 'DrizzleQueryError' && cause !== error && isUniqueConflict(cause);
}

/** The options of every insert that is retried. */
interface TriedAgain {
  /** The number of IDs to try, at least 1; 5 by default. */
  attempts?: Integer | undefined;
  /** Decides which errors are conflicts, if {@link isUniqueConflict} does not recognise them. */
  isConflict?: ((error: unknown) => boolean) | undefined;
}

/** The options of {@link insertUnique}. */
export interface InsertOptions extends TriedAgain {
  /**
   * For a transaction, which a failed statement would abort (PostgreSQL). Either the client of the
   * transaction (pg, mysql2/promise), on which each insert then has its own savepoint; or a
   * function that runs an insert in a savepoint, such as `(insert) => tx.transaction(insert)` for
   * Drizzle and Knex.
   */
  savepoint?: SavepointClient | (<T>(insert: () => Promise<T>) => Promise<T>) | undefined;
}

/** The options of {@link insertUniqueSync}. */
export interface InsertSyncOptions extends TriedAgain {
  /**
   * For a transaction, a function that runs an insert in a savepoint, such as `(insert) =>
   * db.transaction(insert)()` for better-sqlite3.
   */
  savepoint?: (<T>(insert: () => T) => T) | undefined;
}

/** A client with one connection, which begins savepoints and rolls back to them. */
export interface SavepointClient {
  /** Runs this statement. */
  query(sql: string): Promise<unknown>;
}

function checked({ attempts, isConflict }: TriedAgain): { attempts: bigint; isConflict: (error: unknown) => boolean } {
  const wanted = attempts === undefined || attempts === null ? 5n : integer(attempts, 'attempts');
  if (wanted < 1n) throw new SaibanError(ErrorCode.INVALID_ARGUMENT, `attempts is ${wanted}: give 1 or more`);
  return { attempts: wanted, isConflict: isConflict ?? isUniqueConflict };
}

/** Sets the cause of an error, if it can have one and has none. */
function explain(error: unknown, cause: unknown): void {
  if (typeof error !== 'object' || error === null || error === cause || (error as { cause?: unknown }).cause !== undefined) return;
  // Like the constructors of errors. A frozen error does not change.
  Reflect.defineProperty(error, 'cause', { value: cause, writable: true, configurable: true });
}

/**
 * Thrown if an insert failed, and so did the rollback to its savepoint. The transaction is lost,
 * and perhaps the connection, so a retry is impossible.
 */
class Lost {
  /** The error to throw: the insert's, with the rollback's as its cause. */
  readonly error: unknown;

  constructor(error: unknown, failure: unknown) {
    explain(error, failure);
    const isObject = typeof error === 'object' && error !== null;
    this.error = isObject ? error : new AggregateError([error, failure], 'an insert failed, and its savepoint could not be rolled back');
  }
}

/**
 * Returns the conflict if another ID is to be tried. Throws the last conflict, and every other
 * error, with the conflict before it as its cause.
 */
function surmountable(error: unknown, before: unknown, isConflict: (error: unknown) => boolean, isLast: boolean): unknown {
  if (error instanceof Lost) throw error.error;
  const isOne = isConflict(error);
  if (isOne && !isLast) return error;
  if (!isOne && before !== undefined) explain(error, before);
  throw error;
}

/**
 * Numbers the savepoints, so that inserts can nest: in MySQL a new savepoint replaces an earlier
 * one with its name.
 */
let savepoints = 0;

/** Runs an insert in a savepoint of the client's transaction. */
async function inSavepoint<T>(client: SavepointClient, insert: () => Promise<T>): Promise<T> {
  savepoints += 1;
  const name = `saiban_insert_${savepoints}`;
  await client.query(`SAVEPOINT ${name}`);
  let inserted: T;
  try {
    inserted = await insert();
  } catch (error) {
    try {
      await client.query(`ROLLBACK TO SAVEPOINT ${name}`);
      await client.query(`RELEASE SAVEPOINT ${name}`);
    } catch (failure) {
      throw new Lost(error, failure);
    }
    throw error;
  }
  await client.query(`RELEASE SAVEPOINT ${name}`);
  return inserted;
}

/**
 * Makes an ID and inserts it. If the table already has the ID, it makes and inserts another one, at
 * most `attempts` times in all. It is for IDs that are unique by chance, or only in one partition
 * of a table: tick IDs, UUID v4, short codes. Other errors are not retried.
 *
 * @param generate - Makes an ID; it may return a promise.
 * @param insert - Inserts it.
 * @returns The result of `insert`.
 * @throws The error of the last conflict if all attempts met one; every other error as it is, with
 * the conflict before it as its `cause` if it has none; {@link SaibanError} `INVALID_ARGUMENT` for
 * attempts below 1. If `savepoint` is a client that cannot roll back, the insert's error, of any
 * kind, with the rollback's error as its `cause`.
 * @example
 * ```ts
 * import { TickId, insertUnique } from 'saiban';
 * const ids = new TickId({ order: 'descending' });
 * const table = new Set<string>();
 * const insert = async (key: string) => {
 *   if (table.has(key)) throw Object.assign(new Error('duplicate key'), { code: '23505' });
 *   table.add(key);
 * };
 * await insertUnique(ids.generate, insert);
 * console.log(table.size); // 1
 * ```
 */
export async function insertUnique<Id, Inserted>(
  generate: () => Id | Promise<Id>,
  insert: (id: Id) => Inserted | Promise<Inserted>,
  insertOptions: InsertOptions = {},
): Promise<Inserted> {
  const { attempts, isConflict } = checked(insertOptions);
  const { savepoint } = insertOptions;
  let conflict: unknown;
  for (let attempt = 1n; ; attempt += 1n) {
    const id = await generate();
    const once = async () => insert(id);
    try {
      if (savepoint === undefined || savepoint === null) return await once();
      return await (typeof savepoint === 'function' ? savepoint(once) : inSavepoint(savepoint, once));
    } catch (error) {
      conflict = surmountable(error, conflict, isConflict, attempt === attempts);
    }
  }
}

/**
 * The synchronous version, for better-sqlite3 and node:sqlite.
 *
 * @throws As {@link insertUnique}.
 * @example
 * ```ts
 * import { Counter, insertUniqueSync } from 'saiban';
 * const table = new Set([1n, 2n]);
 * const insert = (id: bigint) => {
 *   if (table.has(id)) throw Object.assign(new Error('UNIQUE constraint failed'), { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
 *   return id;
 * };
 * const counter = new Counter();
 * console.log(insertUniqueSync(() => counter.generate(), insert)); // 3n
 * ```
 */
export function insertUniqueSync<Id, Inserted>(
  generate: () => Id,
  insert: (id: Id) => Inserted,
  insertOptions: InsertSyncOptions = {},
): Inserted {
  const { attempts, isConflict } = checked(insertOptions);
  const { savepoint } = insertOptions;
  let conflict: unknown;
  for (let attempt = 1n; ; attempt += 1n) {
    const id = generate();
    try {
      return savepoint ? savepoint(() => insert(id)) : insert(id);
    } catch (error) {
      conflict = surmountable(error, conflict, isConflict, attempt === attempts);
    }
  }
}
