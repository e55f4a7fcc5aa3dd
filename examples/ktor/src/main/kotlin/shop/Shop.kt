package shop

import dev.saiban.Generator
import dev.saiban.RandflakeGenerator
import dev.saiban.kotlinx.IdText
import io.ktor.http.HttpStatusCode
import io.ktor.serialization.kotlinx.json.json
import io.ktor.server.application.Application
import io.ktor.server.application.install
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer
import io.ktor.server.plugins.BadRequestException
import io.ktor.server.plugins.NotFoundException
import io.ktor.server.plugins.contentnegotiation.ContentNegotiation
import io.ktor.server.plugins.statuspages.StatusPages
import io.ktor.server.request.receive
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.routing
import kotlinx.serialization.Serializable
import kotlinx.serialization.SerializationException
import org.jetbrains.exposed.v1.core.Table
import org.jetbrains.exposed.v1.core.eq
import org.jetbrains.exposed.v1.jdbc.Database
import org.jetbrains.exposed.v1.jdbc.SchemaUtils
import org.jetbrains.exposed.v1.jdbc.insert
import org.jetbrains.exposed.v1.jdbc.selectAll
import org.jetbrains.exposed.v1.jdbc.transactions.transaction

typealias OrderId = @Serializable(with = IdText::class) Long

class Orders(ids: Generator) : Table("orders") {
    val id = long("id").clientDefault { ids.generate() }
    val item = text("item")
    val replaces = long("replaces").nullable()
    override val primaryKey = PrimaryKey(id)
}

@Serializable
class Order(val id: OrderId, val item: String, val replaces: OrderId?)

@Serializable
class NewOrder(val item: String, val replaces: OrderId? = null, val gifts: List<OrderId> = emptyList())

fun Application.shop(database: Database, ids: Generator) {
    val orders = Orders(ids)
    transaction(database) { SchemaUtils.create(orders) }
    install(ContentNegotiation) { json() }
    install(StatusPages) {
        exception<BadRequestException> { call, error ->
            val reason = generateSequence<Throwable>(error) { it.cause }.firstNotNullOfOrNull { it as? SerializationException }
            call.respondText("${(reason ?: error).message}", status = HttpStatusCode.BadRequest)
        }
    }
    routing {
        post("/orders") {
            val new = call.receive<NewOrder>()
            val row = transaction(database) {
                orders.insert {
                    it[item] = new.item
                    it[replaces] = new.replaces
                }
            }
            call.respond(Order(row[orders.id], new.item, new.replaces))
        }
        get("/orders/{id}") {
            val id = call.parameters["id"]?.toLongOrNull() ?: throw NotFoundException()
            val row = transaction(database) { orders.selectAll().where { orders.id eq id }.singleOrNull() } ?: throw NotFoundException()
            call.respond(Order(row[orders.id], row[orders.item], row[orders.replaces]))
        }
    }
}

/** `SHOP_SECRET` has 32 hexadecimal digits, and `SHOP_STORE` is the URL of a store of leases. */
fun main() {
    val ids = RandflakeGenerator(System.getenv("SHOP_SECRET").hexToByteArray(), store = System.getenv("SHOP_STORE"))
    val database = Database.connect("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1")
    embeddedServer(CIO, port = 8080) { shop(database, ids) }.start(wait = true)
}
