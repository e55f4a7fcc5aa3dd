/* Leases from a real store. Usage: lease URL */

#define _POSIX_C_SOURCE 200809L
#include "lease.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {0xdf, 0xfd, 0x60, 0x21, 0xbb, 0x2b, 0xd5, 0xb0,
                                                   0xaf, 0x67, 0x62, 0x90, 0x80, 0x9e, 0xc3, 0xa5};

static saiban_status status_of(const saiban_lease *lease)
{
    saiban_status status;
    memset(&status, 0, sizeof status);
    OK(saiban_lease_status(lease, &status, sizeof status));
    return status;
}

static void pause_ms(long duration_ms)
{
    struct timespec duration = {duration_ms / 1000, duration_ms % 1000 * 1000000};
    nanosleep(&duration, NULL);
}

static void two_leases_have_disjoint_nodes(void)
{
    saiban_lease_options options = lease_options("two");
    saiban_lease *leases[2];
    saiban_generator *generators[2];
    saiban_status status[2];
    options.nodes = 4;
    for (size_t index = 0; index < 2; index++) {
        leases[index] = acquire(&options);
        generators[index] = leased(leases[index], NULL);
        status[index] = status_of(leases[index]);
        CHECK(status[index].has_nodes && status[index].nodes_end - status[index].nodes_first == 4);
        CHECK(ids_have_leased_nodes(leases[index], generators[index], 100));
    }
    CHECK(status[0].nodes_end <= status[1].nodes_first || status[1].nodes_end <= status[0].nodes_first);
    for (size_t index = 0; index < 2; index++) {
        OK(saiban_lease_release(leases[index]));
        saiban_generator_free(generators[index]);
        saiban_lease_free(leases[index]);
    }
}

static void lease_status_reports_nodes_and_renewals(void)
{
    saiban_lease_options options = lease_options("status");
    saiban_lease *lease;
    saiban_status before, after;
    int64_t first = -1, end = -1;
    options.ttl_s = 60;
    lease = acquire(&options);
    before = status_of(lease);
    CHECK(before.state == SAIBAN_LEASE_ACTIVE && strcmp(saiban_lease_state_name(before.state), "active") == 0);
    CHECK(before.grants == 1 && before.renewals == 0 && before.error == SAIBAN_OK && strcmp(before.why, "") == 0);
    CHECK(before.end_ms > 1763700000000);
    OK(saiban_lease_nodes(lease, &first, &end));
    CHECK(first == before.nodes_first && end == before.nodes_end && end == first + 1);
    after = before;
    /* If the store's clock has whole seconds, a renewal may extend the lease only after one. */
    for (int times = 0; after.end_ms <= before.end_ms && times < 600; times++) {
        pause_ms(100);
        OK(saiban_lease_renew(lease));
        after = status_of(lease);
    }
    CHECK(after.renewals >= 1 && after.grants == 1 && after.end_ms > before.end_ms);
    CHECK(after.nodes_first == before.nodes_first && after.nodes_end == before.nodes_end);
    OK(saiban_lease_release(lease));
    saiban_lease_free(lease);
}

static void generators_report_a_lost_lease_after_its_release(void)
{
    saiban_lease_options options = lease_options("release");
    saiban_lease *lease = acquire(&options);
    saiban_generator *generator = leased(lease, NULL);
    saiban_status status;
    uint8_t wide[SAIBAN_WIDE_ID_SIZE];
    char text[SAIBAN_TEXT_CAPACITY];
    int64_t id = -99, first = -99, end = -99;
    size_t written = 77;
    bool ready;
    CHECK(ids_have_leased_nodes(lease, generator, 10));
    OK(saiban_lease_release(lease));
    OK(saiban_lease_release(lease)); /* A second release has no effect. */
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_generate(generator, &id));
    CHECK(message_contains("released") && message_contains("acquire a new one"));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_try_generate(generator, &ready, &id, NULL));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_fill(generator, &id, 1, &written));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_generate_text(generator, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_generate_wide(generator, wide));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_try_generate_wide(generator, &ready, wide, NULL));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_fill_wide(generator, wide, 1, &written));
    CHECK(message_contains("released"));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_lease_nodes(lease, &first, &end));
    CHECK(message_contains("released"));
    CHECK(id == -99 && written == 77 && first == -99 && end == -99);
    status = status_of(lease);
    CHECK(status.state == SAIBAN_LEASE_IDLE && !status.has_nodes && status.end_ms == 0);
    CHECK(status.nodes_first == 0 && status.nodes_end == 0);
    {
        saiban_options others = SAIBAN_OPTIONS_INIT;
        saiban_generator *none = NULL;
        others.lease = lease;
        FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_snowflake_new(&others, &none));
        CHECK(none == NULL);
    }
    /* Functions that need no lease continue to work. */
    OK(saiban_snowflake_compose(generator, 1763700000000, 7, 0, &id));
    OK(saiban_to_text(generator, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    saiban_generator_free(generator);
    saiban_lease_free(lease);
}

static void a_lease_lasts_until_its_last_holder_is_freed(void)
{
    saiban_lease_options options = lease_options("order");
    saiban_layout *two = layout_of(TWO_NODES);
    saiban_lease *lease, *other, *third = NULL;
    saiban_generator *generator;
    saiban_error error = SAIBAN_ERROR_NAMESPACE_FULL;
    int64_t id;
    options.layout = two;
    lease = acquire(&options);
    other = acquire(&options);
    generator = leased(lease, two);
    saiban_lease_free(lease);
    OK(saiban_generate(generator, &id));
    FAILS(SAIBAN_ERROR_NAMESPACE_FULL, saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &options, &third));
    CHECK(third == NULL);
    /* The last holder releases the lease, in the background. */
    saiban_generator_free(generator);
    for (int times = 0; error == SAIBAN_ERROR_NAMESPACE_FULL && times < 3000; times++) {
        pause_ms(20);
        error = saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &options, &third);
    }
    CHECK(error == SAIBAN_OK && third != NULL);
    generator = leased(other, two);
    CHECK(ids_have_leased_nodes(other, generator, 10));
    saiban_generator_free(generator);
    OK(saiban_lease_release(other));
    saiban_lease_free(other);
    OK(saiban_lease_release(third));
    saiban_lease_free(third);
    saiban_layout_free(two);
}

static void every_scheme_with_nodes_takes_a_lease(void)
{
    static const struct {
        const char *name;
        saiban_error (*new_generator)(const saiban_options *, saiban_generator **);
        int64_t scheme;
        const char *layout;
        bool has_secret;
    } SCHEMES[] = {
        {"snowflake", saiban_snowflake_new, SAIBAN_SCHEME_SNOWFLAKE, "discord", false},
        {"randflake", saiban_randflake_new, SAIBAN_SCHEME_RANDFLAKE, NULL, true},
        {"ulid-flake", saiban_ulid_flake_new, SAIBAN_SCHEME_ULID_FLAKE, NULL, false},
        {"flake", saiban_flake_new, SAIBAN_SCHEME_FLAKE, "unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12",
         false},
        {"wide-flake", saiban_flake_new, SAIBAN_SCHEME_FLAKE, "timestamp:48 node.region:4 node.host:12 sequence:16 random:48",
         false},
    };
    for (size_t index = 0; index < sizeof SCHEMES / sizeof *SCHEMES; index++) {
        saiban_lease_options terms = lease_options(SCHEMES[index].name);
        saiban_options options = SAIBAN_OPTIONS_INIT;
        saiban_generator *generator = NULL;
        saiban_layout *layout = SCHEMES[index].layout == NULL ? NULL : layout_of(SCHEMES[index].layout);
        saiban_lease *lease;
        terms.scheme = SCHEMES[index].scheme;
        terms.layout = options.layout = layout;
        terms.nodes = SCHEMES[index].scheme == SAIBAN_SCHEME_ULID_FLAKE ? 1 : 2;
        if (SCHEMES[index].has_secret) {
            terms.secret = options.secret = SECRET;
            terms.secret_len = options.secret_len = sizeof SECRET;
        }
        lease = acquire(&terms);
        options.lease = lease;
        OK(SCHEMES[index].new_generator(&options, &generator));
        if (!ids_have_leased_nodes(lease, generator, 100)) {
            wrong(__FILE__, __LINE__, "%s: not of the lease's nodes", SCHEMES[index].name);
        }
        OK(saiban_lease_release(lease));
        saiban_generator_free(generator);
        saiban_lease_free(lease);
        saiban_layout_free(layout);
    }
}

static void options_that_conflict_with_a_lease_are_refused(void)
{
    saiban_lease_options terms = lease_options("both");
    saiban_lease *lease = acquire(&terms);
    saiban_options options = SAIBAN_OPTIONS_INIT, with_node, with_nodes, with_window, with_last, with_state, of_others;
    saiban_generator *none = NULL;
    options.lease = lease;
    with_node = with_nodes = with_window = with_last = with_state = of_others = options;
    with_node.node = 7;
    with_nodes.nodes_first = 7;
    with_nodes.nodes_end = 8;
    with_window.window_start = 1763700000000;
    with_window.window_end = 4000000000000;
    with_last.not_before = 1763700000000;
    with_state.state = "/dev/null/state";
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new(&with_node, &none));
    CHECK(message_contains("lease"));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new(&with_nodes, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new(&with_window, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new(&with_last, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new(&with_state, &none));
    /* Schemes without nodes cannot use a lease. */
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_new(&of_others, &none));
    CHECK(message_contains("lease"));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_new(7, &of_others, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_object_id_new(&of_others, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_tick_id_new(SAIBAN_TICK_ORDER_ASCENDING, &of_others, &none));
    CHECK(none == NULL);
    OK(saiban_lease_release(lease));
    saiban_lease_free(lease);
}

static void a_lease_of_another_scheme_or_layout_is_refused(void)
{
    saiban_lease_options terms = lease_options("mismatch");
    saiban_layout *discord = layout_of("discord");
    saiban_lease *lease = acquire(&terms), *none = NULL;
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    terms.layout = discord; /* This epoch differs from Twitter's. */
    FAILS(SAIBAN_ERROR_NAMESPACE_MISMATCH, saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &terms, &none));
    terms.layout = NULL;
    terms.scheme = SAIBAN_SCHEME_RANDFLAKE;
    terms.secret = SECRET;
    terms.secret_len = sizeof SECRET;
    FAILS(SAIBAN_ERROR_NAMESPACE_MISMATCH, saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &terms, &none));
    CHECK(none == NULL);
    options.lease = lease;
    options.layout = discord;
    FAILS(SAIBAN_ERROR_NAMESPACE_MISMATCH, saiban_snowflake_new(&options, &generator));
    options.layout = NULL;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    FAILS(SAIBAN_ERROR_NAMESPACE_MISMATCH, saiban_randflake_new(&options, &generator));
    CHECK(generator == NULL);
    OK(saiban_lease_release(lease));
    saiban_lease_free(lease);
    saiban_layout_free(discord);
}

static void unknown_namespaces_are_refused_without_create(void)
{
    saiban_lease_options options = lease_options("unknown");
    saiban_lease *lease = NULL;
    options.create = 0;
    FAILS(SAIBAN_ERROR_NAMESPACE_UNKNOWN, saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &options, &lease));
    CHECK(lease == NULL);
    options.create = SAIBAN_NOT_GIVEN;
    if (strncmp(url, "sqlite:", 7) == 0) {
        lease = acquire(&options); /* SQLite initialises a namespace by default. */
        OK(saiban_lease_release(lease));
        saiban_lease_free(lease);
    } else {
        FAILS(SAIBAN_ERROR_NAMESPACE_UNKNOWN, saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &options, &lease));
        CHECK(lease == NULL);
    }
}

enum { THREADS = 4, EACH = 5000 };

struct work {
    const saiban_generator *generator;
    int64_t ids[EACH];
    size_t made;
};

static void *make_ids(void *given)
{
    struct work *work = given;
    saiban_error error = SAIBAN_OK;
    while (work->made < EACH && (error == SAIBAN_OK || error == SAIBAN_ERROR_WOULD_WAIT)) {
        size_t written = 0;
        error = saiban_fill(work->generator, work->ids + work->made, EACH - work->made, &written);
        work->made += written;
    }
    return NULL;
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static void threads_of_a_leased_generator_repeat_no_ids(void)
{
    static struct work work[THREADS];
    static int64_t all[THREADS * EACH];
    saiban_lease_options options = lease_options("threads");
    saiban_lease *lease = acquire(&options);
    saiban_generator *generator = leased(lease, NULL);
    pthread_t threads[THREADS];
    size_t made = 0, equal = 0;
    for (size_t index = 0; index < THREADS; index++) {
        work[index].generator = generator;
        CHECK(pthread_create(&threads[index], NULL, make_ids, &work[index]) == 0);
    }
    for (size_t index = 0; index < THREADS; index++) {
        CHECK(pthread_join(threads[index], NULL) == 0);
        memcpy(all + made, work[index].ids, work[index].made * sizeof *all);
        made += work[index].made;
    }
    CHECK(made == THREADS * EACH);
    qsort(all, made, sizeof *all, compare);
    for (size_t index = 1; index < made; index++) {
        equal += all[index] == all[index - 1];
    }
    CHECK(equal == 0);
    OK(saiban_lease_release(lease));
    saiban_generator_free(generator);
    saiban_lease_free(lease);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: lease URL\n");
        return 2;
    }
    url = argv[1];
    RUN(two_leases_have_disjoint_nodes);
    RUN(lease_status_reports_nodes_and_renewals);
    RUN(generators_report_a_lost_lease_after_its_release);
    RUN(a_lease_lasts_until_its_last_holder_is_freed);
    RUN(every_scheme_with_nodes_takes_a_lease);
    RUN(options_that_conflict_with_a_lease_are_refused);
    RUN(a_lease_of_another_scheme_or_layout_is_refused);
    RUN(unknown_namespaces_are_refused_without_create);
    RUN(threads_of_a_leased_generator_repeat_no_ids);
    return close_tests();
}
