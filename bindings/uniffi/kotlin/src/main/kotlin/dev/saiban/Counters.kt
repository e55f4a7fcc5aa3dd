@file:JvmName("Saiban")
@file:JvmMultifileClass

package dev.saiban

import java.sql.Connection
import java.sql.SQLException
import java.time.LocalDate
import java.util.concurrent.CompletableFuture

/** The day as a date. */
public val DailyNumber.date: LocalDate
    get() = LocalDate.ofEpochDay(day.toLong())

/**
 * Returns the next number like [SharedCounter.generate]; if none is prefetched, a separate thread
 * waits for the store.
 *
 * ```kotlin
 * invoices.generateAsync().thenAccept { number -> println(number) }
 * ```
 */
public fun SharedCounter.generateAsync(): CompletableFuture<Long> = atOnceOrAwaited(::tryGenerate, ::generate)

/**
 * Returns the next number of today like [DailyCounter.generate]; if none is prefetched, a separate
 * thread waits for the store.
 */
public fun DailyCounter.generateAsync(): CompletableFuture<DailyNumber> = atOnceOrAwaited(::tryGenerate, ::generate)

/** SQLSTATE of a unique violation: PostgreSQL, H2 and compatible databases. */
private const val UNIQUE_VIOLATION = "23505"

/** SQLSTATE of every integrity violation in MySQL, which has none for unique violations alone. */
private const val CONSTRAINT_VIOLATION = "23000"

/** The numbers of MySQL's ER_DUP_ENTRY and ER_DUP_ENTRY_WITH_KEY_NAME. */
private val MYSQL = setOf(1062, 1586)

/** The name of a result code for a unique violation, with which sqlite-jdbc begins its messages. */
private val SQLITE = Regex("""\[SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)]""")

/**
 * Exceptions in which frameworks wrap the driver's exception: of Spring, Hibernate, Jakarta
 * Persistence, Exposed, jOOQ, Jdbi and MyBatis. A name that ends with a dot is a package's.
 */
private val FRAMEWORKS = listOf(
    "org.springframework.dao.DuplicateKeyException",
    "org.springframework.dao.DataIntegrityViolationException",
    "org.hibernate.exception.ConstraintViolationException",
    "jakarta.persistence.",
    "javax.persistence.",
    "org.jetbrains.exposed.exceptions.",
    "org.jetbrains.exposed.v1.exceptions.",
    "org.jooq.exception.",
    "org.jdbi.v3.core.",
    "org.apache.ibatis.exceptions.",
)

/** Returns whether an exception of the class with this name only wraps its cause. */
@JvmSynthetic
internal fun isWrapper(name: String): Boolean = FRAMEWORKS.any { if (it.endsWith(".")) name.startsWith(it) else name == it }

private fun Throwable.wrapped(): Throwable? {
    val classes = generateSequence<Class<*>>(javaClass) { it.superclass }
    return cause.takeIf { this is SQLException || classes.any { isWrapper(it.name) } }
}

/**
 * Returns whether this is a database's error for a duplicate key or other unique value: of
 * PostgreSQL, MySQL, MariaDB and SQLite by JDBC, also wrapped by Spring, Hibernate, Jakarta
 * Persistence, Exposed, jOOQ, Jdbi or MyBatis. Errors of other constraints are not conflicts, nor
 * is another exception with a conflict as its cause.
 */
public fun isUniqueConflict(error: Throwable): Boolean =
    generateSequence(error) { it.wrapped() }.filterIsInstance<SQLException>().any { failure ->
        failure.sqlState == UNIQUE_VIOLATION ||
            failure.sqlState == CONSTRAINT_VIOLATION && failure.errorCode in MYSQL ||
            SQLITE.containsMatchIn(failure.message ?: "")
    }

/** Adds another exception to this one as suppressed, unless it is this one. */
private fun Throwable.carry(other: Throwable?) {
    if (other != null && other !== this) addSuppressed(other)
}

/**
 * Makes an ID and inserts it. If the table already has the ID, it makes and inserts another one, at
 * most [attempts] times in all. It is for IDs that are unique by chance, or only in one partition
 * of a table: tick IDs, UUID v4, short codes. Other errors are not retried.
 *
 * ```kotlin
 * val key = insertUnique({ ids.generate() }, savepoint = connection) { key -> insert(connection, key); key }
 * ```
 *
 * @param generate makes an ID.
 * @param attempts the number of IDs to try, at least 1.
 * @param savepoint the connection of a transaction, which a failed statement would abort
 * (PostgreSQL). Each insert has its own savepoint.
 * @param isConflict decides which errors are conflicts.
 * @param insert inserts the ID; its result is returned.
 *
 * Errors: the last conflict if all attempts met one; every other error as it is, with the conflict
 * before it suppressed; if the rollback to the savepoint fails, the insert's error, of any kind,
 * with the rollback's error suppressed; [SaibanException.InvalidArgument] for attempts below 1.
 */
@JvmOverloads
public fun <Id, Inserted> insertUnique(
    generate: () -> Id,
    attempts: Int = 5,
    savepoint: Connection? = null,
    isConflict: (Throwable) -> Boolean = ::isUniqueConflict,
    insert: (Id) -> Inserted,
): Inserted {
    if (attempts < 1) throw SaibanException.InvalidArgument("attempts is $attempts: give 1 or more")
    var conflict: Throwable? = null
    for (attempt in 1..attempts) {
        val id = generate()
        val begun = savepoint?.takeUnless { it.autoCommit }?.setSavepoint()
        try {
            val inserted = insert(id)
            begun?.let { savepoint.releaseSavepoint(it) }
            return inserted
        } catch (error: Throwable) {
            try {
                begun?.let { savepoint.rollback(it) }
            } catch (failure: Throwable) {
                // The transaction is lost, and perhaps the connection, so there is nothing to retry
                // in.
                error.carry(failure)
                throw error
            }
            if (error is Error) throw error
            if (!isConflict(error)) {
                error.carry(conflict)
                throw error
            }
            if (attempt == attempts) throw error
            conflict = error
        }
    }
    error("attempts was checked")
}
