/*
 * Bad input to the functions of leases, and unreachable stores, cause the right error kind and a
 * message that contains the remedy and no password. They change no results.
 */

#include "bad.h"

/* Checks that no lease is acquired, and that `lease` does not change. */
#define NOT_LEASED(code, url, options)                                                                                 \
    do {                                                                                                               \
        saiban_lease *lease_ = NULL;                                                                                   \
        FAILS(code, saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, options, &lease_));                               \
        CHECK(lease_ == NULL);                                                                                         \
        saiban_lease_free(lease_);                                                                                     \
    } while (0)

static saiban_lease_options options_of(const char *name_space)
{
    saiban_lease_options options = SAIBAN_LEASE_OPTIONS_INIT;
    options.name_space = name_space;
    options.wait_s = 1;
    return options;
}

static void lease_options_out_of_range_are_refused(void)
{
    static const int64_t INVALID[] = {0, -1, INT64_MIN, INT64_MAX};
    for (size_t index = 0; index < sizeof INVALID / sizeof *INVALID; index++) {
        saiban_lease_options options = options_of("bad-numbers");
        options.nodes = INVALID[index];
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
        message_contains("nodes", "1 to");
        options = options_of("bad-numbers");
        options.ttl_s = INVALID[index];
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
        options = options_of("bad-numbers");
        options.max_ttl_s = INVALID[index];
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
    }
    {
        saiban_lease_options options = options_of("bad-numbers");
        options.nodes = 1025; /* Twitter's layout has 1024. */
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
        message_contains("1025", "1024");
        options = options_of("bad-numbers");
        options.ttl_s = 3601; /* The maximum is 3600. */
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
        message_contains("3600", "ttl");
        options = options_of("bad-numbers");
        options.create = 2;
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
        message_contains("create", "0 nor 1");
    }
}

static void wait_and_clock_skew_have_only_a_lower_limit(void)
{
    static const int64_t NEGATIVE[] = {-1, INT64_MIN};
    saiban_lease_options options = options_of("any-wait");
    saiban_lease *lease = NULL;
    for (size_t index = 0; index < sizeof NEGATIVE / sizeof *NEGATIVE; index++) {
        options = options_of("any-wait");
        options.wait_s = NEGATIVE[index];
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:any-wait", &options);
        message_contains("wait_s is -", "1 or more");
        options = options_of("any-wait");
        options.max_clock_skew_s = NEGATIVE[index];
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:any-wait", &options);
        message_contains("max_clock_skew_s is -", "0 or more");
    }
    options = options_of("any-wait");
    options.wait_s = 0;
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:any-wait", &options);
    message_contains("wait_s is 0", "1 or more");
    options = options_of("any-wait");
    options.wait_s = options.max_clock_skew_s = INT64_MAX;
    OK(saiban_lease_acquire("memory:any-wait", SAIBAN_NUL_TERMINATED, &options, &lease));
    OK(saiban_lease_release(lease));
    saiban_lease_free(lease);
}

static void invalid_namespace_names_are_refused(void)
{
    static const char *const NAMES[] = {"", "a b", "a/b", "a\nb", "\xc3\xa9",
                                        "12345678901234567890123456789012345678901234567890123456789012345"};
    for (size_t index = 0; index < sizeof NAMES / sizeof *NAMES; index++) {
        saiban_lease_options options = options_of(NAMES[index]);
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
        message_contains("name", "64");
    }
}

static void invalid_utf_8_is_refused_with_its_position(void)
{
    saiban_lease_options options = options_of("ab\xff");
    saiban_lease *lease = NULL;
    NOT_LEASED(SAIBAN_ERROR_TEXT_CHARACTER, "memory:bad", &options);
    CHECK(saiban_last_error_position() == 2);
    options = options_of("good");
    options.holder = "\xc3(";
    NOT_LEASED(SAIBAN_ERROR_TEXT_CHARACTER, "memory:bad", &options);
    CHECK(saiban_last_error_position() == 0);
    options.holder = NULL;
    NOT_LEASED(SAIBAN_ERROR_TEXT_CHARACTER, "sqlite:///dev/null/\xc3\xa9\xff.db", &options);
    CHECK(saiban_last_error_position() == 20);
    message_contains("UTF-8", "position 20");
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_lease_acquire("memory:\xff", 8, &options, &lease));
    CHECK(lease == NULL && saiban_last_error_position() == 7);
    OK(saiban_lease_acquire("memory:bad\xff", 10, &options, &lease)); /* A text with a length needs no NUL. */
    OK(saiban_lease_release(lease));
    saiban_lease_free(lease);
}

static void invalid_urls_are_refused_without_showing_passwords(void)
{
    static const char *const URLS[] = {"", "leases.db", "http://me:hush@there/", "postgres://me:hush@[there/db", "sqlite",
                                       "://", "postgres//me:hush@there"};
    for (size_t index = 0; index < sizeof URLS / sizeof *URLS; index++) {
        saiban_lease *lease = NULL;
        NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, URLS[index], NULL);
        message_contains("URL", strchr(URLS[index], '[') != NULL ? "check its host" : "sqlite:");
        message_omits("hush");
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_lease_acquire(URLS[index], strlen(URLS[index]), NULL, &lease));
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_lease_acquire(URLS[index], SIZE_MAX / 2 + 1, NULL, &lease));
        CHECK(lease == NULL);
    }
}

static void unreachable_stores_are_reported_without_showing_passwords(void)
{
    static const char *const URLS[] = {"postgres://me:hush@127.0.0.1:1/db", "mysql://me:hush@127.0.0.1:1/db",
                                       "redis://me:hush@127.0.0.1:1/", "etcd://me:hush@127.0.0.1:1",
                                       "zookeeper://127.0.0.1:1", "saiban://:hush@127.0.0.1:1",
                                       "sqlite:///dev/null/leases.db"};
    for (size_t index = 0; index < sizeof URLS / sizeof *URLS; index++) {
        saiban_lease_options options = options_of("unreachable");
        NOT_LEASED(SAIBAN_ERROR_STORE_UNAVAILABLE, URLS[index], &options);
        message_omits("hush");
    }
}

static void invalid_schemes_layouts_and_secrets_are_refused(void)
{
    static const int64_t UNKNOWN[] = {99, -1, INT64_MAX, INT64_MIN, ((int64_t)1 << 32) + SAIBAN_SCHEME_SNOWFLAKE};
    saiban_lease_options options = options_of("bad-scheme");
    saiban_layout *layout = NULL;
    for (size_t index = 0; index < sizeof UNKNOWN / sizeof *UNKNOWN; index++) {
        options.scheme = UNKNOWN[index];
        NOT_LEASED(SAIBAN_ERROR_UNKNOWN_NAME, "memory:bad", &options);
    }
    options.scheme = SAIBAN_SCHEME_ANY;
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
    message_contains("one scheme", "ANY");
    options.scheme = SAIBAN_SCHEME_UUID_V7; /* A scheme without nodes. */
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
    options.scheme = SAIBAN_SCHEME_FLAKE; /* Without a layout. */
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
    message_contains("layout", "flake");
    OK(saiban_layout_from_text("timestamp:48 random:80", SAIBAN_NUL_TERMINATED, &layout));
    options.layout = layout; /* A layout without nodes. */
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
    saiban_layout_free(layout);
    options = options_of("bad-scheme");
    options.scheme = SAIBAN_SCHEME_RANDFLAKE; /* Without a secret. */
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
    message_contains("randflake", "secret");
    options.secret = SECRET;
    options.secret_len = 15;
    NOT_LEASED(SAIBAN_ERROR_INVALID_SECRET, "memory:bad", &options);
    message_omits("dffd");
    options.secret_len = sizeof SECRET;
    options.scheme = SAIBAN_SCHEME_SNOWFLAKE; /* A scheme without a secret. */
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:bad", &options);
    message_omits("dffd");
}

static void null_arguments_are_refused_with_their_name(void)
{
    saiban_lease *lease = NULL;
    saiban_status status;
    int64_t first, end;
    OK(saiban_lease_acquire("memory:null", SAIBAN_NUL_TERMINATED, NULL, &lease)); /* NULL: the defaults. */
    NULL_FOR("options", saiban_lease_options_init(NULL, sizeof(saiban_lease_options)));
    NULL_FOR("url", saiban_lease_acquire(NULL, 3, NULL, &lease));
    NULL_FOR("url", saiban_lease_acquire(NULL, SAIBAN_NUL_TERMINATED, NULL, &lease));
    NULL_FOR("argument lease", saiban_lease_acquire("memory:null", SAIBAN_NUL_TERMINATED, NULL, NULL));
    NULL_FOR("argument lease", saiban_lease_nodes(NULL, &first, &end));
    NULL_FOR("first", saiban_lease_nodes(lease, NULL, &end));
    NULL_FOR("end", saiban_lease_nodes(lease, &first, NULL));
    NULL_FOR("argument lease", saiban_lease_status(NULL, &status, sizeof status));
    NULL_FOR("status", saiban_lease_status(lease, NULL, sizeof status));
    NULL_FOR("argument lease", saiban_lease_renew(NULL));
    NULL_FOR("argument lease", saiban_lease_release(NULL));
    OK(saiban_lease_release(lease));
    saiban_lease_free(lease);
    saiban_lease_free(NULL);
}

static void structs_of_another_size_are_refused(void)
{
    saiban_lease_options options = SAIBAN_LEASE_OPTIONS_INIT, initialised;
    saiban_lease *lease = NULL;
    saiban_status status;
    memset(&initialised, 0xff, sizeof initialised);
    OK(saiban_lease_options_init(&initialised, sizeof initialised));
    CHECK(memcmp(&options, &initialised, sizeof options) == 0);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_lease_options_init(&initialised, sizeof initialised - 8));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_lease_options_init(&initialised, sizeof initialised + 8));
    options.size = 0; /* As if the program had not used SAIBAN_LEASE_OPTIONS_INIT. */
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:size", &options);
    message_contains("SAIBAN_LEASE_OPTIONS_INIT", "size");
    options.size = sizeof options + 8;
    NOT_LEASED(SAIBAN_ERROR_INVALID_ARGUMENT, "memory:size", &options);

    OK(saiban_lease_acquire("memory:size", SAIBAN_NUL_TERMINATED, &initialised, &lease));
    status.grants = 77;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_lease_status(lease, &status, 0));
    message_contains("size", "saiban_status");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_lease_status(lease, &status, sizeof status - 1));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_lease_status(lease, &status, sizeof status + 8));
    CHECK(status.grants == 77);
    OK(saiban_lease_status(lease, &status, sizeof status));
    CHECK(status.grants == 1);
    OK(saiban_lease_release(lease));
    saiban_lease_free(lease);
}

static void every_lease_state_has_its_name(void)
{
    static const char *const NAMES[] = {"",         "idle",    "acquiring", "active", "renewing",
                                        "draining", "expired", "lost",      "invalid"};
    for (int32_t state = 0; state <= SAIBAN_LEASE_INVALID; state++) {
        CHECK(strcmp(saiban_lease_state_name(state), NAMES[state]) == 0);
    }
    CHECK(strcmp(saiban_lease_state_name(-1), "") == 0 && strcmp(saiban_lease_state_name(INT32_MAX), "") == 0);
}

static void run(void)
{
    RUN(lease_options_out_of_range_are_refused);
    RUN(wait_and_clock_skew_have_only_a_lower_limit);
    RUN(invalid_namespace_names_are_refused);
    RUN(invalid_utf_8_is_refused_with_its_position);
    RUN(invalid_urls_are_refused_without_showing_passwords);
    RUN(unreachable_stores_are_reported_without_showing_passwords);
    RUN(invalid_schemes_layouts_and_secrets_are_refused);
    RUN(null_arguments_are_refused_with_their_name);
    RUN(structs_of_another_size_are_refused);
    RUN(every_lease_state_has_its_name);
}

int main(void) { return with_the_clock(run); }
