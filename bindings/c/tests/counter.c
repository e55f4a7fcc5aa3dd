/* Counters in memory and in a real store. Usage: counter URL */

#define _POSIX_C_SOURCE 200809L
#include "counter.h"

#include <pthread.h>
#include <stdlib.h>

static void memory_counters_count_in_steps_to_the_maximum(void)
{
    saiban_counter *counter = NULL;
    saiban_counter_prefetch status;
    int64_t numbers[4] = {-9, -9, -9, -9};
    size_t written = 99;
    bool ready = false;
    OK(saiban_counter_new(2, 5, &counter));
    CHECK(next_of(counter) == 2);
    OK(saiban_counter_try_generate(counter, &ready, &numbers[0]));
    CHECK(ready && numbers[0] == 7);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_status(counter, &status, sizeof status));
    saiban_counter_free(counter);
    OK(saiban_counter_new(INT64_MAX - 2, 2, &counter));
    OK(saiban_counter_fill(counter, numbers, 4, &written));
    CHECK(written == 2 && numbers[0] == INT64_MAX - 2 && numbers[1] == INT64_MAX && numbers[2] == -9);
    FAILS(SAIBAN_ERROR_COUNTER_EXHAUSTED, saiban_counter_generate(counter, &numbers[3]));
    CHECK(numbers[3] == -9);
    saiban_counter_free(counter);
    saiban_counter_free(NULL);
}

static void store_counters_count_in_steps_and_blocks(void)
{
    saiban_counter_options options = counter_options("steps");
    saiban_counter *one, *other;
    saiban_counter_prefetch status;
    int64_t numbers[3] = {0, 0, 0};
    size_t written = 0;
    options.start = 2;
    options.step = 5;
    options.block_size = 10;
    one = opened(&options);
    other = opened(&options);
    CHECK(next_of(one) == 2);
    OK(saiban_counter_fill(other, numbers, 3, &written));
    CHECK(written == 3 && numbers[0] == 52 && numbers[1] == 57 && numbers[2] == 62);
    CHECK(next_of(one) == 7);
    memset(&status, 0xff, sizeof status);
    OK(saiban_counter_status(one, &status, sizeof status));
    CHECK(status.prefetched == 8 && status.block_size == 10 && status.calls == 1 && status.error == SAIBAN_OK);
    CHECK(strcmp(status.why, "") == 0);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_status(one, &status, sizeof status - 1));
    saiban_counter_free(other);
    options.step = 4;
    other = opened(&options);
    FAILS(SAIBAN_ERROR_COUNTER_MISMATCH, saiban_counter_generate(other, &numbers[0]));
    message_contains("from 2 by 5", "from 2 by 4");
    saiban_counter_free(other);
    saiban_counter_free(one);
}

enum { THREADS = 4, EACH = 2000 };

static saiban_counter *shared;
static int64_t taken[THREADS][EACH];

static void *take(void *thread)
{
    int64_t *numbers = thread;
    for (size_t index = 0; index < EACH; index++) {
        if (saiban_counter_generate(shared, &numbers[index]) != SAIBAN_OK) return NULL;
    }
    return thread;
}

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

static void threads_get_each_number_once(void)
{
    saiban_counter_options options = counter_options("threads");
    pthread_t threads[THREADS];
    size_t equal = 0;
    shared = opened(&options);
    for (size_t index = 0; index < THREADS; index++) {
        CHECK(pthread_create(&threads[index], NULL, take, taken[index]) == 0);
    }
    for (size_t index = 0; index < THREADS; index++) {
        void *result = NULL;
        CHECK(pthread_join(threads[index], &result) == 0 && result != NULL);
    }
    qsort(taken, (size_t)THREADS * EACH, sizeof taken[0][0], compare);
    for (size_t index = 1; index < (size_t)THREADS * EACH; index++) {
        equal += ((int64_t *)taken)[index] == ((int64_t *)taken)[index - 1];
    }
    CHECK(equal == 0);
    saiban_counter_free(shared);
}

static void daily_numbers_have_a_day_and_a_text(void)
{
    saiban_counter_options options = counter_options("daily");
    saiban_daily *daily = NULL;
    char text[64] = "", small[4] = "abc";
    int64_t number = -9;
    int32_t day = -9;
    size_t len = 0;
    options.zone = "Asia/Tokyo";
    options.format = "INV {date:%Y%m%d}/{n:03}";
    options.start = 0;
    OK(saiban_daily_open(url, SAIBAN_NUL_TERMINATED, &options, &daily));
    OK(saiban_daily_generate(daily, &day, &number, text, sizeof text, &len));
    CHECK(number == 0 && day > 20000 && len == 16 && strlen(text) == len && strncmp(text, "INV 20", 6) == 0);
    CHECK(strcmp(text + 12, "/000") == 0);
    /* The text needs 4 + 8 + 1 + 19 digits and a NUL. If it does not fit, no number is used. */
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_daily_generate(daily, NULL, &number, small, sizeof small, NULL));
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_daily_generate(daily, NULL, &number, text, 32, NULL));
    message_contains("32", "33");
    /* After midnight in Tokyo the counter starts again. */
    OK(saiban_daily_generate(daily, NULL, &number, text, 33, NULL));
    CHECK(number == 1 || number == 0);
    saiban_daily_free(daily);
    saiban_daily_free(NULL);
    options.step = 2;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_daily_open(url, SAIBAN_NUL_TERMINATED, &options, &daily));
    options.step = SAIBAN_NOT_GIVEN;
    options.zone = "Mars/Olympus";
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_daily_open(url, SAIBAN_NUL_TERMINATED, &options, &daily));
    message_contains("Mars/Olympus", "UTC");
    options.zone = NULL;
    options.format = "{n}";
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_daily_open(url, SAIBAN_NUL_TERMINATED, &options, &daily));
}

static void invalid_counter_options_are_refused(void)
{
    saiban_counter_options options = counter_options("refused");
    saiban_counter *counter = NULL;
    int64_t number = -9;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_new(-1, 1, &counter));
    message_contains("start at -1", "0 to");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_new(1, 0, &counter));
    options.gapless = 1;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_open(url, SAIBAN_NUL_TERMINATED, &options, &counter));
    message_contains("gaps", "rolled back");
    options = counter_options("refused");
    options.block_size = 0;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_open(url, SAIBAN_NUL_TERMINATED, &options, &counter));
    message_contains("block_size is 0", "1000000");
    options = counter_options("refused");
    options.zone = "UTC";
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_open(url, SAIBAN_NUL_TERMINATED, &options, &counter));
    message_contains("zone", "saiban_daily_open");
    options = counter_options("refused");
    options.size--;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_counter_open(url, SAIBAN_NUL_TERMINATED, &options, &counter));
    FAILS(SAIBAN_ERROR_STORE_UNSUPPORTED, saiban_counter_open("etcd://127.0.0.1:1", SAIBAN_NUL_TERMINATED, NULL, &counter));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT,
          saiban_counter_open("postgres://me:hush@h/db#x", SAIBAN_NUL_TERMINATED, NULL, &counter));
    message_omits("hush");
    CHECK(counter == NULL);
    options = counter_options("never-created");
    options.create = 0;
    counter = opened(&options);
    FAILS(SAIBAN_ERROR_COUNTER_UNKNOWN, saiban_counter_generate(counter, &number));
    CHECK(number == -9);
    saiban_counter_free(counter);
}

static void scripts_are_generated_only_for_supported_layouts(void)
{
    static char text[SAIBAN_SCRIPT_CAPACITY];
    saiban_layout *layout = NULL, *random = NULL;
    char small[8] = "";
    size_t len = 0;
    OK(saiban_layout_from_text("unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12", SAIBAN_NUL_TERMINATED, &layout));
    OK(saiban_layout_redis_script(layout, text, sizeof text, &len));
    CHECK(len == strlen(text) && strstr(text, "epoch=2020-02-02") != NULL && strstr(text, "redis.call") != NULL);
    OK(saiban_layout_redis_library(layout, "ids", SAIBAN_NUL_TERMINATED, text, sizeof text, &len));
    CHECK(strncmp(text, "#!lua name=ids\n", 15) == 0);
    OK(saiban_layout_postgres_function(layout, "order_id", SAIBAN_NUL_TERMINATED, 1023, text, sizeof text, NULL));
    CHECK(strstr(text, "FUNCTION order_id() RETURNS bigint") != NULL);
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE,
          saiban_layout_postgres_function(layout, "order_id", SAIBAN_NUL_TERMINATED, 1024, text, sizeof text, NULL));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_redis_library(layout, "Ids", 3, text, sizeof text, NULL));
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_layout_redis_script(layout, small, sizeof small, NULL));
    OK(saiban_layout_from_text("timestamp:41 random:20", SAIBAN_NUL_TERMINATED, &random));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_redis_script(random, text, sizeof text, NULL));
    saiban_layout_free(layout);
    saiban_layout_free(random);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: counter URL\n");
        return 2;
    }
    url = argv[1];
    RUN(memory_counters_count_in_steps_to_the_maximum);
    RUN(store_counters_count_in_steps_and_blocks);
    RUN(threads_get_each_number_once);
    RUN(daily_numbers_have_a_day_and_a_text);
    RUN(invalid_counter_options_are_refused);
    RUN(scripts_are_generated_only_for_supported_layouts);
    return close_tests();
}
