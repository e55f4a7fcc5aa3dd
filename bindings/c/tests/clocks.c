/*
 * Rollback policies when the clock steps back, the first tick after a restart, and the statistics
 * of generators.
 */

#include "check.h"

#include <stdlib.h>

static const int64_t NOW_MS = 1763700000000;

static saiban_manual_clock *the_clock;

static saiban_generator *make(const saiban_layout *layout, int64_t rollback)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    options.clock = the_clock;
    options.layout = layout;
    options.rollback = rollback;
    options.node = 1;
    OK(saiban_snowflake_new(&options, &generator));
    return generator;
}

/* A small layout: 4 IDs a millisecond, and 2 rollback bits. */
static saiban_layout *small_layout(void)
{
    static const saiban_field FIELDS[] = {
        {SAIBAN_FIELD_UNUSED, 17}, {SAIBAN_FIELD_TIMESTAMP, 41}, {SAIBAN_FIELD_NODE, 4}, {SAIBAN_FIELD_SEQUENCE, 2}};
    saiban_layout *plain = NULL, *layout = NULL;
    OK(saiban_layout_new(FIELDS, sizeof FIELDS / sizeof *FIELDS, 1704067200000, 1000, &plain));
    OK(saiban_layout_with_rollback_bits(plain, 2, &layout));
    saiban_layout_free(plain);
    return layout;
}

static saiban_parts next(const saiban_generator *generator)
{
    saiban_parts parts;
    int64_t id;
    memset(&parts, 0, sizeof parts);
    OK(saiban_generate(generator, &id));
    OK(saiban_generator_inspect(generator, id, &parts));
    return parts;
}

static saiban_stats stats_of(const saiban_generator *generator)
{
    saiban_stats stats;
    memset(&stats, 0xff, sizeof stats);
    OK(saiban_generator_stats(generator, &stats, sizeof stats));
    return stats;
}

static void policy_error_fails_when_the_clock_steps_back(void)
{
    saiban_generator *generator = make(NULL, SAIBAN_ROLLBACK_ERROR);
    saiban_parts last = next(generator), parts;
    int64_t id = -99;
    bool ready;
    OK(saiban_manual_clock_advance(the_clock, -1));
    FAILS(SAIBAN_ERROR_CLOCK_BACKWARD, saiban_generate(generator, &id));
    FAILS(SAIBAN_ERROR_CLOCK_BACKWARD, saiban_try_generate(generator, &ready, &id, NULL));
    CHECK(id == -99);
    OK(saiban_manual_clock_advance(the_clock, 1));
    parts = next(generator);
    CHECK(parts.timestamp_ms == NOW_MS && parts.id == last.id + 1);
    CHECK(stats_of(generator).rollbacks == 1 && stats_of(generator).issued == 2);
    saiban_generator_free(generator);
}

static void policy_hold_continues_in_the_last_tick(void)
{
    saiban_generator *generator = make(NULL, SAIBAN_ROLLBACK_HOLD);
    saiban_parts last = next(generator), parts;
    OK(saiban_manual_clock_advance(the_clock, -5000));
    parts = next(generator);
    CHECK(parts.timestamp_ms == NOW_MS && parts.id == last.id + 1 && !parts.has_rollback);
    CHECK(stats_of(generator).rollbacks == 1);
    saiban_generator_free(generator);
}

static void rollback_bits_distinguish_ids_after_a_step_back(void)
{
    saiban_layout *layout = small_layout();
    saiban_generator *generator = make(layout, SAIBAN_NOT_GIVEN);
    saiban_parts before = next(generator), after;
    OK(saiban_manual_clock_advance(the_clock, -5));
    CHECK(before.has_rollback && before.rollback == 0);
    for (int64_t at_ms = NOW_MS - 5; at_ms <= NOW_MS; at_ms++) {
        OK(saiban_manual_clock_set(the_clock, at_ms));
        after = next(generator);
        CHECK(after.timestamp_ms == at_ms && after.has_rollback && after.rollback == 1 && after.node == before.node);
        CHECK(after.id != before.id);
    }
    CHECK(stats_of(generator).rollbacks == 1);
    saiban_generator_free(generator);
    saiban_layout_free(layout);
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static void generators_hold_after_the_last_rollback_value(void)
{
    enum { TICKS = 10, A_TICK = 4, VALUES = 4 };
    static int64_t ids[TICKS * A_TICK * VALUES + 1];
    size_t made = 0, written, equal = 0;
    saiban_layout *layout = small_layout();
    saiban_generator *generator = make(layout, SAIBAN_ROLLBACK_BITS);
    /* The clock shows each time again for each rollback value. */
    for (uint64_t value = 0; value < VALUES; value++) {
        for (int64_t tick = 0; tick < TICKS; tick++) {
            saiban_parts parts;
            OK(saiban_manual_clock_set(the_clock, NOW_MS + tick));
            OK(saiban_fill(generator, ids + made, A_TICK, &written));
            CHECK(written == A_TICK);
            made += written;
            OK(saiban_generator_inspect(generator, ids[made - 1], &parts));
            CHECK(parts.rollback == value && parts.timestamp_ms == NOW_MS + tick);
        }
    }
    CHECK(stats_of(generator).rollbacks == VALUES - 1 && stats_of(generator).issued == made);
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    FAILS(SAIBAN_ERROR_CLOCK_BACKWARD, saiban_generate(generator, ids + made));
    OK(saiban_manual_clock_set(the_clock, NOW_MS + TICKS - 1));
    FAILS(SAIBAN_ERROR_WOULD_WAIT, saiban_generate(generator, ids + made));
    OK(saiban_manual_clock_set(the_clock, NOW_MS + TICKS));
    OK(saiban_generate(generator, ids + made++));
    qsort(ids, made, sizeof *ids, compare);
    for (size_t index = 1; index < made; index++) {
        equal += ids[index] == ids[index - 1];
    }
    CHECK(equal == 0 && made == sizeof ids / sizeof *ids);
    saiban_generator_free(generator);
    saiban_layout_free(layout);
}

static void rollback_values_survive_compose_and_inspect(void)
{
    saiban_layout *layout = small_layout();
    saiban_generator *generator = make(layout, SAIBAN_NOT_GIVEN), *plain = make(NULL, SAIBAN_NOT_GIVEN);
    saiban_limits limits;
    saiban_parts parts;
    int64_t id = -99, same = 0;
    int32_t kind = 0;
    OK(saiban_layout_limits(layout, &limits));
    CHECK(limits.max_rollback == 3 && limits.max_node == 3 && limits.name == NULL);
    OK(saiban_field_from_name("rollback", SAIBAN_NUL_TERMINATED, &kind));
    CHECK(kind == SAIBAN_FIELD_ROLLBACK);
    for (int64_t rollback = 0; rollback < 4; rollback++) {
        OK(saiban_snowflake_compose_rollback(generator, NOW_MS, 2, 1, rollback, &id));
        OK(saiban_generator_inspect(generator, id, &parts));
        CHECK(parts.timestamp_ms == NOW_MS && parts.node == 2 && parts.sequence == 1);
        CHECK(parts.has_rollback && parts.rollback == (uint64_t)rollback);
        CHECK(!parts.has_secret_index);
    }
    OK(saiban_snowflake_compose(generator, NOW_MS, 2, 1, &same));
    OK(saiban_snowflake_compose_rollback(generator, NOW_MS, 2, 1, 0, &id));
    CHECK(id == same);
    FAILS(SAIBAN_ERROR_ROLLBACK_OUT_OF_RANGE, saiban_snowflake_compose_rollback(generator, NOW_MS, 2, 1, 4, &id));
    FAILS(SAIBAN_ERROR_ROLLBACK_OUT_OF_RANGE, saiban_snowflake_compose_rollback(generator, NOW_MS, 2, 1, -1, &id));
    FAILS(SAIBAN_ERROR_ROLLBACK_OUT_OF_RANGE, saiban_snowflake_compose_rollback(plain, NOW_MS, 2, 1, 1, &id));
    CHECK(id == same);
    saiban_generator_free(plain);
    saiban_generator_free(generator);
    saiban_layout_free(layout);
}

static void ids_begin_after_the_last_used_tick(void)
{
    static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {1, 2, 3};
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    saiban_parts parts;
    int64_t id;
    bool ready = true;
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    options.clock = the_clock;
    options.node = 1;
    options.not_before = NOW_MS;
    OK(saiban_snowflake_new(&options, &generator));
    OK(saiban_try_generate(generator, &ready, &id, NULL));
    CHECK(!ready);
    OK(saiban_manual_clock_advance(the_clock, 1));
    parts = next(generator);
    CHECK(parts.timestamp_ms == NOW_MS + 1);
    saiban_generator_free(generator);

    /* Randflake's times are seconds. */
    options.not_before = NOW_MS / 1000 + 60;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    OK(saiban_randflake_new(&options, &generator));
    FAILS(SAIBAN_ERROR_LEASE_NOT_BEGUN, saiban_generate(generator, &id));
    OK(saiban_manual_clock_set(the_clock, NOW_MS + 61000));
    parts = next(generator);
    CHECK(parts.timestamp_ms == NOW_MS + 61000);
    saiban_generator_free(generator);
}

static void stats_report_counts_time_left_and_guarantee(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = make(NULL, SAIBAN_NOT_GIVEN);
    saiban_stats stats = stats_of(generator);
    saiban_layout *layout = NULL;
    int64_t ids[5000];
    size_t written;
    CHECK(stats.issued == 0 && stats.waits == 0 && stats.rollbacks == 0 && stats.scope == SAIBAN_SCOPE_PROCESS);
    CHECK(stats.time_left_ms == UINT64_C(3487858230209) - (uint64_t)NOW_MS && stats.guarantee == SAIBAN_GUARANTEE_UNIQUE);
    CHECK(strcmp(saiban_guarantee_name(stats.guarantee), "unique") == 0);
    OK(saiban_fill(generator, ids, 5000, &written)); /* As many IDs as a tick has. */
    OK(saiban_manual_clock_advance(the_clock, 1));
    CHECK(next(generator).timestamp_ms == NOW_MS + 1);
    CHECK(stats_of(generator).issued == 4097);
    saiban_generator_free(generator);

    /* With the system's clock the generator waits: a tick of 10 ms has only 256 IDs. */
    OK(saiban_layout_preset("sonyflake", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout;
    options.node = 77;
    OK(saiban_snowflake_new(&options, &generator));
    OK(saiban_fill(generator, ids, 2560, &written));
    CHECK(written == 2560 && stats_of(generator).issued == 2560 && stats_of(generator).waits > 0);
    saiban_generator_free(generator);
    saiban_layout_free(layout);

    options.layout = NULL;
    options.node = SAIBAN_NOT_GIVEN;
    options.clock = the_clock;
    OK(saiban_ulid_flake_new(&options, &generator));
    CHECK(stats_of(generator).guarantee == SAIBAN_GUARANTEE_UNIQUE_IN_PROCESS);
    saiban_generator_free(generator);
    options.allow_collisions = 1;
    options.window_start = NOW_MS - 10;
    options.window_end = NOW_MS + 61;
    OK(saiban_ulid_flake_new(&options, &generator));
    stats = stats_of(generator);
    CHECK(stats.guarantee == SAIBAN_GUARANTEE_PROBABLE && stats.time_left_ms == 60);
    OK(saiban_manual_clock_advance(the_clock, 1000));
    CHECK(stats_of(generator).time_left_ms == 0);
    saiban_generator_free(generator);
}

static void rollback_policy_names_convert_both_ways(void)
{
    static const char *const NAMES[] = {"hold", "error", "bits"};
    for (int32_t policy = SAIBAN_ROLLBACK_HOLD; policy <= SAIBAN_ROLLBACK_BITS; policy++) {
        int32_t found = 0;
        CHECK(strcmp(saiban_rollback_name(policy), NAMES[policy - 1]) == 0);
        OK(saiban_rollback_from_name(NAMES[policy - 1], SAIBAN_NUL_TERMINATED, &found));
        CHECK(found == policy);
    }
}

int main(void)
{
    if (saiban_manual_clock_new(NOW_MS, &the_clock) != SAIBAN_OK) {
        return 1;
    }
    RUN(policy_error_fails_when_the_clock_steps_back);
    RUN(policy_hold_continues_in_the_last_tick);
    RUN(rollback_bits_distinguish_ids_after_a_step_back);
    RUN(generators_hold_after_the_last_rollback_value);
    RUN(rollback_values_survive_compose_and_inspect);
    RUN(ids_begin_after_the_last_used_tick);
    RUN(stats_report_counts_time_left_and_guarantee);
    RUN(rollback_policy_names_convert_both_ways);
    saiban_manual_clock_free(the_clock);
    return close_tests();
}
