import { type Integer, integer } from './arguments.js';
import { ErrorCode } from './error-code.js';
import { SaibanError } from './errors.js';

/** PostgreSQL's unique_violation, SQLite's (better-sqlite3), MySQL's (mysql2), Prisma's. */
const CODES = new Set([
  '23505',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'SQLITE_CONSTRAINT_ROWID',
  'ER_DUP_ENTRY',
  'ER_DUP_ENTRY_WITH_KEY_NAME',
  'P2002',
]);
/** The same of node:sqlite, which has numbers. */
const SQLITE = new Set([2067, 1555, 2579]);

/**
 * Whether this is a database's error for a row whose key, or other unique value, is there already.
 *
 * It knows pg, postgres.js, better-sqlite3, node:sqlite, mysql2 and Prisma, and errors that have one of theirs as their `cause`. Errors of other
 * constraints are none.
 */
export function isUniqueConflict(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, errcode, cause } = error as { code?: unknown; errcode?: unknown; cause?: unknown };
  if (CODES.has(code as string) || SQLITE.has(errcode as number)) return true;
  return cause !== error && isUniqueConflict(cause);
}

/** What may be chosen of an insert that is tried again. */
export interface InsertOptions {
  /** How many IDs are tried, at least 1; 5 by default. */
  attempts?: Integer | undefined;
  /** Which errors are conflicts, where {@link isUniqueConflict} does not know them. */
  isConflict?: ((error: unknown) => boolean) | undefined;
}

function checked({ attempts, isConflict }: InsertOptions): { attempts: number; isConflict: (error: unknown) => boolean } {
  const wanted = attempts === undefined || attempts === null ? 5n : integer(attempts, 'attempts');
  if (wanted < 1n) throw new SaibanError(ErrorCode.INVALID_ARGUMENT, `attempts is ${wanted}: give 1 or more`);
  return { attempts: Number(wanted), isConflict: isConflict ?? isUniqueConflict };
}

/**
 * Makes an ID and inserts it; where the table has one like it, another, and so on, `attempts` times in all. For IDs that are unique by chance, or for one
 * partition of a table only: tick IDs, UUID v4, short codes. No error but such a conflict is tried again.
 *
 * Within a transaction a statement that fails may take the transaction with it (PostgreSQL): let `insert` begin a savepoint, and roll back to it where it
 * fails.
 *
 * @param generate - Makes an ID; it may answer a promise.
 * @param insert - Inserts it.
 * @returns What `insert` answers.
 * @throws The error of the last conflict when all attempts met one; every other error as it is.
 * @example
 * ```ts
 * import { TickId, insertUnique } from 'saiban';
 * const ids = new TickId({ order: 'descending' });
 * const table = new Set<string>();
 * const insert = async (key: string) => {
 *   if (table.has(key)) throw Object.assign(new Error('duplicate key'), { code: '23505' });
 *   table.add(key);
 * };
 * await insertUnique(() => ids.generate(), insert);
 * console.log(table.size); // 1
 * ```
 */
export async function insertUnique<Id, Inserted>(
  generate: () => Id | Promise<Id>,
  insert: (id: Id) => Inserted | Promise<Inserted>,
  insertOptions: InsertOptions = {},
): Promise<Inserted> {
  const { attempts, isConflict } = checked(insertOptions);
  for (let attempt = 1; ; attempt += 1) {
    const id = await generate();
    try {
      return await insert(id);
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error;
    }
  }
}

/**
 * The same for clients that answer at once, better-sqlite3 and node:sqlite.
 *
 * @throws As {@link insertUnique}.
 */
export function insertUniqueSync<Id, Inserted>(
  generate: () => Id,
  insert: (id: Id) => Inserted,
  insertOptions: InsertOptions = {},
): Inserted {
  const { attempts, isConflict } = checked(insertOptions);
  for (let attempt = 1; ; attempt += 1) {
    const id = generate();
    try {
      return insert(id);
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error;
    }
  }
}
