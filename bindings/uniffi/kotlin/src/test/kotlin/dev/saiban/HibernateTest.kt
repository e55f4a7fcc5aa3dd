package dev.saiban

import com.fasterxml.jackson.databind.ObjectMapper
import dev.saiban.hibernate.SaibanId
import dev.saiban.jackson.IdText
import jakarta.persistence.Entity
import jakarta.persistence.Id
import org.hibernate.SessionFactory
import org.hibernate.cfg.Configuration
import org.hibernate.id.IdentifierGenerationException
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.util.UUID
import java.util.logging.Level
import java.util.logging.Logger

@Entity
internal class Customer(@Id @SaibanId @IdText var id: Long? = null)

@Entity
internal class Invoice(@Id @SaibanId("invoices") var id: Long = 0, @IdText var customer: Long? = null)

@Entity
internal class Document(@Id @SaibanId("documents") var id: UUID? = null)

@Entity
internal class Page(@Id @SaibanId("pages") var id: String? = null)

/** Keys that Hibernate generates, in H2. */
class HibernateTest {
    private val log = Logger.getLogger("org.hibernate").apply { level = Level.SEVERE }

    private fun database(vararg generators: Pair<String, Any>): SessionFactory = Configuration().apply {
        listOf(Customer::class, Invoice::class, Document::class, Page::class).forEach { addAnnotatedClass(it.java) }
        properties["hibernate.connection.url"] = "jdbc:h2:mem:${UUID.randomUUID()}"
        properties["hibernate.hbm2ddl.auto"] = "create"
        properties["hibernate.jdbc.batch_size"] = 50
        properties.putAll(generators)
    }.buildSessionFactory()

    private fun <Row : Any> SessionFactory.insert(row: Row): Row = fromTransaction { session -> row.also(session::persist) }

    private val randflakes = RandflakeGenerator(bytesOfHex("dffd6021bb2bd5b0af676290809ec3a5"), node = 880)

    @Test
    fun anIdGoesFromTheDatabaseToJavascriptAndBack() = database("saiban.generator" to randflakes).use { database ->
        val id = database.insert(Customer()).id!!
        val json = ObjectMapper().writeValueAsString(database.fromTransaction { it.find(Customer::class.java, id) })
        assertEquals("""{"id":"$id"}""", json)
        val returned = ObjectMapper().readValue(javascript(json), Customer::class.java)
        assertEquals(id, database.fromTransaction { it.find(Customer::class.java, returned.id) }.id)
        assertEquals(880, randflakes.inspect(id).node)
    }

    @Test
    fun keysAreGeneratedInBatchesAndColumnsAreBigint() = database("saiban.generator.invoices" to SnowflakeGenerator(node = 881)).use { database ->
        database.inTransaction { session -> repeat(1_000) { session.persist(Invoice()) } }
        val ids = database.fromTransaction { it.createQuery("select id from Invoice", Long::class.javaObjectType).list() }
        assertEquals(1_000, ids.toSet().size)
        val types = "select distinct data_type from information_schema.columns where table_name = 'INVOICE'"
        assertEquals(listOf("BIGINT"), database.fromTransaction { it.createNativeQuery(types, String::class.java).list() })
    }

    @Test
    fun keysAreUuidsOrTextWithAPrefix() {
        val uuids = UuidGenerator(7, prefix = "page")
        database("saiban.generator.documents" to uuids, "saiban.generator.pages" to uuids).use { database ->
            val document = database.insert(Document())
            assertEquals(7, document.id!!.version())
            val page = database.insert(Page())
            assertEquals(page.id, uuids.toText(uuids.fromText(page.id!!)))
        }
        for (texts in listOf(UlidGenerator(), SnowflakeGenerator(node = 882, prefix = "page"))) {
            database("saiban.generator.pages" to texts).use { database ->
                val page = database.insert(Page())
                assertEquals(page.id, database.fromTransaction { it.find(Page::class.java, page.id) }.id)
            }
        }
    }

    @Test
    fun aLeaseIsAcquiredByTheGenerator() {
        SnowflakeGenerator(store = "memory:hibernate").use { ids ->
            database("saiban.generator" to ids).use { database ->
                val id = database.insert(Customer()).id!!
                assertEquals(ids.lease()!!.nodes().first, ids.inspect(id).node)
            }
        }
    }

    @Test
    fun aMissingGeneratorAndOneOfAnotherTypeAreErrorsWithARemedy() {
        database("saiban.generator.documents" to randflakes, "saiban.generator" to "a text").use { database ->
            fun error(row: Any) = assertThrows(IdentifierGenerationException::class.java) { database.insert(row) }
            val missing = error(Invoice())
            assertInstanceOf(SaibanException.UnknownName::class.java, missing.cause)
            assertTrue("set Hibernate's property saiban.generator.invoices" in missing.message!!, missing.message)
            val other = error(Document())
            assertTrue("Document.id is a UUID, and its generator a RandflakeGenerator" in other.message!!, other.message)
            assertInstanceOf(SaibanException.WrongType::class.java, error(Customer()).cause)
        }
    }
}
