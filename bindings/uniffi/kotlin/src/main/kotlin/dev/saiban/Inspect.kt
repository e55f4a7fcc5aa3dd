package dev.saiban

import java.util.UUID

// What can this ID be? In every form that an ID has: with why, or the parts alone.

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
 * Errors: when no scheme reads the text, that of the form that the text is most like; else as of a
 * number.
 *
 * ```kotlin
 * inspect("01ARZ3NDEKTSV4RRFFQ69G5FAV").first().time      // 2016-07-30T23:54:10.259Z
 * ```
 */
public fun inspect(
    text: String,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Parts> = candidates(text, secret, oldSecrets, scheme, layouts, epochMs).map(Candidate::parts)

/**
 * What a UUID of unknown origin can be: of the version that its bits say, a ULID, one of these
 * [layouts] of 128 bits.
 */
public fun inspect(id: UUID, scheme: String? = null, layouts: List<Layout> = emptyList()): List<Parts> =
    candidates(id, scheme, layouts).map(Candidate::parts)

/**
 * Returns what an ID of this many bits, given as bytes, the highest first, can be: 128 bits (ULID,
 * UUID), 96 (ObjectId), or the bits of one of these [layouts]; by default 8 bits a byte. 8 bytes
 * are a 64-bit number, for which [secret], [oldSecrets] and [epochMs] are used.
 *
 * Errors: [SaibanException.IdOutOfRange] when the number has more bits;
 * [SaibanException.InvalidArgument] for other than 16 to 128 bits; else as of a number.
 */
public fun inspect(
    id: ByteArray,
    bits: Int? = null,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Parts> = candidates(id, bits, secret, oldSecrets, scheme, layouts, epochMs).map(Candidate::parts)

/** What [inspect] finds, with why. */
public fun candidates(
    id: Long,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Candidate> = candidatesOfId(id, secret, oldSecrets, scheme, layouts, epochMs)

/**
 * What [inspect] finds in a text, with why.
 *
 * ```kotlin
 * candidates("01ARZ3NDEKTSV4RRFFQ69G5FAV").first().reasons.last().text      // time is plausible: 10 years ago
 * ```
 */
public fun candidates(
    text: String,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Candidate> = candidatesOfText(text, secret, oldSecrets, scheme, layouts, epochMs)

/** What [inspect] finds in a UUID, with why. */
public fun candidates(id: UUID, scheme: String? = null, layouts: List<Layout> = emptyList()): List<Candidate> =
    candidates(id.toBytes(), scheme = scheme, layouts = layouts)

/** What [inspect] finds in bytes, with why. */
public fun candidates(
    id: ByteArray,
    bits: Int? = null,
    secret: ByteArray? = null,
    oldSecrets: List<ByteArray> = emptyList(),
    scheme: String? = null,
    layouts: List<Layout> = emptyList(),
    epochMs: Long? = null,
): List<Candidate> = candidatesOfBytes(id, bits, secret, oldSecrets, scheme, layouts, epochMs)
