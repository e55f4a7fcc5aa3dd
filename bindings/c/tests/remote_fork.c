/*
 * A service's IDs in forked processes: each process fetches its own blocks. Usage: remote_fork URL
 */

#define _POSIX_C_SOURCE 200809L
#include "remote.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 4, EACH = 250, BLOCK = 100 };

static int64_t all[(CHILDREN + 1) * EACH];

/* The size of a child's IDs in bytes. */
static const size_t OWN = EACH * sizeof all[0];

/* Makes IDs from more than two blocks. Returns whether all were made. */
static bool make(const saiban_generator *ids, int64_t *made)
{
    size_t written = 1;
    if (saiban_generate(ids, &made[0]) != SAIBAN_OK) return false;
    while (written < EACH) {
        size_t more = 0;
        if (saiban_fill(ids, made + written, EACH - written, &more) != SAIBAN_OK) return false;
        written += more;
    }
    return true;
}

static void forked_children_repeat_no_ids_of_their_parent(void)
{
    saiban_remote_options options = remote_options(BLOCK);
    saiban_generator *ids = opened("snowflake", &options), *unused = opened("uuid-v7", &options);
    saiban_remote_prefetch status;
    int64_t first = -1;
    /* The parent then has most of a block, and the next one, when it forks. */
    OK(saiban_generate(ids, &first));
    for (size_t index = 0; index < CHILDREN; index++) {
        int64_t *own = &all[index * EACH];
        int ends[2], code = -1;
        pid_t child;
        size_t len = 0;
        ssize_t more = 0;
        CHECK(pipe(ends) == 0);
        fflush(stdout);
        child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            uint8_t wide[SAIBAN_WIDE_ID_SIZE];
            bool ready = true, is_well = saiban_remote_status(ids, &status, sizeof status) == SAIBAN_OK;
            alarm(120);
            /* Nothing is prefetched, and there was no request yet. */
            is_well = is_well && status.prefetched == 0 && status.calls == 0;
            is_well = is_well && saiban_try_generate(ids, &ready, &first, NULL) == SAIBAN_OK && !ready;
            is_well = is_well && make(ids, own) && saiban_generate_wide(unused, wide) == SAIBAN_OK;
            is_well = is_well && write(ends[1], own, OWN) == (ssize_t)OWN;
            saiban_generator_free(ids);
            saiban_generator_free(unused);
            /* Test both kinds of exit. */
            if (index % 2 == 0) _exit(is_well ? 0 : 1);
            exit(is_well ? 0 : 1);
        }
        close(ends[1]);
        while (len < OWN && (more = read(ends[0], (char *)own + len, OWN - len)) > 0) {
            len += (size_t)more;
        }
        close(ends[0]);
        CHECK(len == OWN);
        CHECK(waitpid(child, &code, 0) == child && WIFEXITED(code) && WEXITSTATUS(code) == 0);
    }
    CHECK(make(ids, &all[CHILDREN * EACH]));
    CHECK(repeated(all, (size_t)(CHILDREN + 1) * EACH) == 0);
    for (size_t index = 0; index < (size_t)(CHILDREN + 1) * EACH; index++) {
        CHECK(all[index] != first);
    }
    saiban_generator_free(ids);
    saiban_generator_free(unused);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: remote_fork URL\n");
        return 2;
    }
    url = argv[1];
    RUN(forked_children_repeat_no_ids_of_their_parent);
    return close_tests();
}
