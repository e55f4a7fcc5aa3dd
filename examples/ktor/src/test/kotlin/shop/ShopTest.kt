package shop

import dev.saiban.RandflakeGenerator
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import kotlinx.coroutines.runBlocking
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.selectAll
import org.jetbrains.exposed.v1.jdbc.transactions.transaction
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
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
        val response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())
        return response.statusCode() to response.body()
    }

    @Test
    fun anIdGoesFromTheDatabaseToJavascriptAndBack() {
        val program = """
            const url = process.argv[1]
            const headers = { 'Content-Type': 'application/json' }
            const post = async (order) => (await fetch(url + '/orders', { method: 'POST', headers, body: JSON.stringify(order) })).json()
            const tea = await post({ item: 'tea' })
            const coffee = await post({ item: 'coffee', replaces: tea.id, gifts: [tea.id] })
            const read = await (await fetch(url + '/orders/' + coffee.replaces)).json()
            console.log(JSON.stringify([typeof tea.id, tea.id, read.id, read.item]))
        """.trimIndent()
        val process = ProcessBuilder("node", "--input-type=module", "-e", program, url)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start()
        val output = process.inputStream.bufferedReader().readText()
        assertEquals(0, process.waitFor())
        val id = output.split('"')[3]
        assertEquals("""["string","$id","$id","tea"]""", output.trim())
        val orders = Orders(ids)
        assertTrue(id.toLong() in transaction(database) { orders.selectAll().map { it[orders.id] } })
    }

    @Test
    fun invalidTextIsStatus400WithTheReason() {
        for ((json, reason) in listOf("\"12x\"" to "'x' (position 2", "\"07\"" to "is not canonical", "7" to "7 is not text", "true" to "true is not text")) {
            for (body in listOf("""{"item":"tea","replaces":$json}""", """{"item":"tea","gifts":["7",$json]}""")) {
                val (status, answer) = request("POST", "/orders", body)
                assertEquals(400, status, answer)
                assertTrue(reason in answer, answer)
            }
        }
        assertEquals(404, request("GET", "/orders/x").first)
    }

    private companion object {
        private val folder = createTempDirectory("saiban")
        private val ids = RandflakeGenerator("dffd6021bb2bd5b0af676290809ec3a5".hexToByteArray(), store = "sqlite:$folder/ids.db")
        private val database = Database.connect("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
        private val server = embeddedServer(CIO, port = 0) { shop(database, ids) }.start()
        private val url = "http://localhost:${runBlocking { server.engine.resolvedConnectors().first().port }}"

        @JvmStatic
        @AfterAll
        fun stop() {
            server.stop()
            ids.close()
            folder.toFile().deleteRecursively()
        }
    }
}
