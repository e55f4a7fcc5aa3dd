package jakarta.persistence

/** By its name the framework's, which these tests do without. */
open class PersistenceException(cause: Throwable) : RuntimeException(cause)
