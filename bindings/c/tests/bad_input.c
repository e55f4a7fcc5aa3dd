/*
 * Bad options, times and clocks cause the right error kind and a message with the limits. They
 * change no results, and do not end the process.
 */

#include "bad.h"

#include <stdlib.h>

enum { MS = 1000 };

static void invalid_secrets_are_refused_and_not_shown(void)
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
        message_contains("16", "bytes");
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

static void nodes_out_of_range_are_refused_with_the_limit(void)
{
    saiban_options options = options_with_node(1024);
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    message_contains("1024", "1023");
    options.node = -1;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options.node = INT64_MIN;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options = options_with_node(131072);
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_randflake_new, options);
    message_contains("131072", "131071");
    options = options_with_node(SAIBAN_NOT_GIVEN);
    options.nodes_first = 5;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options); /* A range without an end. */
    options.nodes_end = 5;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options = options_with_node(SAIBAN_NOT_GIVEN);
    options.scalability = 32;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_ulid_flake_new, options);
    message_contains("32", "31");
}

static void a_generator_without_a_node_is_refused(void)
{
    saiban_options options = options_with_node(SAIBAN_NOT_GIVEN);
    NOT_MADE(SAIBAN_ERROR_NODE_REQUIRED, saiban_snowflake_new, options);
    message_contains("1023", "node");
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    NOT_MADE(SAIBAN_ERROR_NODE_REQUIRED, saiban_randflake_new, options);
}

static void options_invalid_for_the_scheme_are_refused(void)
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
    message_contains("ulid-flake", "shards");
    saiban_layout_free(layout);
}

static void invalid_shards_and_clock_options_are_refused(void)
{
    static const int64_t INVALID_POLICIES[] = {0,         4,         -1,
                                               INT64_MIN, INT64_MAX, ((int64_t)1 << 32) + 1};
    saiban_options options = options_with_node(SAIBAN_NOT_GIVEN);
    int32_t policy = -99;
    options.nodes_first = 8;
    options.nodes_end = 12;
    options.shards = 0;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    message_contains("0 shards", "1 to 4");
    options.shards = 5;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options.shards = INT64_MIN;
    NOT_MADE(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_new, options);
    options = options_with_node(7);
    options.max_jump_s = 0;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    message_contains("max_jump_s", "1");
    options.max_jump_s = SAIBAN_NOT_GIVEN;
    for (size_t index = 0; index < sizeof INVALID_POLICIES / sizeof *INVALID_POLICIES; index++) {
        options.rollback = INVALID_POLICIES[index];
        NOT_MADE(SAIBAN_ERROR_UNKNOWN_NAME, saiban_snowflake_new, options);
        message_contains("hold", "bits");
    }
    options.rollback = SAIBAN_ROLLBACK_BITS; /* Twitter's layout has none. */
    NOT_MADE(SAIBAN_ERROR_INVALID_LAYOUT, saiban_snowflake_new, options);
    message_contains("rollback field", "with_rollback_bits");
    options.rollback = SAIBAN_NOT_GIVEN;
    options.not_before = INT64_MAX;
    NOT_MADE(SAIBAN_ERROR_INVALID_WINDOW, saiban_snowflake_new, options);
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_rollback_from_name("Hold", SAIBAN_NUL_TERMINATED, &policy));
    CHECK(policy == -99 && strcmp(saiban_rollback_name(0), "") == 0 && strcmp(saiban_guarantee_name(0), "") == 0);
}

static void invalid_and_unsupported_scopes_are_refused(void)
{
    static const int64_t INVALID_SCOPES[] = {0,         3,         -1,
                                             INT64_MIN, INT64_MAX, ((int64_t)1 << 32) + 1};
    saiban_options options = options_with_node(7);
    int32_t scope = -99;
    for (size_t index = 0; index < sizeof INVALID_SCOPES / sizeof *INVALID_SCOPES; index++) {
        options.scope = INVALID_SCOPES[index];
        NOT_MADE(SAIBAN_ERROR_UNKNOWN_NAME, saiban_snowflake_new, options);
        message_contains("process", "machine");
    }
    options.clock = the_clock;
    options.scope = SAIBAN_SCOPE_MACHINE; /* A manual clock has no machine scope. */
    NOT_MADE(SAIBAN_ERROR_STATE_UNAVAILABLE, saiban_snowflake_new, options);
    message_contains("machine", "process");
    options = options_with_node(SAIBAN_NOT_GIVEN);
    for (int32_t wanted = SAIBAN_SCOPE_PROCESS; wanted <= SAIBAN_SCOPE_MACHINE; wanted++) {
        options.scope = wanted;
        NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_new, options);
        message_contains("ulid", "scope");
        NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_object_id_new, options);
    }
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_scope_from_name("Machine", SAIBAN_NUL_TERMINATED, &scope));
    CHECK(scope == -99 && strcmp(saiban_scope_name(0), "") == 0);
}

static void times_and_parts_out_of_range_are_refused(void)
{
    saiban_generator *generator = snowflake();
    int64_t id = -99;
    FAILS(SAIBAN_ERROR_TIMESTAMP_BEFORE_EPOCH, saiban_snowflake_compose(generator, -1, 7, 0, &id));
    message_contains("-1 ms", "1288834974657");
    FAILS(SAIBAN_ERROR_TIMESTAMP_OVERFLOW, saiban_snowflake_compose(generator, INT64_MAX, 7, 0, &id));
    message_contains("9223372036854775807", "3487858230208");
    FAILS(SAIBAN_ERROR_SEQUENCE_OUT_OF_RANGE, saiban_snowflake_compose(generator, NOW_MS, 7, 4096, &id));
    message_contains("4096", "4095");
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

static void generators_make_ids_only_within_their_window(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = NULL;
    int64_t id = -99;
    options.window_start = NOW_MS + 10 * MS;
    options.window_end = NOW_MS + 20 * MS;
    OK(saiban_snowflake_new(&options, &generator));
    FAILS(SAIBAN_ERROR_LEASE_NOT_BEGUN, saiban_generate(generator, &id));
    message_contains("1733706307000", "10 s");
    CHECK(id == -99);
    OK(saiban_manual_clock_advance(the_clock, 10 * MS));
    OK(saiban_generate(generator, &id));
    OK(saiban_manual_clock_advance(the_clock, 10 * MS));
    FAILS(SAIBAN_ERROR_LEASE_EXPIRED, saiban_generate(generator, &id));
    message_contains("1733706317000", "window");
    saiban_generator_free(generator);
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    options.window_end = options.window_start;
    NOT_MADE(SAIBAN_ERROR_INVALID_WINDOW, saiban_snowflake_new, options);
    options.window_start = SAIBAN_NOT_GIVEN;
    NOT_MADE(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new, options);
    message_contains("only one bound", "both");
}

static void ids_never_repeat_if_clocks_stop_or_step_back(void)
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
    message_contains("60 s", "2 ms");
    CHECK(id == last);
    OK(saiban_manual_clock_set(the_clock, NOW_MS + 1));
    OK(saiban_try_generate(generator, &ready, &id, &wait_ns));
    CHECK(ready && wait_ns == 0 && id > last);
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    saiban_generator_free(generator);
}

static void fill_stops_when_the_tick_is_exhausted(void)
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

static void compose_refuses_a_generator_of_another_scheme(void)
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

static void overlapping_node_ranges_are_refused_unless_equal(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT; /* The system's clock. */
    saiban_generator *range = NULL, *same = NULL;
    options.nodes_first = 500;
    options.nodes_end = 504;
    OK(saiban_snowflake_new(&options, &range));
    OK(saiban_snowflake_new(&options, &same)); /* Generators with equal ranges share a cursor. */
    options.nodes_end = 505;
    NOT_MADE(SAIBAN_ERROR_NODE_IN_USE, saiban_snowflake_new, options);
    message_contains("500", "504");
    saiban_generator_free(range);
    saiban_generator_free(same);
}

static void run(void)
{
    RUN(invalid_secrets_are_refused_and_not_shown);
    RUN(nodes_out_of_range_are_refused_with_the_limit);
    RUN(a_generator_without_a_node_is_refused);
    RUN(options_invalid_for_the_scheme_are_refused);
    RUN(times_and_parts_out_of_range_are_refused);
    RUN(generators_make_ids_only_within_their_window);
    RUN(ids_never_repeat_if_clocks_stop_or_step_back);
    RUN(fill_stops_when_the_tick_is_exhausted);
    RUN(compose_refuses_a_generator_of_another_scheme);
    RUN(overlapping_node_ranges_are_refused_unless_equal);
    RUN(invalid_shards_and_clock_options_are_refused);
    RUN(invalid_and_unsupported_scopes_are_refused);
}

int main(void) { return with_the_clock(run); }
