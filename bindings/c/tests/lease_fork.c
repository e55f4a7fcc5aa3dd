/*
 * Leases in forked processes: each has nodes of its own, and none releases another's.
 * Usage: lease_fork URL
 */

#define _POSIX_C_SOURCE 200809L
#include "lease.h"

#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>

/* A child that hangs is killed after this many seconds, so that its test fails. */
enum { MAX_CHILD_S = 200, EACH = 1000, CHILDREN = 3 };

static saiban_lease *the_lease;
static saiban_generator *ids;

struct made {
    int64_t first, end, ids[EACH];
};

/* Makes IDs; returns 0 or an error. */
static int make(struct made *made)
{
    size_t count = 0;
    while (count < EACH) {
        size_t written = 0;
        saiban_error error = saiban_fill(ids, made->ids + count, EACH - count, &written);
        if (error != SAIBAN_OK && error != SAIBAN_ERROR_WOULD_WAIT) {
            return error;
        }
        count += written;
    }
    return saiban_lease_nodes(the_lease, &made->first, &made->end);
}

static pid_t fork_now(void)
{
    pid_t child;
    /* The child would write buffered output again. */
    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(MAX_CHILD_S);
    }
    CHECK(child >= 0);
    return child;
}

/* Returns the child's exit code, or -1 if it was killed. */
static int exit_code_of(pid_t child)
{
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Starts a child, and returns the pipe with its nodes and IDs. */
static int open_child(pid_t *child)
{
    int ends[2];
    if (pipe(ends) != 0) {
        CHECK(false);
        return -1;
    }
    *child = fork_now();
    if (*child == 0) {
        static struct made made;
        int error = make(&made);
        bool sent = error == 0 && write(ends[1], &made, sizeof made) == (ssize_t)sizeof made;
        close(ends[1]);
        _exit(sent ? saiban_lease_release(the_lease) : error != 0 ? error : 99);
    }
    close(ends[1]);
    return ends[0];
}

static bool read_all(int from, void *to, size_t size)
{
    size_t done = 0;
    for (ssize_t count = 1; count > 0 && done < size; done += (size_t)count) {
        count = read(from, (char *)to + done, size - done);
        count = count < 0 ? 0 : count;
    }
    close(from);
    return done == size;
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static void forked_children_lease_their_own_nodes(void)
{
    static struct made made[CHILDREN + 1];
    static int64_t all[(CHILDREN + 1) * EACH];
    saiban_lease_options options = lease_options("fork");
    saiban_status status;
    pid_t children[CHILDREN];
    int from[CHILDREN];
    size_t equal = 0;
    the_lease = acquire(&options);
    ids = leased(the_lease, NULL);
    CHECK(ids_have_leased_nodes(the_lease, ids, 10));
    for (size_t child = 0; child < CHILDREN; child++) {
        from[child] = open_child(&children[child]);
    }
    CHECK(make(&made[CHILDREN]) == 0);
    for (size_t child = 0; child < CHILDREN; child++) {
        CHECK(read_all(from[child], &made[child], sizeof made[child]));
        CHECK(exit_code_of(children[child]) == 0);
        CHECK(made[child].end == made[child].first + 1);
        CHECK(made[child].first != made[CHILDREN].first);
    }
    for (size_t child = 0; child <= CHILDREN; child++) {
        memcpy(all + child * EACH, made[child].ids, sizeof made[child].ids);
    }
    qsort(all, (CHILDREN + 1) * EACH, sizeof *all, compare);
    for (size_t index = 1; index < (CHILDREN + 1) * EACH; index++) {
        equal += all[index] == all[index - 1];
    }
    CHECK(equal == 0);
    CHECK(ids_have_leased_nodes(the_lease, ids, 10));
    OK(saiban_lease_status(the_lease, &status, sizeof status));
    CHECK(status.grants == 1 && status.nodes_first == made[CHILDREN].first);
    OK(saiban_lease_release(the_lease));
    saiban_generator_free(ids);
    saiban_lease_free(the_lease);
}

static void forked_store_generators_lease_their_own_nodes(void)
{
    static struct made made[2];
    saiban_lease_options terms = lease_options("store");
    saiban_options options = SAIBAN_OPTIONS_INIT;
    pid_t child;
    int from;
    the_lease = acquire(&terms); /* Initialises the namespace, as a server's store requires. */
    OK(saiban_lease_release(the_lease));
    saiban_lease_free(the_lease);
    options.store = url;
    options.name_space = terms.name_space;
    OK(saiban_snowflake_new(&options, &ids));
    OK(saiban_generator_lease(ids, &the_lease));
    CHECK(ids_have_leased_nodes(the_lease, ids, 10));
    from = open_child(&child);
    CHECK(read_all(from, &made[0], sizeof made[0]));
    CHECK(exit_code_of(child) == 0);
    CHECK(make(&made[1]) == 0);
    CHECK(made[0].end == made[0].first + 1 && made[1].end == made[1].first + 1 && made[0].first != made[1].first);
    OK(saiban_lease_release(the_lease));
    saiban_generator_free(ids);
    saiban_lease_free(the_lease);
}

/*
 * The two nodes belong to the parent's lease and to another, so a third lease fails unless one was
 * released.
 */
static void an_exiting_child_does_not_release_the_parents_lease(void)
{
    saiban_lease_options options = lease_options("exit");
    saiban_layout *two = layout_of(TWO_NODES);
    saiban_lease *other, *third = NULL;
    saiban_status status;
    options.layout = two;
    the_lease = acquire(&options);
    other = acquire(&options);
    ids = leased(the_lease, two);
    CHECK(ids_have_leased_nodes(the_lease, ids, 10));
    for (int way = 0; way < 4; way++) {
        pid_t child = fork_now();
        if (child == 0) {
            switch (way) {
                case 0: _exit(0);
                case 1: exit(0);
                case 2: _exit(saiban_lease_release(the_lease));
                default:
                    saiban_lease_free(the_lease);
                    saiban_generator_free(ids);
                    saiban_lease_free(other);
                    exit(0);
            }
        }
        CHECK(exit_code_of(child) == 0);
    }
    FAILS(SAIBAN_ERROR_NAMESPACE_FULL, saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &options, &third));
    CHECK(third == NULL);
    CHECK(ids_have_leased_nodes(the_lease, ids, 10));
    OK(saiban_lease_status(the_lease, &status, sizeof status));
    CHECK(status.grants == 1 && status.state == SAIBAN_LEASE_ACTIVE);
    OK(saiban_lease_release(the_lease));
    OK(saiban_lease_release(other));
    saiban_generator_free(ids);
    saiban_lease_free(the_lease);
    saiban_lease_free(other);
    saiban_layout_free(two);
}

/* All nodes are in use, so each function of the child returns the store's error. */
static void a_child_without_free_nodes_gets_namespace_full(void)
{
    saiban_lease_options options = lease_options("full");
    saiban_layout *two = layout_of(TWO_NODES);
    pid_t child;
    options.layout = two;
    options.nodes = 2;
    the_lease = acquire(&options);
    ids = leased(the_lease, two);
    CHECK(ids_have_leased_nodes(the_lease, ids, 10));
    child = fork_now();
    if (child == 0) {
        int64_t id = -99, end;
        bool all = saiban_generate(ids, &id) == SAIBAN_ERROR_NAMESPACE_FULL && id == -99 &&
                   message_contains("nodes");
        all = all && saiban_lease_nodes(the_lease, &id, &end) == SAIBAN_ERROR_NAMESPACE_FULL;
        _exit(all ? 0 : 1);
    }
    CHECK(exit_code_of(child) == 0);
    CHECK(ids_have_leased_nodes(the_lease, ids, 10));
    OK(saiban_lease_release(the_lease));
    saiban_generator_free(ids);
    saiban_lease_free(the_lease);
    saiban_layout_free(two);
}

static void memory_leases_are_unusable_in_a_forked_child(void)
{
    saiban_lease *lease = NULL;
    pid_t child;
    OK(saiban_lease_acquire("memory:fork", SAIBAN_NUL_TERMINATED, NULL, &lease));
    the_lease = lease;
    ids = leased(lease, NULL);
    CHECK(ids_have_leased_nodes(lease, ids, 10));
    child = fork_now();
    if (child == 0) {
        saiban_status status;
        int64_t id = -99, end;
        bool all = saiban_generate(ids, &id) == SAIBAN_ERROR_FORKED && id == -99;
        all = all && saiban_lease_nodes(lease, &id, &end) == SAIBAN_ERROR_FORKED;
        all = all && saiban_lease_status(lease, &status, sizeof status) == SAIBAN_ERROR_FORKED;
        /* An invalid size is found before the lease is used. */
        all = all && saiban_lease_status(lease, &status, 0) == SAIBAN_ERROR_INVALID_ARGUMENT;
        all = all && saiban_lease_renew(lease) == SAIBAN_ERROR_FORKED;
        all = all && saiban_lease_release(lease) == SAIBAN_OK;
        saiban_generator_free(ids);
        saiban_lease_free(lease);
        _exit(all ? 0 : 1);
    }
    CHECK(exit_code_of(child) == 0);
    CHECK(ids_have_leased_nodes(lease, ids, 10));
    OK(saiban_lease_release(lease));
    saiban_generator_free(ids);
    saiban_lease_free(lease);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: lease_fork URL\n");
        return 2;
    }
    url = argv[1];
    RUN(forked_children_lease_their_own_nodes);
    RUN(forked_store_generators_lease_their_own_nodes);
    RUN(an_exiting_child_does_not_release_the_parents_lease);
    RUN(a_child_without_free_nodes_gets_namespace_full);
    RUN(memory_leases_are_unusable_in_a_forked_child);
    return close_tests();
}
