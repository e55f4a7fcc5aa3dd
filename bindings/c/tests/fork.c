/* What fork copies does not go on: children made by fork answer through their exit code. */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static saiban_generator *parents;

static saiban_error use_the_parents(void)
{
    int64_t id;
    return saiban_generate(parents, &id);
}

/* Makes a Snowflake generator for this node, and an ID. */
static saiban_error make_one(int64_t node)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    saiban_error error;
    int64_t id;
    options.node = node;
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
    /* What is not written yet the child would write again: valgrind does at its end, whatever end that is. */
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

static void a_child_is_refused_its_parents_nodes(void)
{
    CHECK(in_child(use_the_parents_node) == SAIBAN_ERROR_NODE_IN_USE);
    CHECK(in_child(use_a_node_of_its_own) == SAIBAN_OK);
}

static void collisions_are_allowed_where_asked_for(void)
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

int main(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.node = 7;
    if (saiban_snowflake_new(&options, &parents) != SAIBAN_OK || use_the_parents() != SAIBAN_OK) {
        return 1;
    }
    RUN(a_generator_copied_by_fork_makes_no_ids);
    RUN(a_child_is_refused_its_parents_nodes);
    RUN(collisions_are_allowed_where_asked_for);
    saiban_generator_free(parents);
    return close_tests();
}
