/*
 * Schemes reproduce the published examples, error codes have the right names, and inspection finds
 * the scheme of an ID.
 */

#include "check.h"

static const int64_t NOW_MS = 1763700000000;

static saiban_manual_clock *the_clock;

static saiban_generator *make(saiban_error (*new_generator)(const saiban_options *, saiban_generator **),
                              const saiban_options *options)
{
    saiban_generator *generator = NULL;
    OK(new_generator(options, &generator));
    return generator;
}

static void check_text(const saiban_generator *generator, int64_t id, const char *wanted)
{
    char text[SAIBAN_TEXT_CAPACITY];
    size_t len = 0;
    int64_t back = 0;
    OK(saiban_to_text(generator, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, &len));
    CHECK(strcmp(text, wanted) == 0 && len == strlen(wanted));
    OK(saiban_from_text(generator, wanted, len, SAIBAN_STRICT, &back));
    CHECK(back == id);
}

static void randflake_matches_the_authors_examples(void)
{
    static const struct {
        const char *secret;
        int64_t timestamp_s, node, sequence, id;
        const char *text;
    } EXAMPLES[] = {
        {"dffd6021bb2bd5b0af676290809ec3a5", 1733706297, 42, 1, 4594531474933654033, "3vgoe12ccb8gh"},
        {"00000000000000000000000000000000", 1730000001, 0, 0, 2111581968557607991, "1qjeojjevu31n"},
        {"000102030405060708090a0b0c0d0e0f", 1730000123, 1, 1, -232447010193727000, "fphhelk04q8f8"},
    };
    for (size_t index = 0; index < sizeof EXAMPLES / sizeof *EXAMPLES; index++) {
        uint8_t secret[SAIBAN_SECRET_SIZE];
        saiban_options options = SAIBAN_OPTIONS_INIT;
        saiban_generator *generator;
        saiban_parts parts;
        int64_t id = 0;
        OK(saiban_secret_from_hex(EXAMPLES[index].secret, SAIBAN_NUL_TERMINATED, secret));
        options.secret = secret;
        options.secret_len = sizeof secret;
        options.node = 0;
        options.clock = the_clock;
        generator = make(saiban_randflake_new, &options);
        OK(saiban_randflake_compose(generator, EXAMPLES[index].timestamp_s * 1000 + 999, EXAMPLES[index].node,
                                    EXAMPLES[index].sequence, &id));
        CHECK(id == EXAMPLES[index].id);
        check_text(generator, id, EXAMPLES[index].text);
        OK(saiban_generator_inspect(generator, id, &parts));
        CHECK(parts.scheme == SAIBAN_SCHEME_RANDFLAKE && parts.timestamp_ms == EXAMPLES[index].timestamp_s * 1000);
        CHECK(parts.has_node && (int64_t)parts.node == EXAMPLES[index].node);
        CHECK(parts.has_sequence && (int64_t)parts.sequence == EXAMPLES[index].sequence);
        CHECK(!parts.has_random && parts.layout == NULL);
        saiban_generator_free(generator);
    }
}

static void ulid_flake_matches_the_specifications_examples(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator;
    saiban_parts parts;
    int64_t id = 0;
    options.clock = the_clock;
    generator = make(saiban_ulid_flake_new, &options);
    OK(saiban_ulid_flake_compose(generator, 1717653966666, 627498, SAIBAN_NOT_GIVEN, &id));
    CHECK(id == 14246757444195114);
    check_text(generator, id, "00CMXB6TAK4SA");
    OK(saiban_generator_inspect_text(generator, "00cmxb6tak4sa", 13, &parts)); /* In any case. */
    CHECK(parts.id == id && parts.has_random && parts.random == 627498 && !parts.has_node && !parts.has_sequence);
    saiban_generator_free(generator);

    options.epoch_ms = 0;
    generator = make(saiban_ulid_flake_new, &options);
    OK(saiban_from_text(generator, "1J1SMJD9CE74J", SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, &id));
    CHECK(id == 1803467983138790546);
    saiban_generator_free(generator);
}

static void snowflake_matches_discords_example(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = NULL;
    saiban_generator *generator;
    saiban_parts parts;
    int64_t id = 0;
    OK(saiban_layout_preset("discord", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout;
    options.node = 0;
    options.clock = the_clock;
    generator = make(saiban_snowflake_new, &options);
    saiban_layout_free(layout); /* The generator keeps what it needs. */
    OK(saiban_snowflake_compose(generator, 1462015105796, 32, 7, &id));
    CHECK(id == 175928847299117063);
    check_text(generator, id, "175928847299117063");
    OK(saiban_generator_inspect(generator, id, &parts));
    CHECK(parts.layout != NULL && strcmp(parts.layout, "discord") == 0 && parts.sequence == 7 && parts.node == 32);
    saiban_generator_free(generator);
}

/* github.com/f4b6a3/tsid-creator, TsidTest.java and TsidFormatTest.java. */
static void tsid_matches_its_authors_examples(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator;
    saiban_parts parts;
    int64_t upper = 0, lower = 0;
    options.node = 0;
    options.clock = the_clock;
    generator = make(saiban_tsid_new, &options);
    check_text(generator, -1, "FZZZZZZZZZZZZ");
    check_text(generator, 10, "000000000000A");
    OK(saiban_from_text(generator, "0123456789ABC", 13, SAIBAN_STRICT, &upper));
    OK(saiban_from_text(generator, "0123456789abc", 13, SAIBAN_STRICT, &lower)); /* In any case. */
    CHECK(upper == lower);
    FAILS(SAIBAN_ERROR_TEXT_LENGTH, saiban_from_text(generator, "0123456789AB", 12, SAIBAN_LENIENT, &upper));
    FAILS(SAIBAN_ERROR_TEXT_OVERFLOW, saiban_from_text(generator, "G000000000000", 13, SAIBAN_STRICT, &upper));
    OK(saiban_generator_inspect(generator, -1, &parts)); /* 2159-05-15T07:35:11.103Z */
    CHECK(parts.scheme == SAIBAN_SCHEME_TSID && parts.timestamp_ms == 1577836800000 + ((int64_t)1 << 42) - 1);
    saiban_generator_free(generator);
}

static void tsid_layouts_limit_nodes_and_sequences(void)
{
    static const struct {
        const char *name;
        int64_t nodes, per_tick;
    } LAYOUTS[] = {{"tsid-256", 256, 16384}, {"tsid-1024", 1024, 4096}, {"tsid-4096", 4096, 1024}};
    for (size_t index = 0; index < sizeof LAYOUTS / sizeof *LAYOUTS; index++) {
        int64_t nodes = LAYOUTS[index].nodes, last = LAYOUTS[index].per_tick - 1, id = 0, again = 0;
        saiban_options options = SAIBAN_OPTIONS_INIT;
        saiban_generator *generator, *none = NULL;
        saiban_layout *layout = NULL;
        saiban_parts parts;
        OK(saiban_layout_preset(LAYOUTS[index].name, SAIBAN_NUL_TERMINATED, &layout));
        options.layout = layout;
        options.node = nodes;
        options.clock = the_clock;
        FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_tsid_new(&options, &none));
        options.node = nodes - 1;
        generator = make(saiban_tsid_new, &options);
        saiban_layout_free(layout);
        for (int64_t made = 0; made <= last; made++) {
            OK(saiban_generate(generator, &id));
        }
        FAILS(SAIBAN_ERROR_WOULD_WAIT, saiban_generate(generator, &again));
        OK(saiban_generator_inspect(generator, id, &parts));
        CHECK(parts.timestamp_ms == NOW_MS && (int64_t)parts.node == nodes - 1 && (int64_t)parts.sequence == last);
        OK(saiban_tsid_compose(generator, NOW_MS, nodes - 1, last, &again));
        CHECK(again == id);
        FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_tsid_compose(generator, NOW_MS, nodes, 0, &again));
        FAILS(SAIBAN_ERROR_SEQUENCE_OUT_OF_RANGE, saiban_tsid_compose(generator, NOW_MS, 0, last + 1, &again));
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_compose(generator, NOW_MS, 0, 0, &again));
        saiban_generator_free(generator);
    }
}

/* Every SAIBAN_ERROR_... of the header. */
static const struct {
    saiban_error number;
    const char *name;
} KINDS[] = {
#define KIND(name) {SAIBAN_ERROR_##name, #name}
    KIND(CLOCK_BACKWARD),       KIND(CLOCK_UNAVAILABLE),     KIND(TIMESTAMP_BEFORE_EPOCH), KIND(TIMESTAMP_OVERFLOW),
    KIND(WOULD_WAIT),           KIND(LEASE_NOT_BEGUN),       KIND(LEASE_EXPIRED),          KIND(INVALID_WINDOW),
    KIND(NODE_REQUIRED),        KIND(NODE_OUT_OF_RANGE),     KIND(SEQUENCE_OUT_OF_RANGE),  KIND(RANDOM_OUT_OF_RANGE),
    KIND(ID_OUT_OF_RANGE),      KIND(INVALID_SECRET),        KIND(INVALID_LAYOUT),         KIND(INVALID_ENTROPY_SIZE),
    KIND(ENTROPY_UNAVAILABLE),  KIND(TEXT_LENGTH),           KIND(TEXT_CHARACTER),         KIND(TEXT_OVERFLOW),
    KIND(TEXT_NOT_CANONICAL),   KIND(WIDTH_OUT_OF_RANGE),    KIND(UNKNOWN_NAME),           KIND(BUFFER_TOO_SMALL),
    KIND(INVALID_ARGUMENT),     KIND(WRONG_TYPE),            KIND(INTERNAL),               KIND(NODE_IN_USE),
    KIND(FORKED),               KIND(CLOCK_JUMPED),          KIND(STATE_IN_USE),           KIND(STATE_MISMATCH),
    KIND(STATE_UNAVAILABLE),    KIND(ROLLBACK_OUT_OF_RANGE), KIND(NOT_TIME_ORDERED),       KIND(STORE_UNAVAILABLE),
    KIND(STORE_CORRUPT),        KIND(STORE_UNSUPPORTED),     KIND(NAMESPACE_UNKNOWN),      KIND(NAMESPACE_MISMATCH),
    KIND(NAMESPACE_FULL),       KIND(NAMESPACE_QUARANTINED), KIND(CLOCK_SKEW),             KIND(LEASE_LOST),
    KIND(COUNTER_UNKNOWN),      KIND(COUNTER_MISMATCH),      KIND(COUNTER_BEHIND),         KIND(COUNTER_EXHAUSTED),
};

static void every_error_code_has_a_name_and_meaning(void)
{
    size_t count = sizeof KINDS / sizeof *KINDS;
    CHECK(count == SAIBAN_ERROR_LAST);
    for (size_t index = 0; index < count; index++) {
        CHECK(KINDS[index].number == (saiban_error)index + 1);
        CHECK(strcmp(saiban_error_name(KINDS[index].number), KINDS[index].name) == 0);
        CHECK(strlen(saiban_error_meaning(KINDS[index].number)) > 10);
    }
    CHECK(strcmp(saiban_error_name(SAIBAN_OK), "OK") == 0);
    CHECK(strcmp(saiban_error_name(SAIBAN_ERROR_LAST + 1), "") == 0);
    CHECK(strcmp(saiban_error_meaning(-1), "") == 0);
}

static void inspection_returns_the_most_likely_scheme_first(void)
{
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    uint8_t secret[SAIBAN_SECRET_SIZE];
    size_t count = 0;
    OK(saiban_secret_from_hex("dffd6021bb2bd5b0af676290809ec3a5", 32, secret));
    OK(saiban_inspect_text("00CMXB6TAK4SA", 13, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, parts, SAIBAN_CANDIDATES_MAX, &count));
    CHECK(count >= 1 && parts[0].scheme == SAIBAN_SCHEME_ULID_FLAKE && parts[0].id == 14246757444195114);
    OK(saiban_inspect(4594531474933654033, SAIBAN_SCHEME_RANDFLAKE, secret, sizeof secret, NULL, 0, parts,
                      SAIBAN_CANDIDATES_MAX, &count));
    CHECK(count == 1 && parts[0].node == 42 && parts[0].timestamp_ms == 1733706297000);
    OK(saiban_inspect(4594531474933654033, SAIBAN_SCHEME_RANDFLAKE, NULL, 0, NULL, 0, parts, SAIBAN_CANDIDATES_MAX, &count));
    CHECK(count == 0);
    OK(saiban_inspect(175928847299117063, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, parts, 1, &count));
    CHECK(count == 1);
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER,
          saiban_inspect_text("00CMXB6TAK4S!", 13, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, parts, SAIBAN_CANDIDATES_MAX, &count));
    CHECK(saiban_last_error_position() == 12);
    FAILS(SAIBAN_ERROR_INVALID_SECRET, saiban_inspect(1, SAIBAN_SCHEME_ANY, secret, 15, NULL, 0, parts, 1, &count));
}

static void every_encoding_decodes_its_own_text(void)
{
    static const int64_t VALUES[] = {0, 1, -1, INT64_MIN, INT64_MAX, 4594531474933654033};
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator;
    char text[SAIBAN_TEXT_CAPACITY];
    int64_t back;
    int32_t number;
    for (int32_t encoding = SAIBAN_ENCODING_DECIMAL; encoding <= SAIBAN_ENCODING_BASE64URL; encoding++) {
        OK(saiban_encoding_from_name(saiban_encoding_name(encoding), SAIBAN_NUL_TERMINATED, &number));
        CHECK(number == encoding);
        for (size_t index = 0; index < sizeof VALUES / sizeof *VALUES; index++) {
            OK(saiban_encode(VALUES[index], encoding, SAIBAN_NOT_GIVEN, text, sizeof text, NULL));
            OK(saiban_decode(text, SAIBAN_NUL_TERMINATED, encoding, SAIBAN_NOT_GIVEN, SAIBAN_STRICT, &back));
            CHECK(back == VALUES[index]);
        }
    }
    options.node = 1;
    options.clock = the_clock;
    generator = make(saiban_snowflake_new, &options);
    OK(saiban_generate_text(generator, SAIBAN_ENCODING_BASE62, text, sizeof text, NULL));
    OK(saiban_decode(text, strlen(text), SAIBAN_ENCODING_BASE62, SAIBAN_NOT_GIVEN, SAIBAN_STRICT, &back));
    OK(saiban_generator_scheme(generator, &number));
    CHECK(number == SAIBAN_SCHEME_SNOWFLAKE);
    saiban_generator_free(generator);
}

static void a_freed_clock_keeps_working_for_its_generators(void)
{
    saiban_manual_clock *own = NULL;
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator;
    saiban_parts parts;
    int64_t id, now_ms = 0;
    OK(saiban_manual_clock_new(NOW_MS - 1, &own));
    options.clock = own;
    options.scalability = 31;
    options.entropy_size = 2;
    generator = make(saiban_ulid_flake_new, &options);
    OK(saiban_manual_clock_advance(own, 1));
    OK(saiban_manual_clock_now_ms(own, &now_ms));
    CHECK(now_ms == NOW_MS);
    saiban_manual_clock_free(own);
    OK(saiban_generate(generator, &id));
    OK(saiban_generator_inspect(generator, id, &parts));
    CHECK(parts.timestamp_ms == NOW_MS && parts.has_node && parts.node == 31);
    saiban_generator_free(generator);
}

static void fill_waits_for_ticks_of_the_system_clock(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator;
    int64_t ids[10000];
    size_t written = 0;
    options.node = 3;
    generator = make(saiban_snowflake_new, &options);
    OK(saiban_fill(generator, ids, 10000, &written)); /* It waits: two milliseconds have fewer. */
    CHECK(written == 10000);
    for (size_t index = 1; index < written; index++) {
        CHECK(ids[index] > ids[index - 1]);
    }
    saiban_generator_free(generator);
}

int main(void)
{
    if (saiban_manual_clock_new(NOW_MS, &the_clock) != SAIBAN_OK) {
        return 1;
    }
    printf("saiban %s\n", saiban_version());
    RUN(randflake_matches_the_authors_examples);
    RUN(ulid_flake_matches_the_specifications_examples);
    RUN(snowflake_matches_discords_example);
    RUN(tsid_matches_its_authors_examples);
    RUN(tsid_layouts_limit_nodes_and_sequences);
    RUN(every_error_code_has_a_name_and_meaning);
    RUN(inspection_returns_the_most_likely_scheme_first);
    RUN(every_encoding_decodes_its_own_text);
    RUN(a_freed_clock_keeps_working_for_its_generators);
    RUN(fill_waits_for_ticks_of_the_system_clock);
    saiban_manual_clock_free(the_clock);
    return close_tests();
}
