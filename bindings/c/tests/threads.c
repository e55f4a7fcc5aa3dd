/*
 * IDs from each generator on four threads, with a clock that jumps both ways: no two IDs are equal,
 * with or without shards and rollback bits, and each thread has its own last error. Usage: threads
 * COUNT (of IDs for each generator)
 */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, BLOCK = 64 };

static const int64_t NOW_MS = 1763700000000;

static saiban_manual_clock *the_clock;
static size_t wanted;

struct work {
    const saiban_generator *generator;
    int64_t *ids;
    size_t count;
    unsigned seed;
};

static unsigned draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/*
 * Moves the clock: mostly forward by a little, at times back or far ahead. It must move forward in
 * the long run, or the generators would run out of IDs.
 */
static void jump(unsigned *seed)
{
    static int64_t reached_ms;
    unsigned dice = draw(seed) % 100;
    int64_t now_ms = NOW_MS + __atomic_add_fetch(&reached_ms, dice < 2 ? 1000 : draw(seed) % 4, __ATOMIC_RELAXED);
    (void)saiban_manual_clock_set(the_clock, dice < 90 ? now_ms : now_ms - (int64_t)(draw(seed) % 2000));
}

static void *make_ids(void *given)
{
    struct work *work = given;
    size_t made = 0;
    while (made < work->count) {
        size_t left = work->count - made, written = 0;
        saiban_error error;
        if (draw(&work->seed) % 2 == 0) {
            error = saiban_fill(work->generator, work->ids + made, left < BLOCK ? left : BLOCK, &written);
        } else {
            error = saiban_generate(work->generator, work->ids + made);
            written = 1;
        }
        if (error == SAIBAN_OK) {
            made += written;
            if (draw(&work->seed) % 8 == 0) {
                jump(&work->seed);
            }
        } else if (error == SAIBAN_ERROR_WOULD_WAIT || error == SAIBAN_ERROR_CLOCK_BACKWARD) {
            jump(&work->seed);
        } else {
            break;
        }
    }
    work->count = made;
    return NULL;
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

/* Checks that all IDs have nodes of the generator, and that each of its shards has made some. */
static void check_nodes(const saiban_generator *generator, const saiban_options *options, const int64_t *ids, size_t count)
{
    enum { MAX_SHARDS = 8 };
    uint64_t first = (uint64_t)options->nodes_first, nodes = (uint64_t)options->nodes_end - first;
    size_t of_shard[MAX_SHARDS] = {0}, outside = 0;
    for (size_t index = 0; index < count; index++) {
        saiban_parts parts;
        if (saiban_generator_inspect(generator, ids[index], &parts) != SAIBAN_OK || parts.node < first ||
            parts.node - first >= nodes) {
            outside++;
        } else {
            of_shard[(parts.node - first) * (uint64_t)options->shards / nodes]++;
        }
    }
    CHECK(outside == 0);
    for (int64_t shard = 0; shard < options->shards; shard++) {
        CHECK(of_shard[shard] > 0);
    }
}

static void check_unique(saiban_error (*new_generator)(const saiban_options *, saiban_generator **),
                         saiban_options options)
{
    saiban_generator *generator = NULL;
    pthread_t threads[THREADS];
    struct work work[THREADS];
    size_t share = wanted / THREADS, made = 0, equal = 0;
    int64_t *ids = malloc(share * THREADS * sizeof *ids);
    options.clock = the_clock;
    OK(new_generator(&options, &generator));
    for (size_t index = 0; index < THREADS; index++) {
        struct work mine = {generator, ids + index * share, share, (unsigned)index + 1};
        work[index] = mine;
        CHECK(pthread_create(&threads[index], NULL, make_ids, &work[index]) == 0);
    }
    for (size_t index = 0; index < THREADS; index++) {
        CHECK(pthread_join(threads[index], NULL) == 0);
        made += work[index].count;
    }
    CHECK(made == share * THREADS);
    qsort(ids, share * THREADS, sizeof *ids, compare);
    for (size_t index = 1; index < made; index++) {
        equal += ids[index] == ids[index - 1];
    }
    CHECK(equal == 0);
    if (options.shards != SAIBAN_NOT_GIVEN) {
        check_nodes(generator, &options, ids, made);
    }
    free(ids);
    saiban_generator_free(generator);
}

static void snowflake_never_repeats(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.node = 7;
    check_unique(saiban_snowflake_new, options);
}

static void randflake_never_repeats(void)
{
    static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {1, 2, 3};
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    options.nodes_first = 40;
    options.nodes_end = 44;
    check_unique(saiban_randflake_new, options);
}

static void shards_never_repeat_and_keep_to_their_nodes(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.nodes_first = 100;
    options.nodes_end = 108;
    options.shards = THREADS;
    check_unique(saiban_snowflake_new, options);
}

static void generators_with_rollback_bits_never_repeat(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *twitter = NULL, *layout = NULL;
    OK(saiban_layout_preset("twitter", SAIBAN_NUL_TERMINATED, &twitter));
    OK(saiban_layout_with_rollback_bits(twitter, 2, &layout));
    options.layout = layout;
    options.nodes_first = 100;
    options.nodes_end = 102;
    options.shards = 2;
    options.rollback = SAIBAN_ROLLBACK_BITS;
    check_unique(saiban_snowflake_new, options);
    saiban_layout_free(layout);
    saiban_layout_free(twitter);
}

static void ulid_flake_never_repeats(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    check_unique(saiban_ulid_flake_new, options);
}

static void scalable_ulid_flake_never_repeats(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.scalability = 3;
    check_unique(saiban_ulid_flake_new, options);
}

static void *fail_differently(void *nothing)
{
    char message[SAIBAN_MESSAGE_CAPACITY];
    int64_t id;
    (void)nothing;
    OK(saiban_last_error_message(message, sizeof message, NULL));
    CHECK(strcmp(message, "") == 0);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generate(NULL, &id));
    return NULL;
}

static void each_thread_has_a_last_error_of_its_own(void)
{
    char before[SAIBAN_MESSAGE_CAPACITY], after[SAIBAN_MESSAGE_CAPACITY];
    saiban_layout *layout = NULL;
    pthread_t thread;
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_layout_preset("no-such-preset", SAIBAN_NUL_TERMINATED, &layout));
    OK(saiban_last_error_message(before, sizeof before, NULL));
    CHECK(pthread_create(&thread, NULL, fail_differently, NULL) == 0 && pthread_join(thread, NULL) == 0);
    OK(saiban_last_error_message(after, sizeof after, NULL));
    CHECK(strstr(before, "no-such-preset") != NULL && strcmp(before, after) == 0);
}

int main(int argc, char **argv)
{
    if (argc != 2 || (wanted = strtoul(argv[1], NULL, 10)) == 0) {
        fprintf(stderr, "usage: threads COUNT\n");
        return 2;
    }
    if (saiban_manual_clock_new(NOW_MS, &the_clock) != SAIBAN_OK) {
        return 1;
    }
    RUN(each_thread_has_a_last_error_of_its_own);
    RUN(snowflake_never_repeats);
    RUN(randflake_never_repeats);
    RUN(shards_never_repeat_and_keep_to_their_nodes);
    RUN(generators_with_rollback_bits_never_repeat);
    RUN(ulid_flake_never_repeats);
    RUN(scalable_ulid_flake_never_repeats);
    saiban_manual_clock_free(the_clock);
    return close_tests();
}
