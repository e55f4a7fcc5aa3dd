/*
 * State files: a restarted program repeats no ID, even if the clock was set back or the last run
 * was killed.
 */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t NOW_MS = 1763700000000;

static saiban_manual_clock *the_clock;
static char folder[] = "/tmp/saiban-state-XXXXXX";
/* A path is bytes: this one is not UTF-8. */
static char path[sizeof folder + 16];

static saiban_options options_with_state(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.clock = the_clock;
    options.node = 7;
    options.state = path;
    return options;
}

static saiban_generator *open_state(void)
{
    saiban_options options = options_with_state();
    saiban_generator *generator = NULL;
    OK(saiban_snowflake_new(&options, &generator));
    return generator;
}

/* Removes the file and its lock, the only files in the folder. */
static void remove_state(void)
{
    char lock[sizeof path + 8];
    snprintf(lock, sizeof lock, "%s.lock", path);
    CHECK(unlink(path) == 0);
    (void)unlink(lock);
}

static void a_restart_with_an_earlier_clock_repeats_no_ids(void)
{
    int64_t last = 0, id;
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    for (int run = 0; run < 4; run++) {
        saiban_generator *generator = open_state();
        saiban_parts parts;
        if (run > 0) {
            OK(saiban_manual_clock_set(the_clock, NOW_MS - 3600000));
            FAILS(SAIBAN_ERROR_CLOCK_BACKWARD, saiban_generate(generator, &id));
            OK(saiban_manual_clock_set(the_clock, NOW_MS + run - 1)); /* The last tick of the run before. */
            CHECK(saiban_generate(generator, &id) == SAIBAN_ERROR_WOULD_WAIT);
            OK(saiban_manual_clock_set(the_clock, NOW_MS + run)); /* A clean end wastes no tick. */
        }
        OK(saiban_generate(generator, &id));
        OK(saiban_generator_inspect(generator, id, &parts));
        CHECK(id > last && parts.timestamp_ms == NOW_MS + run);
        last = id;
        saiban_generator_free(generator);
    }
    remove_state();
}

static void a_state_file_in_use_is_refused(void)
{
    saiban_generator *generator = open_state(), *second = NULL;
    saiban_options options = options_with_state();
    options.node = 8;
    FAILS(SAIBAN_ERROR_STATE_IN_USE, saiban_snowflake_new(&options, &second));
    saiban_generator_free(generator);
    options.node = 7;
    OK(saiban_snowflake_new(&options, &second));
    saiban_generator_free(second);
    remove_state();
}

static void state_files_of_another_node_or_scheme_are_refused(void)
{
    static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {1, 2, 3};
    saiban_generator *generator = open_state(), *other = NULL;
    saiban_options options = options_with_state();
    int64_t id;
    OK(saiban_generate(generator, &id));
    saiban_generator_free(generator);
    options.node = 8;
    FAILS(SAIBAN_ERROR_STATE_MISMATCH, saiban_snowflake_new(&options, &other));
    options.node = 7;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    FAILS(SAIBAN_ERROR_STATE_MISMATCH, saiban_randflake_new(&options, &other));
    CHECK(other == NULL);
    remove_state();
}

static void a_missing_folder_is_an_error_with_the_path(void)
{
    saiban_options options = options_with_state();
    saiban_generator *generator = NULL;
    char message[SAIBAN_MESSAGE_CAPACITY];
    options.state = "/nonexistent/state";
    FAILS(SAIBAN_ERROR_STATE_UNAVAILABLE, saiban_snowflake_new(&options, &generator));
    OK(saiban_last_error_message(message, sizeof message, NULL));
    CHECK(strstr(message, "nonexistent") != NULL);
    options.state = "";
    FAILS(SAIBAN_ERROR_STATE_UNAVAILABLE, saiban_snowflake_new(&options, &generator));
    options.state = folder;
    FAILS(SAIBAN_ERROR_STATE_UNAVAILABLE, saiban_snowflake_new(&options, &generator));
    CHECK(generator == NULL);
}

/* Writes each ID to this pipe until the process is killed. */
static void run_until_killed(int pipe_end)
{
    saiban_options options = options_with_state();
    saiban_generator *generator = NULL;
    saiban_error error = saiban_snowflake_new(&options, &generator);
    int64_t id = -(int64_t)error;
    while (error == SAIBAN_OK) {
        error = saiban_generate(generator, &id);
        if (error == SAIBAN_ERROR_WOULD_WAIT || error == SAIBAN_ERROR_CLOCK_BACKWARD) {
            error = saiban_manual_clock_advance(the_clock, 1);
        } else if (error != SAIBAN_OK || write(pipe_end, &id, sizeof id) != (ssize_t)sizeof id) {
            break;
        }
    }
    _exit(1);
}

static void a_restart_after_a_kill_repeats_no_ids(void)
{
    enum { RUNS = 5, IDS = 20000 };
    int64_t last = 0, id = 0;
    OK(saiban_manual_clock_set(the_clock, NOW_MS)); /* Every run starts at this time. */
    for (int run = 0; run < RUNS; run++) {
        saiban_options options = options_with_state();
        saiban_generator *second = NULL;
        int ends[2] = {-1, -1}, read_ids = 0;
        pid_t child;
        int64_t before = last;
        CHECK(pipe(ends) == 0);
        child = fork();
        if (child == 0) {
            run_until_killed(ends[1]);
        }
        close(ends[1]);
        while (read(ends[0], &id, sizeof id) == (ssize_t)sizeof id) {
            CHECK(id > last && id > before);
            last = id;
            if (++read_ids == 1) {
                FAILS(SAIBAN_ERROR_STATE_IN_USE, saiban_snowflake_new(&options, &second));
            } else if (read_ids == IDS) {
                CHECK(kill(child, SIGKILL) == 0);
            }
        }
        CHECK(read_ids >= IDS && waitpid(child, NULL, 0) == child && second == NULL);
        close(ends[0]);
    }
    remove_state();
}

int main(void)
{
    if (saiban_manual_clock_new(NOW_MS, &the_clock) != SAIBAN_OK || mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/st\xe4te", folder);
    RUN(a_restart_with_an_earlier_clock_repeats_no_ids);
    RUN(a_state_file_in_use_is_refused);
    RUN(state_files_of_another_node_or_scheme_are_refused);
    RUN(a_missing_folder_is_an_error_with_the_path);
    RUN(a_restart_after_a_kill_repeats_no_ids);
    saiban_manual_clock_free(the_clock);
    return close_tests() == 0 && rmdir(folder) == 0 ? 0 : 1;
}
