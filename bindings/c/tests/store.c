/* Generators with their own lease, from the options store and name_space. Usage: store URL */

#define _POSIX_C_SOURCE 200809L
#include "lease.h"

#include <time.h>

static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {0xdf, 0xfd, 0x60, 0x21, 0xbb, 0x2b, 0xd5, 0xb0,
                                                   0xaf, 0x67, 0x62, 0x90, 0x80, 0x9e, 0xc3, 0xa5};

static saiban_options stored(const char *store, const char *name_space)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.store = store;
    options.name_space = name_space;
    return options;
}

/* Returns the lease of a generator. */
static saiban_lease *lease_of(const saiban_generator *generator)
{
    saiban_lease *lease = NULL;
    OK(saiban_generator_lease(generator, &lease));
    CHECK(lease != NULL);
    return lease;
}

static int64_t node_of(const saiban_lease *lease)
{
    int64_t first = -1, end = -1;
    OK(saiban_lease_nodes(lease, &first, &end));
    CHECK(end == first + 1);
    return first;
}

static void open_all_schemes(const char *store)
{
    static const struct {
        const char *name;
        saiban_error (*new_generator)(const saiban_options *, saiban_generator **);
        const char *layout;
        bool has_secret;
    } SCHEMES[] = {
        {"snowflake", saiban_snowflake_new, "discord", false},
        {"randflake", saiban_randflake_new, NULL, true},
        {"ulid-flake", saiban_ulid_flake_new, NULL, false},
        {"flake", saiban_flake_new, "unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12", false},
        {"wide-flake", saiban_flake_new, "timestamp:48 node.region:4 node.host:12 sequence:16 random:48", false},
        {"tsid", saiban_tsid_new, "tsid-256", false},
    };
    for (size_t index = 0; index < sizeof SCHEMES / sizeof *SCHEMES; index++) {
        saiban_options options = stored(store, SCHEMES[index].name);
        saiban_layout *layout = SCHEMES[index].layout == NULL ? NULL : layout_of(SCHEMES[index].layout);
        saiban_generator *generators[2] = {NULL, NULL};
        saiban_lease *leases[2];
        options.layout = layout;
        if (SCHEMES[index].has_secret) {
            options.secret = SECRET;
            options.secret_len = sizeof SECRET;
        }
        for (size_t one = 0; one < 2; one++) {
            OK(SCHEMES[index].new_generator(&options, &generators[one]));
            leases[one] = lease_of(generators[one]);
            if (!ids_have_leased_nodes(leases[one], generators[one], 100)) {
                wrong(__FILE__, __LINE__, "%s: not of the lease's node", SCHEMES[index].name);
            }
        }
        CHECK(node_of(leases[0]) != node_of(leases[1]));
        for (size_t one = 0; one < 2; one++) {
            OK(saiban_lease_release(leases[one]));
            saiban_generator_free(generators[one]);
            saiban_lease_free(leases[one]);
        }
        saiban_layout_free(layout);
    }
}

static void every_scheme_with_nodes_takes_a_store(void)
{
    open_all_schemes("memory:schemes");
    open_all_schemes(url);
}

static void a_generators_lease_reports_status_and_can_be_released(void)
{
    saiban_options options = stored(url, "status");
    saiban_generator *generator = NULL;
    saiban_lease *lease, *again;
    saiban_status status;
    int64_t id = -99;
    OK(saiban_snowflake_new(&options, &generator));
    lease = lease_of(generator);
    memset(&status, 0, sizeof status);
    OK(saiban_lease_status(lease, &status, sizeof status));
    CHECK(status.state == SAIBAN_LEASE_ACTIVE && status.has_nodes && status.grants == 1 && status.error == SAIBAN_OK);
    CHECK(status.nodes_first == node_of(lease) && status.nodes_end == status.nodes_first + 1);
    /* The generator keeps the lease when the handle is freed. */
    saiban_lease_free(lease);
    OK(saiban_generate(generator, &id));
    lease = lease_of(generator);
    again = lease_of(generator);
    OK(saiban_lease_release(lease));
    id = -99;
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_generate(generator, &id));
    CHECK(message_contains("released") && id == -99);
    OK(saiban_lease_status(again, &status, sizeof status));
    CHECK(status.state == SAIBAN_LEASE_IDLE && !status.has_nodes);
    saiban_generator_free(generator);
    saiban_lease_free(lease);
    saiban_lease_free(again);
}

static void a_lease_is_released_with_its_last_holder(void)
{
    static const struct timespec PAUSE = {0, 20000000};
    saiban_layout *two = layout_of(TWO_NODES);
    saiban_options options = stored(url, "freed");
    saiban_generator *first = NULL, *second = NULL, *third = NULL;
    saiban_error error = SAIBAN_ERROR_NAMESPACE_FULL;
    saiban_lease *kept;
    options.layout = two;
    OK(saiban_snowflake_new(&options, &first));
    OK(saiban_snowflake_new(&options, &second));
    FAILS(SAIBAN_ERROR_NAMESPACE_FULL, saiban_snowflake_new(&options, &third));
    CHECK(third == NULL);
    /* `kept` holds the lease after its generator is freed. */
    kept = lease_of(second);
    saiban_generator_free(second);
    CHECK(node_of(kept) >= 0);
    FAILS(SAIBAN_ERROR_NAMESPACE_FULL, saiban_snowflake_new(&options, &third));
    /* This lease has no other holder, so it is released in the background. */
    saiban_generator_free(first);
    for (int times = 0; error == SAIBAN_ERROR_NAMESPACE_FULL && times < 3000; times++) {
        nanosleep(&PAUSE, NULL);
        error = saiban_snowflake_new(&options, &third);
    }
    CHECK(error == SAIBAN_OK && third != NULL);
    saiban_generator_free(third);
    OK(saiban_lease_release(kept));
    saiban_lease_free(kept);
    saiban_layout_free(two);
}

static void generator_lease_returns_the_given_lease(void)
{
    saiban_lease_options terms = lease_options("given");
    saiban_lease *given, *found;
    saiban_generator *generator, *without = NULL, *wide = NULL;
    saiban_options options = SAIBAN_OPTIONS_INIT;
    int64_t first = -1, end = -1, others[2] = {-1, -1};
    terms.nodes = 3;
    given = acquire(&terms);
    generator = leased(given, NULL);
    found = lease_of(generator);
    OK(saiban_lease_nodes(given, &first, &end));
    OK(saiban_lease_nodes(found, &others[0], &others[1]));
    CHECK(first == others[0] && end == others[1] && end == first + 3);
    OK(saiban_lease_release(found));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_lease_nodes(given, &first, &end));
    saiban_generator_free(generator);
    saiban_lease_free(found);
    /* A generator without a lease returns NULL. */
    OK(saiban_ulid_new(&options, &wide));
    options.node = 7;
    OK(saiban_snowflake_new(&options, &without));
    found = given;
    OK(saiban_generator_lease(without, &found));
    CHECK(found == NULL);
    found = given;
    OK(saiban_generator_lease(wide, &found));
    CHECK(found == NULL);
    saiban_generator_free(without);
    saiban_generator_free(wide);
    saiban_lease_free(given);
}

static void the_default_namespace_is_bound_to_one_scheme(void)
{
    saiban_options options = stored("memory:mismatch", NULL), secret;
    saiban_generator *randflake = NULL, *none = NULL;
    saiban_lease_options terms = SAIBAN_LEASE_OPTIONS_INIT;
    saiban_lease *lease = NULL;
    secret = options;
    secret.secret = SECRET;
    secret.secret_len = sizeof SECRET;
    OK(saiban_randflake_new(&secret, &randflake));
    FAILS(SAIBAN_ERROR_NAMESPACE_MISMATCH, saiban_snowflake_new(&options, &none));
    options.name_space = "default";
    FAILS(SAIBAN_ERROR_NAMESPACE_MISMATCH, saiban_tsid_new(&options, &none));
    FAILS(SAIBAN_ERROR_NAMESPACE_MISMATCH, saiban_lease_acquire("memory:mismatch", SAIBAN_NUL_TERMINATED, &terms, &lease));
    CHECK(none == NULL && lease == NULL);
    options.name_space = "orders";
    OK(saiban_snowflake_new(&options, &none));
    saiban_generator_free(none);
    saiban_generator_free(randflake);
}

/* Checks that no generator is made, and that the error contains these words. */
static void check_refused(saiban_error code, saiban_options options, const char *words)
{
    saiban_generator *none = NULL;
    FAILS(code, saiban_snowflake_new(&options, &none));
    CHECK(none == NULL && message_contains(words));
    saiban_generator_free(none);
}

static void conflicting_and_incomplete_store_options_are_refused(void)
{
    const saiban_options options = stored("memory:refused", NULL);
    saiban_options other = options;
    saiban_generator *none = NULL;
    saiban_lease *lease = NULL;
    OK(saiban_lease_acquire("memory:refused", SAIBAN_NUL_TERMINATED, NULL, &lease));
    other.lease = lease;
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, other, "give one of them");
    saiban_lease_free(lease);
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, stored(NULL, "orders"), "store");
    other = options;
    other.node = 7;
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, other, "lease");
    other = options;
    other.nodes_first = 7;
    other.nodes_end = 8;
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, other, "lease");
    other = options;
    other.window_start = 1763700000000;
    other.window_end = 4000000000000;
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, other, "lease");
    other = options;
    other.not_before = 1763700000000;
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, other, "lease");
    other = options;
    other.state = "/dev/null/state";
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, other, "lease");
    /* Schemes without nodes cannot use a lease. */
    other = options;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_new(&other, &none));
    CHECK(message_contains("ulid has no nodes"));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_new(7, &other, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_object_id_new(&other, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_xid_new(&other, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_tick_id_new(SAIBAN_TICK_ORDER_ASCENDING, &other, &none));
    CHECK(none == NULL);
}

static void invalid_store_urls_and_namespaces_are_refused(void)
{
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, stored("ids.db", NULL), "URL");
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, stored("", NULL), "URL");
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, stored("memory:names", ""), "64");
    check_refused(SAIBAN_ERROR_INVALID_ARGUMENT, stored("memory:names", "a b"), "64");
    check_refused(SAIBAN_ERROR_TEXT_CHARACTER, stored("memory:names", "ab\xff"), "UTF-8");
    CHECK(saiban_last_error_position() == 2);
    check_refused(SAIBAN_ERROR_TEXT_CHARACTER, stored("memory:\xff", NULL), "UTF-8");
    CHECK(saiban_last_error_position() == 7);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: store URL\n");
        return 2;
    }
    url = argv[1];
    RUN(every_scheme_with_nodes_takes_a_store);
    RUN(a_generators_lease_reports_status_and_can_be_released);
    RUN(a_lease_is_released_with_its_last_holder);
    RUN(generator_lease_returns_the_given_lease);
    RUN(the_default_namespace_is_bound_to_one_scheme);
    RUN(conflicting_and_incomplete_store_options_are_refused);
    RUN(invalid_store_urls_and_namespaces_are_refused);
    return close_tests();
}
