import { type Integer, bytes, idOrText, listIfGiven, options, textIfGiven } from './arguments.js';
import { calling } from './errors.js';
import { native } from './load-native.js';
import { type Parts, type Scheme, visibleParts } from './parts.js';

/** What is known of an ID. */
export interface InspectOptions {
  /** Looks for Randflake IDs too: their secret of 16 bytes. */
  secret?: Uint8Array | undefined;
  /**
   * Secrets that were in use before, 7 at the most. Under each secret there is a reading; the most plausible time comes first, and
   * `secretIndex` tells which secret that was: 0 for `secret`, 1 and up for these. That is no proof.
   */
  oldSecrets?: readonly Uint8Array[] | undefined;
  /** Looks for this scheme only. */
  scheme?: Scheme | undefined;
}

/**
 * What an ID of unknown origin can be: every reading, the most plausible first; none, if nothing fits.
 *
 * @param id - The ID, or text: canonical text of any scheme.
 * @throws {@link SaibanError} the kinds that begin with `TEXT_` when no scheme reads the text; `ID_OUT_OF_RANGE` for more than
 * 64 bits; `INVALID_SECRET`; `UNKNOWN_NAME`; `INVALID_ARGUMENT` for too many secrets, or old ones without `secret`.
 * @example
 * ```ts
 * import { inspect } from 'saiban';
 * const [likeliest] = inspect('00CMXB6TAK4SA');
 * console.log(likeliest?.scheme, likeliest?.time?.toISOString()); // ulid-flake 2024-06-06T06:06:06.666Z
 * ```
 */
export function inspect(id: Integer | string, inspectOptions: InspectOptions = {}): Parts[] {
  const subject = idOrText(id, 'id');
  const given = options(inspectOptions, 'inspect', ['secret', 'oldSecrets', 'scheme']);
  const secret = given.secret === undefined || given.secret === null ? undefined : bytes(given.secret, 'secret');
  const oldSecrets = listIfGiven(given.oldSecrets, 'oldSecrets', 'an array of secrets', bytes);
  const scheme = textIfGiven(given.scheme, 'scheme');
  return calling(() => native.inspect(subject, secret, oldSecrets, scheme)).map((parts) => visibleParts(parts));
}
