import { ErrorCode, errorNumbers } from './error-code.js';
import { isError } from './realm.js';

/**
 * The error that saiban throws if a value, the clock or the state of a generator is wrong.
 *
 * `code` identifies the error; `message` says what was wrong, the limits, and what to do. Neither
 * contains a secret. Values of the wrong JavaScript type throw a {@link SaibanTypeError} instead.
 *
 * @example
 * ```ts
 * import { SaibanError, Snowflake } from 'saiban';
 * try {
 *   new Snowflake({ node: 1024 });
 * } catch (error) {
 *   if (!(error instanceof SaibanError)) throw error;
 *   console.log(error.code, error.number); // NODE_OUT_OF_RANGE 10
 * }
 * ```
 */
export class SaibanError extends Error {
  /** The kind of error: one of {@link ErrorCode}. */
  readonly code: ErrorCode;
  /** The kind's number, the same in all languages of saiban. */
  readonly number: number;
  /**
   * The position of the first bad character in the text, counted in code points from 0; absent for
   * other errors.
   */
  declare readonly position?: number;

  /** @internal */
  constructor(code: ErrorCode, message: string, position?: number) {
    super(message);
    this.code = code;
    this.number = errorNumbers[code];
    if (position !== undefined) this.position = position;
  }
}
Object.defineProperty(SaibanError.prototype, 'name', { value: 'SaibanError', configurable: true, writable: true });

/**
 * The error that saiban throws if a value has the wrong JavaScript type: a `TypeError` with `code`
 * `'WRONG_TYPE'`.
 *
 * A fractional number, `NaN` and an ID given as a number beyond `Number.MAX_SAFE_INTEGER` (which
 * has lost digits) are of the wrong type too.
 *
 * @example
 * ```ts
 * import { SaibanTypeError, encode } from 'saiban';
 * try {
 *   encode(2 ** 60, 'hex');
 * } catch (error) {
 *   console.log(error instanceof TypeError, error instanceof SaibanTypeError && error.code); // true WRONG_TYPE
 * }
 * ```
 */
export class SaibanTypeError extends TypeError {
  /** Always `'WRONG_TYPE'`. */
  readonly code: 'WRONG_TYPE' = ErrorCode.WRONG_TYPE;
  /** The kind's number, the same in all languages of saiban. */
  readonly number: number = errorNumbers[ErrorCode.WRONG_TYPE];
}
Object.defineProperty(SaibanTypeError.prototype, 'name', {
  value: 'SaibanTypeError',
  configurable: true,
  writable: true,
});

/** The codes of napi-rs for a value that it could not convert. */
const CONVERSION = /^(?:InvalidArg|\w+Expected)$/;

/**
 * Core's argument names that differ in this package. The keys of layouts as JSON are equal in all
 * languages.
 */
const NAMES = new Map([
  ['allow_collisions', 'allowCollisions'],
  ['block_size', 'blockSize'],
  ['clock_sequence', 'clockSequence'],
  ['create=True', 'create: true'],
  ['entropy_size', 'entropySize'],
  ['max_age_ms', 'maxAgeMs'],
  ['max_block_size', 'maxBlockSize'],
  ['max_clock_skew_s', 'maxClockSkewS'],
  ['max_jump', 'maxJumpS'],
  ['max_jump_s', 'maxJumpS'],
  ['max_ttl_s', 'maxTtlS'],
  ['max_wait', 'maxWaitMs'],
  ['max_wait_ms', 'maxWaitMs'],
  ['not_before', 'notBefore'],
  ['submillisecond_ns', 'submillisecondNs'],
  ['timestamp_ms', 'timestampMs'],
  ['ttl_s', 'ttlS'],
  ['wait_s', 'waitS'],
  ['with_rollback_bits', 'withRollbackBits'],
]);

/**
 * Replaces core's argument names in a message by those of this package. Quoted text is the user's,
 * and does not change.
 */
function named(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.)*"|\bcreate=True\b|\b[a-z]+(?:_[a-z]+)+\b/g, (word) => NAMES.get(word) ?? word);
}

/** Converts an error of the native half to one of this package. @internal */
export function visible(error: unknown): unknown {
  if (error instanceof SaibanError || error instanceof SaibanTypeError) return error;
  // instanceof fails under jest, vitest and node:vm, whose native errors are of another realm.
  if (!isError(error)) return error;
  const { code, position } = error as { code?: unknown; position?: number };
  if (typeof code === 'string' && Object.hasOwn(ErrorCode, code)) {
    return new SaibanError(code as ErrorCode, named(error.message), position);
  }
  if (typeof code === 'string' && CONVERSION.test(code)) return new SaibanTypeError(error.message);
  // napi-rs reports panics like this; any other error is not from the native half.
  if (code !== 'GenericFailure') return error;
  return new SaibanError(ErrorCode.INTERNAL, `a defect of saiban, please report it: ${error.message}`);
}

/** Calls the native half, and converts its errors. @internal */
export function calling<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw visible(error);
  }
}
