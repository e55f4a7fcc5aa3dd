package jakarta.persistence

/** Has the name of the framework's class, so that the tests do not need the framework. */
open class PersistenceException(cause: Throwable) : RuntimeException(cause)
