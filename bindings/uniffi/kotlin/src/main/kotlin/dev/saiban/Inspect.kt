package dev.saiban

import java.util.UUID

// What can this ID be? In every form that an ID has: with why, or the parts alone.

/**
 * What a number of unknown origin can be, the most plausible first: an ID of every scheme of 64
 * bits and every preset, of Randflake with the secret (16 bytes). With a [scheme] it looks for that
 * one only.
 *
 * [oldSecrets], at most 7, were in use before. There is a reading under each; the most plausible
 * time comes first, and [Parts.secretIndex] tells which secret that was: 0 for [secret], 1 and up
 * for these. That is no proof. With [layouts], at most 4, it looks for theirs too, and takes
 * presets among them for likelier. With [epochMs], Unix milliseconds, presets and Ulid-Flake are
 * counted from it instead of from their own.
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
 * What a text of unknown origin can be, the most plausible first: what a scheme writes, a decimal
 * number of up to 128 bits, a UUID in any of its forms, letters in either case, a hexadecimal
 * number after `0x`, and, less likely, text with a prefix (a TypeID, say) and a number in any other
 * encoding. As with a number else; the scheme `uuid` means every version.
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

/** What a UUID of unknown origin can be: of the version that its bits say, a ULID, one of these [layouts] of 128 bits. */
public fun inspect(id: UUID, scheme: String? = null, layouts: List<Layout> = emptyList()): List<Parts> =
    candidates(id, scheme, layouts).map(Candidate::parts)

/**
 * What an ID of so many bits can be, given as bytes, the highest first: 128 bits (ULID, UUID), 96
 * (ObjectId), or as many as one of these [layouts] has; by default 8 for each byte. 8 bytes are a
 * number of 64 bits, and [secret], [oldSecrets] and [epochMs] count as with one.
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
