@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

import java.util.UUID

// Functions that return what an ID of unknown origin can be, one for each form of an ID:
// `candidates` with reasons, `inspect` the parts alone.

/**
 * Returns what a number of unknown origin can be, the most plausible first: an ID of any 64-bit
 * scheme and preset, and of Randflake with the secret (16 bytes). With a [scheme] only that scheme
 * is considered.
 *
 * [oldSecrets] are earlier secrets, at most 7. There is one candidate for each secret, the most
 * plausible time first, and [Parts.secretIndex] is the secret's position: 0 for [secret], 1 and up
 * for these. With [layouts], at most 4, these are considered too, and presets among them rank
 * higher. With [epochMs], Unix milliseconds, presets and Ulid-Flake count from it instead of from
 * their own epochs.
 *
 * Errors: [SaibanException.InvalidSecret], [SaibanException.UnknownName];
 * [SaibanException.InvalidLayout] for an epoch too far away; [SaibanException.InvalidArgument] for
 * too many secrets or layouts, or old ones without [secret].
 */
@Throws(SaibanException::class)
@JvmOverloads
public fun inspect(
    id: Long,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Parts> = candidates(id, secret, oldSecrets, scheme, layouts, epochMs).map(Candidate::parts)

/**
 * Returns what a text of unknown origin can be, the most plausible first: the text of a scheme, a
 * decimal number of up to 128 bits, a UUID in any form, in either case, a hexadecimal number after
 * `0x`, and, less likely, prefixed text such as a TypeID, and a number in any other encoding. The
 * scheme `uuid` means every version. For the rest see the version for numbers.
 *
 * Errors: if no scheme reads the text, the error of the most similar form; otherwise those for a
 * number.
 *
 * ```kotlin
 * inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").first().time      // 2016-07-30T23:54:10.259Z
 * ```
 */
@Throws(SaibanException::class)
@JvmOverloads
public fun inspect(
    text: String,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Parts> = candidates(text, secret, oldSecrets, scheme, layouts, epochMs).map(Candidate::parts)

/**
 * Returns what a UUID of unknown origin can be: a UUID of its version, a ULID, or an ID of one of
 * these [layouts] of 128 bits.
 */
@Throws(SaibanException::class)
@JvmOverloads
public fun inspect(id: UUID, scheme: String? = null, layouts: List<Layout> = emptyList()): List<Parts> =
    candidates(id, scheme, layouts).map(Candidate::parts)

/**
 * Returns what an ID of this many bits, given as bytes, the highest first, can be: 128 bits (ULID,
 * UUID), 96 (ObjectId), or the bits of one of these [layouts]; by default 8 bits a byte. 8 bytes
 * are a 64-bit number, for which [secret], [oldSecrets] and [epochMs] are used.
 *
 * Errors: [SaibanException.IdOutOfRange] when the number has more bits;
 * [SaibanException.InvalidArgument] for other than 16 to 128 bits; otherwise those for a number.
 */
@Throws(SaibanException::class)
@JvmOverloads
public fun inspect(
    id: ByteArray,
    bits: Int? = null,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Parts> = candidates(id, bits, secret, oldSecrets, scheme, layouts, epochMs).map(Candidate::parts)

/** Returns what a number of unknown origin can be, like [inspect], with reasons. */
@Throws(SaibanException::class)
@JvmOverloads
public fun candidates(
    id: Long,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Candidate> = candidatesOfId(id, secret, oldSecrets, scheme, layouts, epochMs)

/**
 * Returns what a text of unknown origin can be, like [inspect], with reasons.
 *
 * ```kotlin
 * candidates("01ARZ3NDEKTSV4RRFFQ69G5FAV").first().reasons.last().text      // time is plausible: 10 years ago
 * ```
 */
@Throws(SaibanException::class)
@JvmOverloads
public fun candidates(
    text: String,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Candidate> = candidatesOfText(text, secret, oldSecrets, scheme, layouts, epochMs)

/** Returns what a UUID of unknown origin can be, like [inspect], with reasons. */
@Throws(SaibanException::class)
@JvmOverloads
public fun candidates(id: UUID, scheme: String? = null, layouts: List<Layout> = emptyList()): List<Candidate> =
    candidates(id.toBytes(), scheme = scheme, layouts = layouts)

/** Returns what bytes of unknown origin can be, like [inspect], with reasons. */
@Throws(SaibanException::class)
@JvmOverloads
public fun candidates(
    id: ByteArray,
    bits: Int? = null,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Candidate> = candidatesOfBytes(id, bits, secret, oldSecrets, scheme, layouts, epochMs)
