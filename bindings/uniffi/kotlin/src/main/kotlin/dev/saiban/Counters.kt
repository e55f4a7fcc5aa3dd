package dev.saiban

import java.sql.Connection
import java.sql.SQLException
import java.time.LocalDate
import java.util.concurrent.CompletableFuture

/** The day. */
public val DailyNumber.date: LocalDate
    get() = LocalDate.ofEpochDay(day.toLong())

/**
 * The next number, as [SharedCounter.generate]; where none is prefetched a thread of its own waits
 * for the store.
 *
 * ```kotlin
 * invoices.generateAsync().thenAccept { number -> println(number) }
 * ```
 */
public fun SharedCounter.generateAsync(): CompletableFuture<Long> = atOnceOrAwaited(::tryGenerate, ::generate)

/**
 * The next number of today, as [DailyCounter.generate]; where none is prefetched a thread of its
 * own waits for the store.
 */
public fun DailyCounter.generateAsync(): CompletableFuture<DailyNumber> = atOnceOrAwaited(::tryGenerate, ::generate)

/** SQLSTATE of a unique violation: PostgreSQL, H2 and compatible databases. */
private const val UNIQUE_VIOLATION = "23505"

/** SQLSTATE of any integrity constraint, which is all that MySQL has. */
private const val CONSTRAINT_VIOLATION = "23000"

/** ER_DUP_ENTRY of MySQL, and the same with the name of its key. */
private val MYSQL = setOf(1062, 1586)

/** SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID, as sqlite-jdbc begins its messages. */
private val SQLITE = Regex("""\[SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)]""")

/**
 * Exceptions in which frameworks wrap what the driver threw: of Spring, Hibernate, Jakarta
 * Persistence, Exposed, jOOQ, Jdbi and MyBatis.
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

/**
 * Whether an exception of this class, by its name, only wraps its cause; a name that ends with a
 * dot is a package's.
 */
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

/** Has an exception carry another one, which does not replace it. */
private fun Throwable.carry(other: Throwable?) {
    if (other != null && other !== this) addSuppressed(other)
}

/**
 * Makes an ID and inserts it; where the table has one like it, another, and so on, [attempts] times
 * in all. For IDs that are unique by chance, or for one partition of a table only: tick IDs, UUID
 * v4, short codes. No error but such a conflict is tried again.
 *
 * ```kotlin
 * val key = insertUnique({ ids.generate() }, savepoint = connection) { key -> insert(connection, key); key }
 * ```
 *
 * @param generate makes an ID.
 * @param attempts at least 1.
 * @param savepoint the connection of a transaction, of which an insert that fails takes back only
 * its own part.
 * @param isConflict which errors are conflicts.
 * @param insert inserts the ID; its result is returned.
 *
 * Errors: the last conflict when all attempts met one; every other error as it is, and with it,
 * suppressed, the conflict before it; the insert's own, whatever it is, with the rollback's
 * suppressed, where the rollback to the savepoint fails; [SaibanException.InvalidArgument] for
 * attempts below 1.
 */
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
