/* Inserts with retries, into a table that is an array. */

#include "bad.h"

enum { EVENTS = 2000, PROGRAMS = 20, KEY = 32 };

struct table {
    size_t rows, tries, refused;
    /* The result of every insert; with SAIBAN_INSERTED, the table checks the key first. */
    int32_t result;
    int64_t last;
    char keys[EVENTS][KEY];
};

static struct table table;

static int32_t insert(void *context, int64_t id, const char *text, size_t len)
{
    struct table *into = context;
    into->tries++;
    into->last = id;
    CHECK(strlen(text) == len && len < KEY);
    if (into->result != SAIBAN_INSERTED) return into->result;
    for (size_t row = 0; row < into->rows; row++) {
        if (strcmp(into->keys[row], text) == 0) return SAIBAN_INSERT_CONFLICT;
    }
    if (into->rows == EVENTS) {
        into->refused++;
        return 77;
    }
    strcpy(into->keys[into->rows++], text);
    return SAIBAN_INSERTED;
}

static void empty_the_table(void)
{
    memset(&table, 0, sizeof table);
}

/* Tick IDs of twenty programs whose clocks stand still. A tick has a thousand of them. */
static void a_conflict_is_retried_with_another_id(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *programs[PROGRAMS];
    int32_t result = -9;
    options.clock = the_clock;
    empty_the_table();
    for (size_t index = 0; index < PROGRAMS; index++) {
        OK(saiban_tick_id_new(SAIBAN_TICK_ORDER_DESCENDING, &options, &programs[index]));
    }
    for (size_t event = 0; event < EVENTS; event++) {
        OK(saiban_insert_unique(programs[event % PROGRAMS], 5, insert, &table, &result));
        CHECK(result == SAIBAN_INSERTED);
    }
    CHECK(table.rows == EVENTS && table.tries > EVENTS && table.last == 0);
    /* Other errors cause no retry. The ID of such an insert may already exist. */
    OK(saiban_insert_unique(programs[0], 100, insert, &table, &result));
    CHECK(result == 77 && table.refused == 1);
    for (size_t index = 0; index < PROGRAMS; index++) {
        saiban_generator_free(programs[index]);
    }
}

static void the_last_conflict_is_returned_after_all_attempts(void)
{
    saiban_generator *ids = randflake();
    int32_t result = -9;
    empty_the_table();
    table.result = SAIBAN_INSERT_CONFLICT;
    OK(saiban_insert_unique(ids, 3, insert, &table, &result));
    CHECK(result == SAIBAN_INSERT_CONFLICT && table.tries == 3 && table.last != 0);
    saiban_generator_free(ids);
}

static void invalid_insert_arguments_are_refused(void)
{
    saiban_generator *ids = snowflake();
    int32_t result = -9;
    empty_the_table();
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_insert_unique(ids, 0, insert, &table, &result));
    message_contains("attempts is 0", "1 or more");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_insert_unique(ids, 1, NULL, &table, &result));
    message_contains("insert is NULL", "give a pointer");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_insert_unique(NULL, 1, insert, &table, &result));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_insert_unique(ids, 1, insert, &table, NULL));
    /* Without an ID, nothing is inserted. */
    OK(saiban_manual_clock_set(the_clock, 0));
    FAILS(SAIBAN_ERROR_TIMESTAMP_BEFORE_EPOCH,
          saiban_insert_unique(ids, 1, insert, &table, &result));
    CHECK(result == -9 && table.tries == 0);
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    saiban_generator_free(ids);
}

int main(void)
{
    OK(saiban_manual_clock_new(NOW_MS, &the_clock));
    RUN(a_conflict_is_retried_with_another_id);
    RUN(the_last_conflict_is_returned_after_all_attempts);
    RUN(invalid_insert_arguments_are_refused);
    saiban_manual_clock_free(the_clock);
    return close_tests();
}
