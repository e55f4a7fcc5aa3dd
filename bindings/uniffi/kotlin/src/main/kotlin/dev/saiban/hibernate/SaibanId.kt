package dev.saiban.hibernate

import dev.saiban.Generator
import dev.saiban.SaibanException
import dev.saiban.WideTextGenerator
import dev.saiban.WideUuidGenerator
import org.hibernate.annotations.IdGeneratorType
import org.hibernate.engine.spi.SharedSessionContractImplementor
import org.hibernate.generator.AnnotationBasedGenerator
import org.hibernate.generator.BeforeExecutionGenerator
import org.hibernate.generator.EventType
import org.hibernate.generator.EventTypeSets
import org.hibernate.generator.GeneratorCreationContext
import org.hibernate.id.IdentifierGenerationException
import org.hibernate.resource.beans.container.spi.BeanContainer
import org.hibernate.resource.beans.container.spi.ContainedBean
import org.hibernate.resource.beans.spi.BeanInstanceProducer
import org.hibernate.resource.beans.spi.ManagedBeanRegistry
import java.lang.reflect.Field
import java.lang.reflect.Member
import java.lang.reflect.Method
import java.util.EnumSet
import java.util.UUID

/**
 * The key of a JPA entity is an ID of one of the application's generators. Needs Hibernate 6.6 or
 * 7.
 *
 * With Spring Boot, the generator is a bean. Without a container of beans, set Hibernate's property
 * `saiban.generator` to the generator; the property comes first if there are both.
 *
 * ```kotlin
 * @Bean
 * fun ids() = RandflakeGenerator(secret, store = "postgres://db/shop")
 *
 * @Entity
 * class Order(@Id @SaibanId var id: Long? = null)
 * ```
 *
 * A key of type `Long` needs a generator of `Long`s, and a key of type `UUID` one of UUIDs. A
 * `String` is the text of any generator, which begins with the generator's prefix, if it has one.
 *
 * [value] is the name of the bean, or what follows `saiban.generator.` in the property's name.
 * Without a name, the bean is the only one of the key's type: for a `String`, a generator whose IDs
 * are text, such as ULIDs.
 *
 * Errors are Hibernate's `IdentifierGenerationException`, when a key is generated. Its cause is
 * [SaibanException.UnknownName] if there is no such property or bean, or more than one bean;
 * [SaibanException.WrongType] if the IDs have another type; or the generator's own error.
 */
@IdGeneratorType(SaibanIdGenerator::class)
@Target(AnnotationTarget.FIELD, AnnotationTarget.FUNCTION, AnnotationTarget.PROPERTY_GETTER)
@MustBeDocumented
public annotation class SaibanId(val value: String = "")

/** Hibernate's property for the generator. */
private const val PROPERTY = "saiban.generator"

/** Hibernate creates one of these for each key with [SaibanId]. */
internal class SaibanIdGenerator : BeforeExecutionGenerator, AnnotationBasedGenerator<SaibanId> {
    private lateinit var name: String
    private lateinit var key: String
    private lateinit var type: Class<*>

    /** Generates a key. Looked up for the first key, so that the generator may be a lazy bean. */
    @Transient
    @Volatile
    private var generate: (() -> Any)? = null

    override fun initialize(annotation: SaibanId, member: Member, context: GeneratorCreationContext) {
        name = annotation.value
        key = "${member.declaringClass.simpleName}.${member.name}"
        type = (if (member is Field) member.type else (member as Method).returnType).kotlin.javaObjectType
    }

    override fun getEventTypes(): EnumSet<EventType> = EventTypeSets.INSERT_ONLY

    override fun generate(session: SharedSessionContractImplementor, owner: Any, currentValue: Any?, eventType: EventType): Any = try {
        (generate ?: keysOf(generator(session)).also { generate = it })()
    } catch (error: SaibanException) {
        // Proxies, such as Spring Data's, hide checked exceptions.
        throw IdentifierGenerationException(error.message, error)
    }

    private fun generator(session: SharedSessionContractImplementor): Any {
        val property = if (name.isEmpty()) PROPERTY else "$PROPERTY.$name"
        session.factory.properties[property]?.let { return it }
        val beans = session.factory.serviceRegistry.requireService(ManagedBeanRegistry::class.java).beanContainer
            ?: throw SaibanException.UnknownName("the key $key has no generator: set Hibernate's property $property to one")
        return when {
            name.isNotEmpty() -> Lookup("the bean '$name'").let { beans.getBean(name, Any::class.java, it, it) }
            type == UUID::class.java -> beans.only(WideUuidGenerator::class.java)
            type == String::class.java -> beans.only(WideTextGenerator::class.java)
            else -> beans.only(Generator::class.java)
        }.beanInstance
    }

    private fun <Ids : Any> BeanContainer.only(generator: Class<Ids>): ContainedBean<Ids> =
        Lookup("exactly one bean whose IDs are ${type.simpleName}s, or name one, as in @SaibanId(\"orderIds\")")
            .let { getBean(generator, it, it) }

    private fun keysOf(ids: Any): () -> Any = when (type) {
        Long::class.javaObjectType -> (ids as? Generator)?.let { it::generate }
        UUID::class.java -> (ids as? WideUuidGenerator)?.let { it::generate }
        String::class.java -> when (ids) {
            is Generator -> ({ ids.generateText() })
            is WideUuidGenerator -> ({ ids.generateText() })
            is WideTextGenerator -> ids::generate
            else -> null
        }
        else -> null
    } ?: throw SaibanException.WrongType(
        "the key $key is a ${type.simpleName}, and its generator a ${ids.javaClass.simpleName}: " +
            "use a Long, UUID or String, as the generator makes",
    )

    /** Looks up a bean that exists. The container calls [produceBeanInstance] if there is none. */
    private inner class Lookup(private val wanted: String) : BeanContainer.LifecycleOptions, BeanInstanceProducer {
        override fun canUseCachedReferences(): Boolean = false

        override fun useJpaCompliantCreation(): Boolean = false

        override fun <B> produceBeanInstance(beanType: Class<B>): B =
            throw SaibanException.UnknownName("the key $key has no generator: define $wanted")

        override fun <B> produceBeanInstance(name: String, beanType: Class<B>): B = produceBeanInstance(beanType)
    }
}
