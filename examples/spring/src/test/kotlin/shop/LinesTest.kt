// Not the package `shop`, where the shop would find these components.
@file:Suppress("PackageDirectoryMismatch")

package lines

import com.fasterxml.jackson.annotation.JsonCreator
import com.fasterxml.jackson.annotation.JsonValue
import dev.saiban.RandflakeGenerator
import dev.saiban.SaibanException
import dev.saiban.decode
import dev.saiban.encode
import dev.saiban.hibernate.SaibanId
import dev.saiban.jackson.IdText
import jakarta.persistence.Entity
import jakarta.persistence.Id
import jakarta.persistence.ManyToOne
import jakarta.persistence.PrePersist
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean
import org.springframework.core.NestedExceptionUtils.getMostSpecificCause
import org.springframework.data.jpa.repository.JpaRepository
import org.springframework.http.ResponseEntity.badRequest
import org.springframework.http.converter.HttpMessageNotReadableException
import org.springframework.jdbc.core.JdbcTemplate
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.RestController

private val secret = "dffd6021bb2bd5b0af676290809ec3a5".hexToByteArray()

private val ids = RandflakeGenerator(secret, node = 17) // counted: Spring, key, by hand

@Entity
class OrderByHand(@ManyToOne var parent: OrderByHand? = null) {
    // counted: Spring, key, by hand
    @Id var id: Long? = null

    @PrePersist
    fun generateId() { id = ids.generate() }
    // end of count
}

interface OrdersByHand : JpaRepository<OrderByHand, Long>

// counted: Spring, API, by hand
class OrderId(val value: Long) {
    @JsonCreator
    constructor(text: String) : this(ids.fromText(text))

    @JsonValue
    override fun toString() = ids.toText(value)
}
// end of count

class NewOrderByHand(val parent: OrderId?) // counted: Spring, API, by hand

class ShownByHand(val id: OrderId, val parent: OrderId?) // counted: Spring, API, by hand

@RestController
@RequestMapping("/by-hand/orders")
class ApiByHand(private val orders: OrdersByHand) {
    // counted: Spring, API, by hand
    private fun shown(order: OrderByHand) = ShownByHand(OrderId(order.id!!), order.parent?.let { OrderId(it.id!!) })
    // end of count

    @PostMapping
    fun create(@RequestBody new: NewOrderByHand): ShownByHand {
        val parent = new.parent?.let { orders.getReferenceById(it.value) } // counted: Spring, API, by hand
        return shown(orders.save(OrderByHand(parent)))
    }

    @GetMapping("/{id}")
    fun read(@PathVariable id: OrderId) = shown(orders.findById(id.value).get()) // counted: Spring, API, by hand

    // counted: Spring, API, by hand
    @ExceptionHandler
    fun refuse(error: SaibanException) = badRequest().body(error.message)
    // end of count
}

@Entity
class OrderWithSaiban(@ManyToOne var parent: OrderWithSaiban? = null) {
    @Id @SaibanId var id: Long? = null // counted: Spring, key, with saiban
}

interface OrdersWithSaiban : JpaRepository<OrderWithSaiban, Long>

class NewOrderWithSaiban(@IdText("base32hex") val parent: Long?) // counted: Spring, API, with saiban

// counted: Spring, API, with saiban
class ShownWithSaiban(@IdText("base32hex") val id: Long, @IdText("base32hex") val parent: Long?)
// end of count

@RestController
@RequestMapping("/with-saiban/orders")
class ApiWithSaiban(private val orders: OrdersWithSaiban) {
    private fun shown(order: OrderWithSaiban) = ShownWithSaiban(order.id!!, order.parent?.id)

    @PostMapping
    fun create(@RequestBody new: NewOrderWithSaiban): ShownWithSaiban {
        val parent = new.parent?.let { orders.getReferenceById(it) }
        return shown(orders.save(OrderWithSaiban(parent)))
    }

    @GetMapping("/{id}")
    // counted: Spring, API, with saiban
    fun read(@PathVariable id: String) = shown(orders.findById(decode(id, "base32hex")).get())

    @ExceptionHandler(HttpMessageNotReadableException::class, SaibanException::class)
    fun refuse(error: Exception) = badRequest().body(getMostSpecificCause(error).message?.lines()?.first())
    // end of count
}

@SpringBootApplication(proxyBeanMethods = false)
class Programs {
    // counted: Spring, key, with saiban
    @Bean
    fun ids() = RandflakeGenerator(secret, node = 17)
    // end of count
}

/**
 * Spring Boot and JPA with Randflake keys, by hand and with saiban's annotations: both programs
 * behave alike. docs/frameworks.md has the number of the lines that are marked `counted`.
 */
class LinesTest {
    /** Runs JavaScript, which has `send(path, order)`; without an order, it is a GET request. */
    private fun javascript(program: String): String {
        val send =
            """
            const send = async (path, order) => {
              const headers = { 'Content-Type': 'application/json' }
              const post = { method: 'POST', headers, body: JSON.stringify(order) }
              const response = await fetch(process.argv[1] + path, order && post)
              return { status: response.status, text: await response.text() }
            }
            """.trimIndent()
        val process = ProcessBuilder("node", "--input-type=module", "-e", "$send\n$program", url)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start()
        return process.inputStream.bufferedReader().readText().trim().also { assertEquals(0, process.waitFor()) }
    }

    @ParameterizedTest
    @CsvSource("/by-hand/orders, order_by_hand", "/with-saiban/orders, order_with_saiban")
    fun anIdGoesFromTheDatabaseToJavascriptAndBack(path: String, table: String) {
        for (id in listOf(ID, ID + 1, -ID)) {
            database.update("INSERT INTO $table (id) VALUES (?)", id)
            val text = encode(id, "base32hex")
            val output = javascript(
                """
                const read = await send('$path/$text')
                const created = await send('$path', { parent: JSON.parse(read.text).id })
                console.log(read.text + created.text)
                """.trimIndent(),
            )
            val child = database.queryForObject("SELECT id FROM $table WHERE parent_id = ?", Long::class.java, id)!!
            val childText = encode(child, "base32hex")
            assertEquals("""{"id":"$text","parent":null}{"id":"$childText","parent":"$text"}""", output)
        }
    }

    @ParameterizedTest
    @CsvSource("/by-hand/orders", "/with-saiban/orders")
    fun invalidTextIsStatus400WithTheReason(path: String) {
        for ((text, reason) in listOf("3f-5" to "no character '-'", "vvvvvvvvvvvvv" to "does not fit")) {
            val output = javascript(
                """
                for (const response of [await send('$path', { parent: '$text' }), await send('$path/$text')]) {
                  console.log(response.status + ' ' + response.text)
                }
                """.trimIndent(),
            )
            val message = assertThrows(SaibanException::class.java) { decode(text, "base32hex") }.message!!
            assertTrue(reason in message, message)
            assertEquals("400 $message\n400 $message", output)
        }
        assertEquals("400", javascript("console.log((await send('$path', { parent: 7 })).status)"))
    }

    private companion object {
        private const val ID = 2125041057055170561
        private val programs = runApplication<Programs>("--server.port=0", "--spring.datasource.url=jdbc:h2:mem:lines")
        private val url = "http://localhost:${programs.environment.getProperty("local.server.port")}"
        private val database = programs.getBean(JdbcTemplate::class.java)

        @JvmStatic
        @AfterAll
        fun stop() = programs.close()
    }
}
