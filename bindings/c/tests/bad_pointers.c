/* NULL and structs of an unknown size cause errors that explain this. */

#include "bad.h"

static void null_arguments_are_refused_with_their_name(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = snowflake();
    saiban_lease *lease = NULL;
    saiban_parts parts;
    saiban_stats stats;
    char text[SAIBAN_TEXT_CAPACITY];
    int64_t id;
    int32_t number;
    size_t count;
    bool ready;
    NULL_FOR("options", saiban_snowflake_new(NULL, &generator));
    NULL_FOR("generator", saiban_snowflake_new(&options, NULL));
    NULL_FOR("generator", saiban_randflake_new(&options, NULL));
    NULL_FOR("options", saiban_ulid_flake_new(NULL, &generator));
    NULL_FOR("options", saiban_options_init(NULL, sizeof options));
    NULL_FOR("generator", saiban_generate(NULL, &id));
    NULL_FOR("argument id", saiban_generate(generator, NULL));
    NULL_FOR("ready", saiban_try_generate(generator, NULL, &id, NULL));
    NULL_FOR("argument id", saiban_try_generate(generator, &ready, NULL, NULL));
    NULL_FOR("ids", saiban_fill(generator, NULL, 1, &count));
    NULL_FOR("written", saiban_fill(generator, &id, 1, NULL));
    NULL_FOR("buffer", saiban_generate_text(generator, 0, NULL, 9, NULL));
    NULL_FOR("generator", saiban_to_text(NULL, 1, 0, text, sizeof text, NULL));
    NULL_FOR("text", saiban_from_text(generator, NULL, 1, SAIBAN_STRICT, &id));
    NULL_FOR("text", saiban_from_text(generator, NULL, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, &id));
    NULL_FOR("argument id", saiban_from_text(generator, "1", 1, SAIBAN_STRICT, NULL));
    NULL_FOR("parts", saiban_generator_inspect(generator, 1, NULL));
    NULL_FOR("parts", saiban_inspect(1, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, NULL, 1, &count));
    NULL_FOR("count", saiban_inspect(1, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, &parts, 1, NULL));
    NULL_FOR("text", saiban_inspect_text(NULL, 1, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, &parts, 1, &count));
    NULL_FOR("scheme", saiban_generator_scheme(generator, NULL));
    NULL_FOR("generator", saiban_generator_lease(NULL, &lease));
    NULL_FOR("argument lease", saiban_generator_lease(generator, NULL));
    NULL_FOR("generator", saiban_generator_stats(NULL, &stats, sizeof stats));
    NULL_FOR("stats", saiban_generator_stats(generator, NULL, sizeof stats));
    NULL_FOR("argument id", saiban_snowflake_compose_rollback(generator, NOW_MS, 7, 0, 0, NULL));
    NULL_FOR("rollback", saiban_rollback_from_name("hold", 4, NULL));
    NULL_FOR("scope", saiban_scope_from_name("machine", 7, NULL));
    NULL_FOR("argument layout", saiban_layout_with_rollback_bits(NULL, 2, NULL));
    NULL_FOR("value", saiban_decode("1", 1, SAIBAN_ENCODING_HEX, SAIBAN_NOT_GIVEN, SAIBAN_STRICT, NULL));
    NULL_FOR("buffer", saiban_encode(1, SAIBAN_ENCODING_HEX, SAIBAN_NOT_GIVEN, NULL, 9, NULL));
    NULL_FOR("encoding", saiban_encoding_from_name("hex", 3, NULL));
    NULL_FOR("name", saiban_scheme_from_name(NULL, 3, &number));
    NULL_FOR("fields", saiban_layout_new(NULL, 0, 0, 1000, NULL));
    NULL_FOR("layout", saiban_layout_preset("twitter", 7, NULL));
    NULL_FOR("layout", saiban_layout_limits(NULL, NULL));
    NULL_FOR("secret", saiban_secret_from_hex("00", 2, NULL));
    NULL_FOR("clock", saiban_manual_clock_new(0, NULL));
    NULL_FOR("clock", saiban_manual_clock_set(NULL, 0));
    NULL_FOR("timestamp_ms", saiban_manual_clock_now_ms(the_clock, NULL));
    NULL_FOR("buffer", saiban_last_error_message(NULL, 9, NULL));
    saiban_generator_free(generator);
    saiban_generator_free(NULL);
    saiban_layout_free(NULL);
    saiban_manual_clock_free(NULL);
}

static void options_of_another_size_are_refused(void)
{
    saiban_options options = options_with_node(7), initialised;
    memset(&initialised, 0xff, sizeof initialised);
    OK(saiban_options_init(&initialised, sizeof initialised));
    {
        saiban_options by_macro = SAIBAN_OPTIONS_INIT;
        CHECK(memcmp(&by_macro, &initialised, sizeof by_macro) == 0);
    }
    options.size = 0; /* As if the program had not used SAIBAN_OPTIONS_INIT. */
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    message_contains("SAIBAN_OPTIONS_INIT", "size");
    options.size = sizeof options + 8;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_options_init(&initialised, sizeof initialised - 4));
}

static void shorter_options_of_older_programs_use_the_defaults(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = NULL;
    int64_t id;
    options.size = offsetof(saiban_options, not_before);
    memset((char *)&options + options.size, 0xff, sizeof options - options.size); /* Not in the program's struct. */
    OK(saiban_snowflake_new(&options, &generator));
    OK(saiban_generate(generator, &id));
    saiban_generator_free(generator);
    memset(&options, 0xee, sizeof options);
    OK(saiban_options_init(&options, offsetof(saiban_options, not_before)));
    CHECK(options.size == offsetof(saiban_options, not_before) && options.allow_collisions == SAIBAN_NOT_GIVEN);
    CHECK(*((unsigned char *)&options + options.size) == 0xee);
    static const size_t OLDER[] = {offsetof(saiban_options, lease), offsetof(saiban_options, scope),
                                   offsetof(saiban_options, prefix), offsetof(saiban_options, store)};
    for (size_t index = 0; index < sizeof OLDER / sizeof *OLDER; index++) {
        options = options_with_node(7);
        options.size = OLDER[index];
        memset((char *)&options + options.size, 0xff, sizeof options - options.size);
        OK(saiban_snowflake_new(&options, &generator));
        saiban_generator_free(generator);
    }
}

static void stats_of_another_size_are_refused(void)
{
    saiban_generator *generator = snowflake();
    saiban_stats stats;
    stats.issued = 77;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_stats(generator, &stats, 0));
    message_contains("size", "saiban_stats");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_stats(generator, &stats, sizeof stats - 1));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_stats(generator, &stats, sizeof stats + 8));
    CHECK(stats.issued == 77);
    OK(saiban_generator_stats(generator, &stats, sizeof stats));
    CHECK(stats.issued == 0);
    saiban_generator_free(generator);
}

static void run(void)
{
    RUN(null_arguments_are_refused_with_their_name);
    RUN(options_of_another_size_are_refused);
    RUN(shorter_options_of_older_programs_use_the_defaults);
    RUN(stats_of_another_size_are_refused);
}

int main(void) { return with_the_clock(run); }
