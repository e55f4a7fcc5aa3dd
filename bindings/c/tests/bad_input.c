/* Bad input is answered with the right error kind and a message with the limits, leaves results as they were, and the
 * process lives. */

#include "check.h"

#include <stdlib.h>

static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {0xdf, 0xfd, 0x60, 0x21, 0xbb, 0x2b, 0xd5, 0xb0,
                                                   0xaf, 0x67, 0x62, 0x90, 0x80, 0x9e, 0xc3, 0xa5};
enum { MS = 1000 };
static const int64_t NOW_MS = 1733706297000;

static saiban_manual_clock *the_clock;

static saiban_options options_with_node(int64_t node)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.clock = the_clock;
    options.node = node;
    return options;
}

static saiban_generator *snowflake(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = NULL;
    OK(saiban_snowflake_new(&options, &generator));
    return generator;
}

static saiban_generator *randflake(void)
{
    saiban_options options = options_with_node(42);
    saiban_generator *generator = NULL;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    OK(saiban_randflake_new(&options, &generator));
    return generator;
}

/* The last error's message, which holds all of these words. */
static void says(const char *first, const char *second)
{
    char message[SAIBAN_MESSAGE_CAPACITY];
    size_t len = 0;
    OK(saiban_last_error_message(message, sizeof message, &len));
    CHECK(len == strlen(message));
    if (strstr(message, first) == NULL || strstr(message, second) == NULL) {
        wrong(__FILE__, __LINE__, "\"%s\" lacks \"%s\" or \"%s\"", message, first, second);
    }
}

/* A generator that cannot be made: `generator` stays as it was. */
#define NOT_MADE(code, make, options)                                                                                  \
    do {                                                                                                               \
        saiban_generator *made_ = NULL;                                                                                \
        FAILS(code, make(&(options), &made_));                                                                         \
        CHECK(made_ == NULL);                                                                                          \
        saiban_generator_free(made_);                                                                                  \
    } while (0)

static void a_secret_of_the_wrong_length_is_refused_and_not_shown(void)
{
    static const size_t LENGTHS[] = {0, 1, 15, 17, 32};
    uint8_t secret[32];
    char message[SAIBAN_MESSAGE_CAPACITY];
    saiban_options options = options_with_node(42);
    memset(secret, 'S', sizeof secret);
    options.secret = secret;
    for (size_t index = 0; index < sizeof LENGTHS / sizeof *LENGTHS; index++) {
        options.secret_len = LENGTHS[index];
        NOT_MADE(SAIBAN_ERROR_INVALID_SECRET, saiban_randflake_new, options);
        says("16", "bytes");
        OK(saiban_last_error_message(message, sizeof message, NULL));
        CHECK(strstr(message, "SS") == NULL && strstr(message, "5353") == NULL && strstr(message, "83, 83") == NULL);
    }
    options.secret = NULL;
    options.secret_len = SAIBAN_SECRET_SIZE;
    NOT_MADE(SAIBAN_ERROR_INVALID_SECRET, saiban_randflake_new, options);

    memset(secret, 7, sizeof secret);
    FAILS(SAIBAN_ERROR_INVALID_SECRET, saiban_secret_from_hex("00", 2, secret));
    FAILS(SAIBAN_ERROR_INVALID_SECRET,
          saiban_secret_from_hex("g00102030405060708090a0b0c0d0e0f", SAIBAN_NUL_TERMINATED, secret));
    CHECK(secret[0] == 7);
    OK(saiban_secret_from_hex("000102030405060708090A0b0c0d0e0f", SAIBAN_NUL_TERMINATED, secret));
    CHECK(secret[10] == 10 && secret[15] == 15 && secret[16] == 7);
}

static void a_node_out_of_range_is_refused_with_the_limit(void)
{
    saiban_options options = options_with_node(1024);
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    says("1024", "1023");
    options.node = -1;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options.node = INT64_MIN;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options = options_with_node(131072);
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_randflake_new, options);
    says("131072", "131071");
    options = options_with_node(SAIBAN_NOT_GIVEN);
    options.nodes_first = 5;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options); /* A range without an end. */
    options.nodes_end = 5;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options = options_with_node(SAIBAN_NOT_GIVEN);
    options.scalability = 32;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_ulid_flake_new, options);
    says("32", "31");
}

static void neither_node_nor_range_is_an_error_and_never_node_0(void)
{
    saiban_options options = options_with_node(SAIBAN_NOT_GIVEN);
    NOT_MADE(SAIBAN_ERROR_NODE_REQUIRED, saiban_snowflake_new, options);
    says("1023", "node");
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    NOT_MADE(SAIBAN_ERROR_NODE_REQUIRED, saiban_randflake_new, options);
}

static void options_that_a_scheme_has_no_use_for_are_refused(void)
{
    saiban_options options = options_with_node(7);
    saiban_layout *layout = NULL;
    OK(saiban_layout_preset("discord", SAIBAN_NUL_TERMINATED, &layout));
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    options.layout = layout;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_randflake_new, options);
    options = options_with_node(7);
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_flake_new, options);
    options.entropy_size = 2;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    options = options_with_node(7);
    options.nodes_first = 0;
    options.nodes_end = 4;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options); /* Both node and nodes. */
    options = options_with_node(7);
    options.max_wait_ms = -1;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    options = options_with_node(SAIBAN_NOT_GIVEN);
    options.entropy_size = 4;
    NOT_MADE(SAIBAN_ERROR_INVALID_ENTROPY_SIZE, saiban_ulid_flake_new, options);
    options = options_with_node(SAIBAN_NOT_GIVEN);
    options.shards = 1;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_flake_new, options);
    says("shards", "node");
    saiban_layout_free(layout);
}

static void what_clocks_and_restarts_do_is_chosen_within_limits(void)
{
    static const int64_t NO_POLICIES[] = {0, 4, -1, INT64_MIN, INT64_MAX, ((int64_t)1 << 32) + 1};
    saiban_options options = options_with_node(SAIBAN_NOT_GIVEN);
    int32_t policy = -99;
    options.nodes_first = 8;
    options.nodes_end = 12;
    options.shards = 0;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    says("0 shards", "1 to 4");
    options.shards = 5;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options.shards = INT64_MIN;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options = options_with_node(7);
    options.max_jump_s = 0;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    says("max_jump_s", "1");
    options.max_jump_s = SAIBAN_NOT_GIVEN;
    for (size_t index = 0; index < sizeof NO_POLICIES / sizeof *NO_POLICIES; index++) {
        options.rollback = NO_POLICIES[index];
        NOT_MADE(SAIBAN_ERROR_UNKNOWN_NAME, saiban_snowflake_new, options);
        says("hold", "bits");
    }
    options.rollback = SAIBAN_ROLLBACK_BITS; /* Twitter's layout has none. */
    NOT_MADE(SAIBAN_ERROR_INVALID_LAYOUT, saiban_snowflake_new, options);
    says("rollback field", "with_rollback_bits");
    options.rollback = SAIBAN_NOT_GIVEN;
    options.not_before = INT64_MAX;
    NOT_MADE(SAIBAN_ERROR_INVALID_WINDOW, saiban_snowflake_new, options);
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_rollback_from_name("Hold", SAIBAN_NUL_TERMINATED, &policy));
    CHECK(policy == -99 && strcmp(saiban_rollback_name(0), "") == 0 && strcmp(saiban_guarantee_name(0), "") == 0);
}

static void rollback_bits_that_are_not_possible_are_refused_with_the_reason(void)
{
    static const uint32_t NO_WIDTHS[] = {0, 5, 10, 64, UINT32_MAX};
    saiban_layout *twitter = NULL, *changed = NULL, *twice = NULL;
    OK(saiban_layout_preset("twitter", SAIBAN_NUL_TERMINATED, &twitter));
    for (size_t index = 0; index < sizeof NO_WIDTHS / sizeof *NO_WIDTHS; index++) {
        FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_with_rollback_bits(twitter, NO_WIDTHS[index], &changed));
        CHECK(changed == NULL);
    }
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_with_rollback_bits(twitter, 5, &changed));
    says("5 bits", "1 to 4");
    OK(saiban_layout_with_rollback_bits(twitter, 2, &changed));
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_with_rollback_bits(changed, 2, &twice));
    CHECK(twice == NULL);
    saiban_layout_free(changed);
    saiban_layout_free(twitter);
}

static void secrets_that_cannot_be_tried_are_refused(void)
{
    uint8_t secrets[9 * SAIBAN_SECRET_SIZE] = {1};
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    size_t count = 77, size = SAIBAN_SECRET_SIZE;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT,
          saiban_inspect(1, SAIBAN_SCHEME_ANY, NULL, 0, secrets, size, parts, SAIBAN_CANDIDATES_MAX, &count));
    says("old_secrets", "secret");
    FAILS(SAIBAN_ERROR_INVALID_SECRET,
          saiban_inspect(1, SAIBAN_SCHEME_ANY, secrets, size, secrets, size + 1, parts, SAIBAN_CANDIDATES_MAX, &count));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_text("1", 1, SAIBAN_SCHEME_ANY, secrets, size, secrets, 8 * size,
                                                             parts, SAIBAN_CANDIDATES_MAX, &count));
    says("secrets", "8");
    CHECK(count == 77);
    OK(saiban_inspect(1, SAIBAN_SCHEME_RANDFLAKE, secrets, size, secrets, 0, parts, SAIBAN_CANDIDATES_MAX, &count));
    CHECK(count == 1 && !parts[0].has_secret_index);
    /* Decimal, and text of two schemes, under each secret. */
    OK(saiban_inspect_text("1234567890123", 13, SAIBAN_SCHEME_ANY, secrets, size, secrets + size, 7 * size, parts,
                           SAIBAN_CANDIDATES_MAX, &count));
    CHECK(count > 16 && count <= SAIBAN_CANDIDATES_MAX);
}

static void a_negative_or_too_late_time_is_refused_with_the_limit(void)
{
    saiban_generator *generator = snowflake();
    int64_t id = -99;
    FAILS(SAIBAN_ERROR_TIMESTAMP_BEFORE_EPOCH, saiban_snowflake_compose(generator, -1, 7, 0, &id));
    says("-1 ms", "1288834974657");
    FAILS(SAIBAN_ERROR_TIMESTAMP_OVERFLOW, saiban_snowflake_compose(generator, INT64_MAX, 7, 0, &id));
    says("9223372036854775807", "3487858230208");
    FAILS(SAIBAN_ERROR_SEQUENCE_OUT_OF_RANGE, saiban_snowflake_compose(generator, NOW_MS, 7, 4096, &id));
    says("4096", "4095");
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_compose(generator, NOW_MS, -7, 0, &id));
    OK(saiban_manual_clock_set(the_clock, 0));
    FAILS(SAIBAN_ERROR_TIMESTAMP_BEFORE_EPOCH, saiban_generate(generator, &id));
    OK(saiban_manual_clock_set(the_clock, 4000000000000));
    FAILS(SAIBAN_ERROR_TIMESTAMP_OVERFLOW, saiban_generate(generator, &id));
    FAILS(SAIBAN_ERROR_CLOCK_UNAVAILABLE, saiban_manual_clock_set(the_clock, -1));
    FAILS(SAIBAN_ERROR_CLOCK_UNAVAILABLE, saiban_manual_clock_advance(the_clock, INT64_MIN));
    CHECK(id == -99);
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    OK(saiban_generate(generator, &id));
    CHECK(id >= 0);
    saiban_generator_free(generator);
}

static void outside_its_window_a_generator_refuses(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = NULL;
    int64_t id = -99;
    options.window_start = NOW_MS + 10 * MS;
    options.window_end = NOW_MS + 20 * MS;
    OK(saiban_snowflake_new(&options, &generator));
    FAILS(SAIBAN_ERROR_LEASE_NOT_BEGUN, saiban_generate(generator, &id));
    says("1733706307000", "10 s");
    CHECK(id == -99);
    OK(saiban_manual_clock_advance(the_clock, 10 * MS));
    OK(saiban_generate(generator, &id));
    OK(saiban_manual_clock_advance(the_clock, 10 * MS));
    FAILS(SAIBAN_ERROR_LEASE_EXPIRED, saiban_generate(generator, &id));
    says("1733706317000", "window");
    saiban_generator_free(generator);
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    options.window_end = options.window_start;
    NOT_MADE(SAIBAN_ERROR_INVALID_WINDOW, saiban_snowflake_new, options);
    options.window_start = SAIBAN_NOT_GIVEN;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    says("one end only", "both");
}

static void a_clock_that_stands_still_or_goes_back_is_no_reason_to_repeat(void)
{
    saiban_generator *generator = snowflake();
    int64_t id, last = -1;
    bool ready;
    uint64_t wait_ns;
    for (int made = 0; made < 4096; made++) {
        OK(saiban_generate(generator, &id));
        CHECK(id > last);
        last = id;
    }
    FAILS(SAIBAN_ERROR_WOULD_WAIT, saiban_generate(generator, &id));
    OK(saiban_try_generate(generator, &ready, &id, &wait_ns));
    CHECK(!ready && wait_ns == 1000000 && id == last);
    OK(saiban_try_generate(generator, &ready, &id, NULL));
    OK(saiban_manual_clock_advance(the_clock, -60 * MS));
    FAILS(SAIBAN_ERROR_CLOCK_BACKWARD, saiban_generate(generator, &id));
    says("60 s", "2 ms");
    CHECK(id == last);
    OK(saiban_manual_clock_set(the_clock, NOW_MS + 1));
    OK(saiban_try_generate(generator, &ready, &id, &wait_ns));
    CHECK(ready && wait_ns == 0 && id > last);
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    saiban_generator_free(generator);
}

static void fill_stops_early_rather_than_fail(void)
{
    saiban_generator *generator = snowflake();
    int64_t *ids = calloc(5000, sizeof *ids);
    size_t written = 77;
    OK(saiban_fill(generator, ids, 5000, &written));
    CHECK(written == 4096 && ids[4095] > ids[0] && ids[4096] == 0);
    written = 77;
    FAILS(SAIBAN_ERROR_WOULD_WAIT, saiban_fill(generator, ids, 5000, &written));
    CHECK(written == 77);
    OK(saiban_fill(generator, ids, 0, &written));
    CHECK(written == 0);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_fill(generator, ids, SIZE_MAX / 8, &written));
    free(ids);
    saiban_generator_free(generator);
}

static void the_first_bad_character_is_named(void)
{
    static const char *const GOOD = "3vgoe12ccb8gh";
    saiban_generator *generator = randflake();
    int64_t id = -99;
    for (size_t position = 0; position < strlen(GOOD); position++) {
        char text[16];
        strcpy(text, GOOD);
        text[position] = '!';
        FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, text, strlen(text), SAIBAN_STRICT, &id));
        CHECK(saiban_last_error_position() == (int64_t)position);
        text[position] = (char)0xff; /* Never part of UTF-8. */
        FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, text, strlen(text), SAIBAN_STRICT, &id));
        CHECK(saiban_last_error_position() == (int64_t)position);
        text[position] = '\0'; /* In the middle of a text whose length is told. */
        FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, text, strlen(GOOD), SAIBAN_STRICT, &id));
        CHECK(saiban_last_error_position() == (int64_t)position);
    }
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, "3v\xc3\xa9", 4, SAIBAN_STRICT, &id));
    CHECK(saiban_last_error_position() == 2);
    says("position 2", "base32hex");
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, "3v\xc3", 3, SAIBAN_STRICT, &id)); /* Cut off. */
    CHECK(saiban_last_error_position() == 2 && id == -99);
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_randflake_compose(generator, NOW_MS, 131072, 0, &id));
    CHECK(saiban_last_error_position() == -1);
    saiban_generator_free(generator);
}

static void text_that_is_no_id_is_refused(void)
{
    saiban_generator *generator = randflake();
    int64_t value = -99;
    FAILS(SAIBAN_ERROR_TEXT_LENGTH, saiban_from_text(generator, "", 0, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_LENGTH, saiban_from_text(generator, "00000000000000", 14, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_OVERFLOW, saiban_from_text(generator, "g000000000000", 13, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_NOT_CANONICAL, saiban_from_text(generator, "3VGOE12CCB8GH", 13, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_NOT_CANONICAL, saiban_from_text(generator, "03vg", 4, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_from_text(generator, "3vgoe12ccb8gh", 13, 2, &value));
    CHECK(value == -99);
    OK(saiban_from_text(generator, "3VGOE12CCB8GH", 13, SAIBAN_LENIENT, &value));
    CHECK(value == 4594531474933654033);
    OK(saiban_from_text(generator, "3vgoe12ccb8gh and more", 13, SAIBAN_STRICT, &value));
    saiban_generator_free(generator);
}

static void unknown_numbers_and_names_are_refused(void)
{
    char text[SAIBAN_TEXT_CAPACITY] = "as it was";
    int32_t number = -99;
    int64_t value = -99;
    saiban_layout *layout = NULL;
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    size_t count = 77;
    saiban_field fields[] = {{99, 64}};
    static const int32_t UNKNOWN[] = {SAIBAN_ENCODING_CANONICAL, SAIBAN_ENCODING_URN + 1, -1, INT32_MIN, INT32_MAX};
    for (size_t index = 0; index < sizeof UNKNOWN / sizeof *UNKNOWN; index++) {
        FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_encode(1, UNKNOWN[index], SAIBAN_NOT_GIVEN, text, sizeof text, NULL));
        FAILS(SAIBAN_ERROR_UNKNOWN_NAME,
              saiban_decode("1", 1, UNKNOWN[index], SAIBAN_NOT_GIVEN, SAIBAN_STRICT, &value));
    }
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_inspect(1, 99, NULL, 0, NULL, 0, parts, SAIBAN_CANDIDATES_MAX, &count));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_encoding_from_name("base31", 6, &number));
    says("base31", "crockford");
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_scheme_from_name("Snowflake", SAIBAN_NUL_TERMINATED, &number));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_field_from_name("\xff", 1, &number));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_layout_preset("nowhere", SAIBAN_NUL_TERMINATED, &layout));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_layout_new(fields, 1, 0, 1000, &layout));
    CHECK(strcmp(saiban_encoding_name(99), "") == 0 && strcmp(saiban_scheme_name(99), "") == 0);
    CHECK(strcmp(text, "as it was") == 0 && value == -99 && number == -99 && layout == NULL && count == 77);
}

static void a_layout_that_is_not_possible_is_refused_with_the_reason(void)
{
    saiban_layout *layout = NULL;
    saiban_limits limits;
    enum { TOO_MANY = SAIBAN_FIELDS_MAX + 1 };
    saiban_field fields[TOO_MANY] = {{SAIBAN_FIELD_UNUSED, 1}, {SAIBAN_FIELD_TIMESTAMP, 14}};
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, 2, 0, 1000, &layout));
    says("15", "16");
    fields[1].bits = 41;
    fields[2].kind = SAIBAN_FIELD_NODE;
    fields[2].bits = 10;
    fields[3].kind = SAIBAN_FIELD_SEQUENCE;
    fields[3].bits = 12;
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, 4, 0, 0, &layout));
    says("tick", "1");
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, 0, 0, 1000, &layout));
    for (size_t index = 4; index < TOO_MANY; index++) {
        fields[index].kind = SAIBAN_FIELD_UNUSED;
        fields[index].bits = 1;
    }
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, TOO_MANY, 0, 1000, &layout));
    says("fields", "16");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_new(fields, SIZE_MAX / 4, 0, 1000, &layout));
    CHECK(layout == NULL);
    OK(saiban_layout_new(fields, 4, 1288834974657, 1000, &layout));
    OK(saiban_layout_limits(layout, &limits));
    CHECK(limits.name != NULL && strcmp(limits.name, "twitter") == 0 && limits.max_node == 1023);
    saiban_layout_free(layout);
}

static void a_buffer_too_small_stays_as_it_was(void)
{
    char text[] = "untouched";
    size_t len = 77;
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_encode(123456, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, text, 6, &len));
    says("6 bytes", "7");
    CHECK(strcmp(text, "untouched") == 0 && len == 77);
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_encode(1, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, text, 0, &len));
    OK(saiban_encode(123456, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, text, 7, &len));
    CHECK(strcmp(text, "123456") == 0 && len == 6);
    FAILS(SAIBAN_ERROR_WIDTH_OUT_OF_RANGE, saiban_encode(123456, SAIBAN_ENCODING_DECIMAL, 5, text, sizeof text, &len));
    FAILS(SAIBAN_ERROR_WIDTH_OUT_OF_RANGE, saiban_encode(1, SAIBAN_ENCODING_HEX, INT64_MIN, text, sizeof text, &len));
    says("hex", "16");
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_last_error_message(text, 4, &len));
    CHECK(strcmp(text, "123456") == 0);
    says("hex", "16"); /* The message is still there. */
}

static void a_number_that_is_no_id_is_refused(void)
{
    saiban_generator *generator = snowflake();
    saiban_parts parts;
    char text[SAIBAN_TEXT_CAPACITY] = "as it was";
    parts.id = -99;
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE, saiban_generator_inspect(generator, -1, &parts));
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE,
          saiban_to_text(generator, INT64_MIN, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE, saiban_generator_inspect_text(generator, "-1", 2, &parts));
    FAILS(SAIBAN_ERROR_TEXT_OVERFLOW, saiban_generator_inspect_text(generator, "9223372036854775808", 19, &parts));
    CHECK(parts.id == -99 && strcmp(text, "as it was") == 0);
    saiban_generator_free(generator);
}

static void a_generator_of_another_scheme_does_not_compose(void)
{
    saiban_generator *ids[] = {snowflake(), randflake()};
    int64_t id = -99;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_randflake_compose(ids[0], NOW_MS, 7, 0, &id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_compose(ids[1], NOW_MS, 7, 0, &id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_flake_compose(ids[0], NOW_MS, 7, SAIBAN_NOT_GIVEN, &id));
    CHECK(id == -99);
    saiban_generator_free(ids[0]);
    saiban_generator_free(ids[1]);
}

static void one_node_is_not_in_use_twice(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT; /* The system's clock. */
    saiban_generator *range = NULL, *same = NULL;
    options.nodes_first = 500;
    options.nodes_end = 504;
    OK(saiban_snowflake_new(&options, &range));
    OK(saiban_snowflake_new(&options, &same)); /* The very same nodes share a cursor. */
    options.nodes_end = 505;
    NOT_MADE(SAIBAN_ERROR_NODE_IN_USE, saiban_snowflake_new, options);
    says("500", "504");
    saiban_generator_free(range);
    saiban_generator_free(same);
}

#define NULL_FOR(argument, call)                                                                                       \
    do {                                                                                                               \
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, call);                                                                    \
        says(argument, "NULL");                                                                                        \
    } while (0)

static void null_is_an_error_that_names_the_argument(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = snowflake();
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
    NULL_FOR("generator", saiban_generator_stats(NULL, &stats, sizeof stats));
    NULL_FOR("stats", saiban_generator_stats(generator, NULL, sizeof stats));
    NULL_FOR("argument id", saiban_snowflake_compose_rollback(generator, NOW_MS, 7, 0, 0, NULL));
    NULL_FOR("rollback", saiban_rollback_from_name("hold", 4, NULL));
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
    options.size = 0; /* As where nobody began with SAIBAN_OPTIONS_INIT. */
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    says("SAIBAN_OPTIONS_INIT", "size");
    options.size = sizeof options + 8;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_options_init(&initialised, sizeof initialised - 8));
}

static void an_older_program_s_shorter_options_leave_the_rest_as_by_default(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = NULL;
    int64_t id;
    options.size = offsetof(saiban_options, not_before);
    memset((char *)&options + options.size, 0xff, sizeof options - options.size); /* Not the program's. */
    OK(saiban_snowflake_new(&options, &generator));
    OK(saiban_generate(generator, &id));
    saiban_generator_free(generator);
    memset(&options, 0xee, sizeof options);
    OK(saiban_options_init(&options, offsetof(saiban_options, not_before)));
    CHECK(options.size == offsetof(saiban_options, not_before) && options.allow_collisions == SAIBAN_NOT_GIVEN);
    CHECK(*((unsigned char *)&options + options.size) == 0xee);
}

static void stats_of_another_size_are_refused(void)
{
    saiban_generator *generator = snowflake();
    saiban_stats stats;
    stats.issued = 77;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_stats(generator, &stats, 0));
    says("size", "saiban_stats");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_stats(generator, &stats, sizeof stats - 1));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_stats(generator, &stats, sizeof stats + 8));
    CHECK(stats.issued == 77);
    OK(saiban_generator_stats(generator, &stats, sizeof stats));
    CHECK(stats.issued == 0);
    saiban_generator_free(generator);
}

int main(void)
{
    if (saiban_manual_clock_new(NOW_MS, &the_clock) != SAIBAN_OK) {
        return 1;
    }
    RUN(a_secret_of_the_wrong_length_is_refused_and_not_shown);
    RUN(a_node_out_of_range_is_refused_with_the_limit);
    RUN(neither_node_nor_range_is_an_error_and_never_node_0);
    RUN(options_that_a_scheme_has_no_use_for_are_refused);
    RUN(a_negative_or_too_late_time_is_refused_with_the_limit);
    RUN(outside_its_window_a_generator_refuses);
    RUN(a_clock_that_stands_still_or_goes_back_is_no_reason_to_repeat);
    RUN(fill_stops_early_rather_than_fail);
    RUN(the_first_bad_character_is_named);
    RUN(text_that_is_no_id_is_refused);
    RUN(unknown_numbers_and_names_are_refused);
    RUN(a_layout_that_is_not_possible_is_refused_with_the_reason);
    RUN(a_buffer_too_small_stays_as_it_was);
    RUN(a_number_that_is_no_id_is_refused);
    RUN(a_generator_of_another_scheme_does_not_compose);
    RUN(one_node_is_not_in_use_twice);
    RUN(null_is_an_error_that_names_the_argument);
    RUN(what_clocks_and_restarts_do_is_chosen_within_limits);
    RUN(rollback_bits_that_are_not_possible_are_refused_with_the_reason);
    RUN(secrets_that_cannot_be_tried_are_refused);
    RUN(options_of_another_size_are_refused);
    RUN(an_older_program_s_shorter_options_leave_the_rest_as_by_default);
    RUN(stats_of_another_size_are_refused);
    saiban_manual_clock_free(the_clock);
    return close_tests();
}
