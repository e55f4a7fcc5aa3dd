/*
 * Generators of one machine with equal nodes repeat no ID: in other programs, in forked children,
 * and in one process.
 *
 * Usage: scope, or scope NODE COUNT, which writes this many IDs to stdout in binary form.
 */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* More IDs than the processes' first ticks have, so that the processes use common ticks. */
enum { PROCESSES = 4, EACH = 50000, PROCESS_IDS = PROCESSES * EACH };

static const char *program;

static saiban_options with_node(int64_t node)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.node = node;
    return options;
}

static saiban_generator *snowflake(saiban_options options)
{
    saiban_generator *generator = NULL;
    OK(saiban_snowflake_new(&options, &generator));
    return generator;
}

static saiban_stats stats_of(const saiban_generator *generator)
{
    saiban_stats stats = {0};
    OK(saiban_generator_stats(generator, &stats, sizeof stats));
    return stats;
}

/* Returns the scope of a generator with these options. */
static int32_t scope_of(saiban_error (*new_generator)(const saiban_options *, saiban_generator **), saiban_options options)
{
    saiban_generator *generator = NULL;
    int32_t scope;
    OK(new_generator(&options, &generator));
    scope = stats_of(generator).scope;
    saiban_generator_free(generator);
    return scope;
}

static void generators_have_machine_scope_by_default(void)
{
    static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {1, 2, 3};
    static const char *const LAYOUTS[] = {"unused:1 timestamp:41 node:10 sequence:12", "timestamp:48 sequence:14"};
    saiban_options options = with_node(1);
    CHECK(scope_of(saiban_snowflake_new, options) == SAIBAN_SCOPE_MACHINE);
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    CHECK(scope_of(saiban_randflake_new, options) == SAIBAN_SCOPE_MACHINE);
    options = with_node(SAIBAN_NOT_GIVEN);
    CHECK(scope_of(saiban_ulid_flake_new, options) == SAIBAN_SCOPE_MACHINE);
    options.scalability = 1;
    CHECK(scope_of(saiban_ulid_flake_new, options) == SAIBAN_SCOPE_MACHINE);
    for (size_t index = 0; index < sizeof LAYOUTS / sizeof *LAYOUTS; index++) {
        saiban_layout *layout = NULL;
        OK(saiban_layout_from_text(LAYOUTS[index], SAIBAN_NUL_TERMINATED, &layout));
        options = with_node(index == 0 ? 1 : SAIBAN_NOT_GIVEN);
        options.layout = layout;
        CHECK(scope_of(saiban_flake_new, options) == SAIBAN_SCOPE_MACHINE);
        saiban_layout_free(layout);
    }
}

static void a_scope_is_chosen_by_name(void)
{
    static const char *const NAMES[] = {"process", "machine"};
    for (int32_t scope = SAIBAN_SCOPE_PROCESS; scope <= SAIBAN_SCOPE_MACHINE; scope++) {
        saiban_options options = with_node(scope + 1);
        int32_t found = 0;
        CHECK(strcmp(saiban_scope_name(scope), NAMES[scope - 1]) == 0);
        OK(saiban_scope_from_name(NAMES[scope - 1], SAIBAN_NUL_TERMINATED, &found));
        CHECK(found == scope);
        options.scope = found;
        CHECK(scope_of(saiban_snowflake_new, options) == scope);
    }
}

/*
 * Generators that cannot use the machine's memory have scope process, unless scope machine is set.
 */
static void scope_defaults_to_process_without_machine_support(void)
{
    saiban_options options = with_node(4);
    saiban_manual_clock *clock = NULL;
    saiban_layout *layout = NULL;
    saiban_generator *generator = NULL;
    OK(saiban_layout_from_text("timestamp:48 node:16 sequence:64", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout;
    CHECK(scope_of(saiban_flake_new, options) == SAIBAN_SCOPE_PROCESS);
    options.scope = SAIBAN_SCOPE_MACHINE;
    FAILS(SAIBAN_ERROR_STATE_UNAVAILABLE, saiban_flake_new(&options, &generator));
    saiban_layout_free(layout);
    OK(saiban_manual_clock_new(INT64_C(1763700000000), &clock));
    options = with_node(4);
    options.clock = clock;
    CHECK(scope_of(saiban_snowflake_new, options) == SAIBAN_SCOPE_PROCESS);
    options.scope = SAIBAN_SCOPE_MACHINE;
    FAILS(SAIBAN_ERROR_STATE_UNAVAILABLE, saiban_snowflake_new(&options, &generator));
    CHECK(generator == NULL);
    saiban_manual_clock_free(clock);
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static void check_unique(int64_t *ids, size_t count)
{
    size_t equal = 0;
    qsort(ids, count, sizeof *ids, compare);
    for (size_t index = 1; index < count; index++) {
        equal += ids[index] == ids[index - 1];
    }
    CHECK(equal == 0);
}

/* Writes IDs of this generator. Returns false on an error. */
static bool write_ids(const saiban_generator *generator, int64_t count, int to)
{
    int64_t ids[100];
    size_t written = 0;
    for (; count > 0; count -= (int64_t)written) {
        size_t wanted = count < 100 ? (size_t)count : 100;
        if (saiban_fill(generator, ids, wanted, &written) != SAIBAN_OK ||
            write(to, ids, written * sizeof *ids) != (ssize_t)(written * sizeof *ids)) {
            return false;
        }
    }
    return true;
}

/* A process, and the end of the pipe from which its IDs come. */
struct process {
    pid_t id;
    int from;
};

/*
 * Starts a child that makes IDs with this generator. Without a generator, it starts a new program
 * that makes them with this node.
 */
static struct process start(const saiban_generator *generator, const char *node)
{
    struct process process = {-1, -1};
    char count[16];
    int ends[2] = {-1, -1};
    snprintf(count, sizeof count, "%d", (int)EACH);
    fflush(stdout);
    CHECK(pipe(ends) == 0);
    process.id = fork();
    if (process.id == 0) {
        close(ends[0]);
        if (generator != NULL) {
            _exit(write_ids(generator, EACH, ends[1]) ? 0 : 1);
        }
        dup2(ends[1], STDOUT_FILENO);
        execl(program, program, node, count, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    process.from = ends[0];
    return process;
}

/* Reads all IDs of a process, and waits until the process ends. */
static void read_ids(struct process process, int64_t *ids)
{
    size_t done = 0;
    int status = 1;
    for (ssize_t count = 1; count > 0 && done < EACH * sizeof *ids; done += (size_t)count) {
        count = read(process.from, (uint8_t *)ids + done, EACH * sizeof *ids - done);
        count = count < 0 ? 0 : count;
    }
    close(process.from);
    CHECK(waitpid(process.id, &status, 0) == process.id && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(done == EACH * sizeof *ids);
}

static int64_t ids[PROCESS_IDS + EACH];

static void programs_with_equal_nodes_repeat_no_ids(void)
{
    struct process processes[PROCESSES];
    saiban_generator *own = snowflake(with_node(10));
    size_t written = 0;
    for (size_t index = 0; index < PROCESSES; index++) {
        processes[index] = start(NULL, "10");
    }
    OK(saiban_fill(own, ids + PROCESS_IDS, EACH, &written));
    CHECK(written == EACH);
    for (size_t index = 0; index < PROCESSES; index++) {
        read_ids(processes[index], ids + index * EACH);
    }
    check_unique(ids, PROCESS_IDS + EACH);
    CHECK(stats_of(own).issued == PROCESS_IDS + EACH);
    saiban_generator_free(own);
}

static void forked_children_continue_their_parents_generator(void)
{
    struct process processes[PROCESSES];
    saiban_generator *own = snowflake(with_node(11));
    size_t written = 0;
    int64_t id;
    OK(saiban_generate(own, &id));
    for (size_t index = 0; index < PROCESSES; index++) {
        processes[index] = start(own, NULL);
    }
    OK(saiban_fill(own, ids + PROCESS_IDS, EACH, &written));
    CHECK(written == EACH);
    for (size_t index = 0; index < PROCESSES; index++) {
        read_ids(processes[index], ids + index * EACH);
    }
    check_unique(ids, PROCESS_IDS + EACH);
    CHECK(ids[0] > id);
    saiban_generator_free(own);
}

static void a_restarted_program_continues_after_the_last_id(void)
{
    int64_t last = 0;
    for (int run = 0; run < 2; run++) {
        read_ids(start(NULL, "12"), ids);
        CHECK(ids[0] > last);
        last = ids[EACH - 1];
    }
}

static void one_node_cannot_have_both_scopes(void)
{
    saiban_options options = with_node(13);
    saiban_generator *machine = snowflake(options), *process = NULL;
    options.scope = SAIBAN_SCOPE_PROCESS;
    FAILS(SAIBAN_ERROR_NODE_IN_USE, saiban_snowflake_new(&options, &process));
    CHECK(process == NULL);
    saiban_generator_free(machine);
}

static void overlapping_ranges_are_refused_with_the_process_id(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    char message[SAIBAN_MESSAGE_CAPACITY] = "", process_id[32];
    /* The process keeps its node while it blocks: its IDs do not fit into the pipe. */
    struct process other = start(NULL, "20");
    int64_t first;
    CHECK(read(other.from, &first, sizeof first) == (ssize_t)sizeof first);
    options.nodes_first = 20;
    options.nodes_end = 22;
    FAILS(SAIBAN_ERROR_NODE_IN_USE, saiban_snowflake_new(&options, &generator));
    OK(saiban_last_error_message(message, sizeof message, NULL));
    snprintf(process_id, sizeof process_id, "process %ld", (long)other.id);
    if (strstr(message, process_id) == NULL) {
        wrong(__FILE__, __LINE__, "\"%s\" lacks \"%s\"", message, process_id);
    }
    /* The process fails to write more, or is killed by SIGPIPE. */
    close(other.from);
    CHECK(waitpid(other.id, NULL, 0) == other.id);
    OK(saiban_snowflake_new(&options, &generator));
    saiban_generator_free(generator);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        saiban_options options = with_node(atoi(argv[1]));
        saiban_generator *generator = NULL;
        bool all = saiban_snowflake_new(&options, &generator) == SAIBAN_OK && write_ids(generator, atoi(argv[2]), STDOUT_FILENO);
        saiban_generator_free(generator);
        return all ? 0 : 1;
    }
    program = argv[0];
    RUN(generators_have_machine_scope_by_default);
    RUN(a_scope_is_chosen_by_name);
    RUN(scope_defaults_to_process_without_machine_support);
    RUN(programs_with_equal_nodes_repeat_no_ids);
    RUN(forked_children_continue_their_parents_generator);
    RUN(a_restarted_program_continues_after_the_last_id);
    RUN(one_node_cannot_have_both_scopes);
    RUN(overlapping_ranges_are_refused_with_the_process_id);
    return close_tests();
}
