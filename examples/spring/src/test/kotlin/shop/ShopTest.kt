package shop

import dev.saiban.SnowflakeGenerator
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.runApplication
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Bean
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import kotlin.io.path.createTempDirectory

/** Requests to the shop over HTTP, from a JavaScript engine too. */
class ShopTest {
    private fun request(method: String, path: String, body: String = ""): Pair<Int, String> {
        val request = HttpRequest.newBuilder(URI("$url$path")).header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body)).build()
        val response = client.send(request, HttpResponse.BodyHandlers.ofString())
        return response.statusCode() to response.body()
    }

    /** Runs a program in Node.js; `url` is the server's. */
    private fun javascript(program: String): String {
        val process = ProcessBuilder("node", "--input-type=module", "-e", "const url = process.argv[1]; $program", url)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start()
        return process.inputStream.bufferedReader().readText().also { assertEquals(0, process.waitFor()) }
    }

    @Test
    fun anIdGoesFromTheDatabaseToJavascriptAndBack() {
        val output = javascript(
            """
            const headers = { 'Content-Type': 'application/json' }
            const post = async (order) => (await fetch(url + '/orders', { method: 'POST', headers, body: JSON.stringify(order) })).json()
            const tea = await post({ item: 'tea' })
            const coffee = await post({ item: 'coffee', replaces: tea.id, gifts: [tea.id] })
            const read = await (await fetch(url + '/orders/' + coffee.replaces)).json()
            console.log(JSON.stringify([typeof tea.id, tea.id, read.id, read.item]))
            """.trimIndent(),
        )
        val id = output.split('"')[3]
        assertEquals("""["string","$id","$id","tea"]""", output.trim())
        assertEquals("tea", shop.getBean(Orders::class.java).findById(id.toLong()).get().item)
    }

    @Test
    fun invalidTextIsStatus400WithTheReason() {
        for ((json, reason) in listOf("\"12x\"" to "'x' (position 2", "\"07\"" to "is not canonical", "7" to "7 is not text", "true" to "true is not text")) {
            for (body in listOf("""{"item":"tea","replaces":$json}""", """{"item":"tea","replaces":null,"gifts":["7",$json]}""")) {
                val (status, answer) = request("POST", "/orders", body)
                assertEquals(400, status, answer)
                assertTrue(reason in answer, answer)
            }
        }
        assertEquals(400, request("GET", "/orders/x").first)
        assertEquals(404, request("GET", "/orders/7").first)
    }

    @Test
    fun keysOfEachTypeAreOfItsBean() {
        val (_, document) = request("POST", "/documents")
        assertTrue(Regex("""\{"id":"[0-9a-f-]{14}7[0-9a-f-]{21}"}""").matches(document), document)
        val (_, receipt) = request("POST", "/receipts")
        assertTrue(Regex("""\{"id":"receipt_\w{26}"}""").matches(receipt), receipt)
    }

    @Test
    fun twoBeansForAKeyWithoutANameAreAnError() {
        val arguments = arrayOf("--spring.main.web-application-type=none", "--spring.datasource.url=jdbc:h2:mem:other")
        SpringApplicationBuilder(Shop::class.java, MoreIds::class.java).run(*arguments, *settings).use { other ->
            val error = assertThrows(Exception::class.java) { other.getBean(Orders::class.java).save(Order()) }
            assertTrue("the key Order.id has no generator: define exactly one bean" in error.message!!, error.message)
        }
    }

    /** No component, because the scan for components would find it. */
    class MoreIds {
        @Bean
        fun invoiceIds(): SnowflakeGenerator = SnowflakeGenerator(node = 7)
    }

    private companion object {
        private val folder = createTempDirectory("saiban")
        private val settings = arrayOf("--shop.secret=dffd6021bb2bd5b0af676290809ec3a5", "--shop.store=sqlite:$folder/ids.db")
        private val shop: ConfigurableApplicationContext = runApplication<Shop>("--server.port=0", *settings)
        private val url = "http://localhost:${shop.environment.getProperty("local.server.port")}"
        private val client = HttpClient.newHttpClient()

        @JvmStatic
        @AfterAll
        fun stop() {
            shop.close()
            folder.toFile().deleteRecursively()
        }
    }
}
