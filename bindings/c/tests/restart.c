/*
 * A restarted program repeats no ID. Each run is a forked process that returns its result through a
 * pipe.
 */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t system_ms(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_REALTIME, &now) == 0);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

typedef saiban_error (*maker)(const saiban_options *, saiban_generator **);

/* The result of a run. */
struct found {
    saiban_error error;
    int64_t id;
    saiban_parts parts;
};

/* Makes a generator and an ID in a process of its own. */
static struct found run(maker new_generator, const saiban_options *options)
{
    struct found found = {SAIBAN_ERROR_INTERNAL, 0, {0}};
    int ends[2] = {-1, -1};
    pid_t child;
    CHECK(pipe(ends) == 0);
    child = fork();
    if (child == 0) {
        saiban_generator *generator = NULL;
        found.error = new_generator(options, &generator);
        if (found.error == SAIBAN_OK) {
            found.error = saiban_generate(generator, &found.id);
        }
        if (found.error == SAIBAN_OK) {
            found.error = saiban_generator_inspect(generator, found.id, &found.parts);
        }
        _exit(write(ends[1], &found, sizeof found) == (ssize_t)sizeof found ? 0 : 1);
    }
    close(ends[1]);
    CHECK(child > 0 && read(ends[0], &found, sizeof found) == (ssize_t)sizeof found);
    close(ends[0]);
    CHECK(waitpid(child, NULL, 0) == child);
    return found;
}

/*
 * Starts several runs within a tick. Each begins with a later tick than that in which it started.
 */
static void check_runs_use_later_ticks(maker new_generator, const saiban_options *options, int runs,
                                       int64_t tick_ms)
{
    int64_t last_ms = 0;
    for (int index = 0; index < runs; index++) {
        int64_t begun_ms = system_ms();
        struct found found = run(new_generator, options);
        CHECK(found.error == SAIBAN_OK);
        CHECK(found.parts.timestamp_ms / tick_ms > begun_ms / tick_ms && found.parts.timestamp_ms > last_ms);
        last_ms = found.parts.timestamp_ms;
    }
}

static void restarted_programs_repeat_no_snowflake_ids(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = NULL;
    OK(saiban_layout_preset("sonyflake", SAIBAN_NUL_TERMINATED, &layout)); /* Ticks of 10 ms. */
    options.layout = layout;
    options.node = 7;
    options.scope = SAIBAN_SCOPE_PROCESS;
    check_runs_use_later_ticks(saiban_snowflake_new, &options, 20, 10);
    saiban_layout_free(layout);
}

static void restarted_programs_repeat_no_randflake_ids(void)
{
    static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {1, 2, 3};
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    options.node = 7;
    options.scope = SAIBAN_SCOPE_PROCESS;
    check_runs_use_later_ticks(saiban_randflake_new, &options, 2, 1000);
}

/* On one machine, each run continues where the last one stopped, even within a tick. */
static void restarted_programs_continue_after_the_last_id(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = NULL;
    int64_t last = 0;
    OK(saiban_layout_preset("sonyflake", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout;
    options.node = 8;
    for (int index = 0; index < 100; index++) {
        struct found found = run(saiban_snowflake_new, &options);
        CHECK(found.error == SAIBAN_OK && found.id > last);
        last = found.id;
    }
    saiban_layout_free(layout);
}

int main(void)
{
    RUN(restarted_programs_repeat_no_snowflake_ids);
    RUN(restarted_programs_repeat_no_randflake_ids);
    RUN(restarted_programs_continue_after_the_last_id);
    return close_tests();
}
