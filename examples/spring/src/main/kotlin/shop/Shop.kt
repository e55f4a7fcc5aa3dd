package shop

import dev.saiban.RandflakeGenerator
import dev.saiban.UlidGenerator
import dev.saiban.UuidGenerator
import dev.saiban.hibernate.SaibanId
import dev.saiban.jackson.IdText
import jakarta.persistence.Entity
import jakarta.persistence.Id
import jakarta.persistence.Table
import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.context.annotation.Bean
import org.springframework.data.jpa.repository.JpaRepository
import org.springframework.http.HttpStatus
import org.springframework.http.ProblemDetail
import org.springframework.http.converter.HttpMessageNotReadableException
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.bind.annotation.RestControllerAdvice
import org.springframework.web.server.ResponseStatusException
import java.util.UUID

@Entity
@Table(name = "orders")
class Order(@Id @SaibanId @IdText var id: Long? = null, var item: String = "", @IdText var replaces: Long? = null)

@Entity
class Document(@Id @SaibanId var id: UUID? = null)

@Entity
class Receipt(@Id @SaibanId("receiptIds") var id: String? = null)

interface Orders : JpaRepository<Order, Long>

interface Documents : JpaRepository<Document, UUID>

interface Receipts : JpaRepository<Receipt, String>

/** The body of a request. */
class NewOrder(val item: String, @IdText val replaces: Long?, @IdText val gifts: List<Long> = emptyList())

@RestController
class OrderApi(private val orders: Orders, private val documents: Documents, private val receipts: Receipts) {
    @PostMapping("/orders")
    fun create(@RequestBody order: NewOrder): Order = orders.save(Order(item = order.item, replaces = order.replaces))

    @GetMapping("/orders/{id}")
    fun read(@PathVariable id: Long): Order = orders.findById(id).orElseThrow { ResponseStatusException(HttpStatus.NOT_FOUND) }

    @PostMapping("/documents")
    fun createDocument(): Document = documents.save(Document())

    @PostMapping("/receipts")
    fun createReceipt(): Receipt = receipts.save(Receipt())
}

/** Returns status 400 with the reason. */
@RestControllerAdvice
class InvalidRequests {
    @ExceptionHandler
    fun refuse(error: HttpMessageNotReadableException): ProblemDetail =
        ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, error.mostSpecificCause.message?.lines()?.first())
}

@SpringBootApplication(proxyBeanMethods = false)
class Shop {
    @Bean
    fun orderIds(@Value("\${shop.secret}") secret: String, @Value("\${shop.store}") store: String): RandflakeGenerator =
        RandflakeGenerator(secret.hexToByteArray(), store = store)

    @Bean
    fun documentIds(): UuidGenerator = UuidGenerator(7)

    @Bean
    fun receiptIds(): UlidGenerator = UlidGenerator(prefix = "receipt")
}

fun main(arguments: Array<String>) {
    runApplication<Shop>(*arguments)
}
