package dev.saiban

import com.sun.jna.JNIEnv
import com.sun.jna.Library
import com.sun.jna.NativeLibrary

// The native methods of bindings/uniffi/src/jni, which the generated classes call. Each takes the
// handle of a generator, whose object the caller keeps alive.

/** Gives the objects below their native methods. */
private object Registration {
    /**
     * The library that UniFFI's functions are in. JNA loads it only once for one name and class
     * loader, and unloads a library to which nothing refers.
     */
    private val library = NativeLibrary.getInstance(findLibraryName("saiban_uniffi"), UniffiLib::class.java.classLoader)

    init {
        val classes = listOf(LongNatives::class, UuidNatives::class, TextNatives::class, BytesNatives::class, EncodingNatives::class)
        val arguments = arrayOf(JNIEnv.CURRENT, *classes.map { it.java }.toTypedArray())
        try {
            val register = library.getFunction("saiban_register_natives")
            register.invoke(Int::class.javaPrimitiveType, arguments, mapOf(Library.OPTION_ALLOW_OBJECTS to true))
        } catch (error: LinkageError) {
            throw IllegalStateException("saiban's native library and its jar are of different versions: use those of one release", error)
        }
    }

    fun ensure() = Unit
}

/** For IDs of up to 64 bits. */
internal object LongNatives {
    init { Registration.ensure() }

    @JvmStatic external fun generate(handle: Long): Long
    @JvmStatic external fun generateMany(handle: Long, count: Long): LongArray
    @JvmStatic external fun generateUpTo(handle: Long, count: Long): LongArray
    @JvmStatic external fun generateText(handle: Long, encoding: String?): String
    @JvmStatic external fun toText(handle: Long, id: Long, encoding: String?): String
    @JvmStatic external fun fromText(handle: Long, text: String, lenient: Boolean): Long
}

/** For UUIDs: two numbers each, the higher 64 bits first. */
internal object UuidNatives {
    init { Registration.ensure() }

    @JvmStatic external fun generate(handle: Long, into: LongArray)
    @JvmStatic external fun generateMany(handle: Long, count: Long): LongArray
    @JvmStatic external fun generateUpTo(handle: Long, count: Long): LongArray
    @JvmStatic external fun generateText(handle: Long, encoding: String?): String
    @JvmStatic external fun toText(handle: Long, id: LongArray, encoding: String?): String
    @JvmStatic external fun fromText(handle: Long, text: String, lenient: Boolean): LongArray
}

/** For wider IDs as text. */
internal object TextNatives {
    init { Registration.ensure() }

    @JvmStatic external fun generate(handle: Long): String
    @JvmStatic external fun generateMany(handle: Long, count: Long): Array<String>
    @JvmStatic external fun generateUpTo(handle: Long, count: Long): Array<String>
    @JvmStatic external fun generateText(handle: Long, encoding: String?): String
    @JvmStatic external fun toText(handle: Long, id: String, encoding: String?): String
    @JvmStatic external fun fromText(handle: Long, text: String, lenient: Boolean): String
}

/** For wider IDs as bytes. */
internal object BytesNatives {
    init { Registration.ensure() }

    @JvmStatic external fun generate(handle: Long): ByteArray
    @JvmStatic external fun generateMany(handle: Long, count: Long): Array<ByteArray>
    @JvmStatic external fun generateUpTo(handle: Long, count: Long): Array<ByteArray>
    @JvmStatic external fun generateText(handle: Long, encoding: String?): String
    @JvmStatic external fun toText(handle: Long, id: ByteArray, encoding: String?): String
    @JvmStatic external fun fromText(handle: Long, text: String, lenient: Boolean): ByteArray
}

/** A width outside the range of `Int` means the default width. */
internal object EncodingNatives {
    init { Registration.ensure() }

    @JvmStatic external fun encode(value: Long, encoding: String, width: Long): String
    @JvmStatic external fun decode(text: String, encoding: String, width: Long, lenient: Boolean): Long
}
