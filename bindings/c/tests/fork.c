/*
 * Copies of a generator after a fork stop working in scope process; scope.c tests scope machine.
 * Forked children return their result as the exit code.
 */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static saiban_generator *parents;

static saiban_error use_the_parents(void)
{
    int64_t id;
    return saiban_generate(parents, &id);
}

/* Builds a Snowflake generator for this node, and makes an ID. */
static saiban_error make_one(int64_t node)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    saiban_error error;
    int64_t id;
    options.node = node;
    options.scope = SAIBAN_SCOPE_PROCESS;
    error = saiban_snowflake_new(&options, &generator);
    if (error == SAIBAN_OK) {
        error = saiban_generate(generator, &id);
    }
    saiban_generator_free(generator);
    return error;
}

static saiban_error use_the_parents_node(void) { return make_one(7); }

static saiban_error use_a_node_of_its_own(void) { return make_one(8); }

static saiban_error in_child(saiban_error (*act)(void))
{
    int status = 0;
    pid_t child;
    /* The child would write buffered output again: under valgrind even with _exit. */
    fflush(stdout);
    child = fork();
    if (child == 0) {
        _exit(act());
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_generator_copied_by_fork_makes_no_ids(void)
{
    CHECK(in_child(use_the_parents) == SAIBAN_ERROR_FORKED);
    OK(use_the_parents());
}

static void a_child_cannot_use_its_parents_nodes(void)
{
    CHECK(in_child(use_the_parents_node) == SAIBAN_ERROR_NODE_IN_USE);
    CHECK(in_child(use_a_node_of_its_own) == SAIBAN_OK);
}

static void allow_collisions_lets_forked_copies_continue(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *others = parents;
    options.scalability = 9;
    options.allow_collisions = 2;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_flake_new(&options, &parents));
    options.allow_collisions = 1;
    OK(saiban_ulid_flake_new(&options, &parents));
    OK(use_the_parents());
    CHECK(in_child(use_the_parents) == SAIBAN_OK);
    saiban_generator_free(parents);
    parents = others;
}

enum { EACH = 2000, CHILDREN = 2 };

typedef uint8_t wide[SAIBAN_WIDE_ID_SIZE];

static int compare(const void *left, const void *right) { return memcmp(left, right, SAIBAN_WIDE_ID_SIZE); }

/* Reads a child's IDs from a pipe. Returns false if the child could not make one. */
static bool ids_of_a_child(const saiban_generator *generator, wide *ids)
{
    int ends[2], status = 1;
    size_t read_bytes = 0, written = 0;
    pid_t child;
    fflush(stdout);
    if (pipe(ends) != 0) {
        return false;
    }
    child = fork();
    if (child == 0) {
        saiban_error error = saiban_fill_wide(generator, ids[0], EACH, &written);
        ssize_t sent = error == SAIBAN_OK ? write(ends[1], ids, EACH * sizeof *ids) : 0;
        _exit(written == EACH && sent == (ssize_t)(EACH * sizeof *ids) ? 0 : 1);
    }
    close(ends[1]);
    for (ssize_t count = 1; count > 0 && read_bytes < EACH * sizeof *ids; read_bytes += (size_t)count) {
        count = read(ends[0], (uint8_t *)ids + read_bytes, EACH * sizeof *ids - read_bytes);
        count = count < 0 ? 0 : count;
    }
    close(ends[0]);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
           read_bytes == EACH * sizeof *ids;
}

/* Checks that forked copies of the generator make no equal IDs, and frees the generator. */
static void check_copies_unique(saiban_generator *generator)
{
    static wide ids[(CHILDREN + 1) * EACH];
    size_t written = 0, equal = 0;
    wide before;
    /* The first ID makes all one-time random choices. */
    OK(saiban_generate_wide(generator, before));
    for (size_t child = 0; child < CHILDREN; child++) {
        CHECK(ids_of_a_child(generator, ids + child * EACH));
    }
    OK(saiban_fill_wide(generator, ids[CHILDREN * EACH], EACH, &written));
    CHECK(written == EACH);
    qsort(ids, (CHILDREN + 1) * EACH, sizeof *ids, compare);
    for (size_t index = 1; index < (CHILDREN + 1) * EACH; index++) {
        equal += compare(ids[index], ids[index - 1]) == 0;
    }
    CHECK(equal == 0);
    saiban_generator_free(generator);
}

static void forked_copies_of_random_schemes_make_other_ids(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = NULL;
    saiban_generator *generator = NULL;
    OK(saiban_ulid_new(&options, &generator));
    check_copies_unique(generator);
    OK(saiban_uuid_new(1, &options, &generator));
    check_copies_unique(generator);
    OK(saiban_uuid_new(4, &options, &generator));
    check_copies_unique(generator);
    OK(saiban_uuid_new(7, &options, &generator));
    check_copies_unique(generator);
    OK(saiban_object_id_new(&options, &generator));
    check_copies_unique(generator);
    OK(saiban_layout_from_text("timestamp:48 random:80", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout;
    OK(saiban_flake_new(&options, &generator));
    check_copies_unique(generator);
    saiban_layout_free(layout);
}

/* Checks that a forked child cannot use the generator, and frees the generator. */
static void check_refused_in_child(saiban_generator *generator)
{
    /* Static, so that valgrind finds the pointer in the child too. */
    static saiban_generator *others;
    wide id;
    others = parents;
    OK(saiban_generate_wide(generator, id));
    parents = generator;
    CHECK(in_child(use_the_parents) == SAIBAN_ERROR_FORKED);
    OK(use_the_parents());
    parents = others;
    saiban_generator_free(generator);
}

static void forked_copies_of_sequence_flakes_make_no_ids(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = NULL;
    saiban_generator *generator = NULL;
    OK(saiban_layout_from_text("unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout;
    options.node = 9;
    options.scope = SAIBAN_SCOPE_PROCESS;
    OK(saiban_flake_new(&options, &generator));
    check_refused_in_child(generator);
    saiban_layout_free(layout);
    OK(saiban_layout_from_text("timestamp:48 sequence:16", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout;
    options.node = SAIBAN_NOT_GIVEN;
    OK(saiban_flake_new(&options, &generator));
    check_refused_in_child(generator);
    saiban_layout_free(layout);
}

int main(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.node = 7;
    options.scope = SAIBAN_SCOPE_PROCESS;
    if (saiban_snowflake_new(&options, &parents) != SAIBAN_OK || use_the_parents() != SAIBAN_OK) {
        return 1;
    }
    RUN(a_generator_copied_by_fork_makes_no_ids);
    RUN(a_child_cannot_use_its_parents_nodes);
    RUN(allow_collisions_lets_forked_copies_continue);
    RUN(forked_copies_of_random_schemes_make_other_ids);
    RUN(forked_copies_of_sequence_flakes_make_no_ids);
    saiban_generator_free(parents);
    return close_tests();
}
