/* IDs from a real service, and leases of its store. Usage: remote URL */

#define _POSIX_C_SOURCE 200809L
#include "remote.h"

#include <netinet/in.h>
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { GENERATORS = 2, THREADS = 4, EACH = 1000 };

static saiban_generator *shared[GENERATORS];
static int64_t taken[THREADS][EACH];

static void *take(void *thread)
{
    int64_t *ids = thread;
    size_t place = (size_t)(ids - taken[0]) / EACH, written = 0;
    for (size_t index = 0; index < EACH / 2; index++) {
        if (saiban_generate(shared[place % GENERATORS], &ids[index]) != SAIBAN_OK) return NULL;
    }
    while (written < EACH / 2) {
        size_t more = 0;
        if (saiban_fill(shared[place % GENERATORS], &ids[EACH / 2 + written], EACH / 2 - written, &more) != SAIBAN_OK) return NULL;
        written += more;
    }
    return thread;
}

static void threads_and_generators_never_share_ids(void)
{
    saiban_remote_options options = remote_options(50);
    pthread_t threads[THREADS];
    for (size_t index = 0; index < GENERATORS; index++) {
        shared[index] = opened("snowflake", &options);
    }
    for (size_t index = 0; index < THREADS; index++) {
        CHECK(pthread_create(&threads[index], NULL, take, taken[index]) == 0);
    }
    for (size_t index = 0; index < THREADS; index++) {
        void *result = NULL;
        CHECK(pthread_join(threads[index], &result) == 0 && result != NULL);
    }
    CHECK(repeated(taken[0], (size_t)THREADS * EACH) == 0);
    for (size_t index = 0; index < GENERATORS; index++) {
        saiban_generator_free(shared[index]);
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void pause_ms(long duration_ms)
{
    struct timespec duration = {duration_ms / 1000, duration_ms % 1000 * 1000000};
    nanosleep(&duration, NULL);
}

static void no_id_is_older_than_max_age_ms(void)
{
    enum { MAX_AGE_MS = 200, SLACK_MS = 50 };
    saiban_remote_options options = remote_options(10);
    saiban_remote_prefetch status;
    saiban_generator *ids;
    options.max_age_ms = MAX_AGE_MS;
    ids = opened("snowflake", &options);
    for (int round = 0; round < 12; round++) {
        int64_t before = now_ms(), id = -1;
        saiban_parts parts;
        OK(saiban_generate(ids, &id));
        OK(saiban_generator_inspect(ids, id, &parts));
        CHECK(parts.timestamp_ms >= before - MAX_AGE_MS - SLACK_MS);
        pause_ms(round % 3 * 150);
    }
    OK(saiban_remote_status(ids, &status, sizeof status));
    CHECK(status.dropped > 0 && status.calls > 1);
    saiban_generator_free(ids);
}

static void wide_ids_are_returned_as_bytes_and_text(void)
{
    enum { MANY = 200 };
    static uint8_t many[MANY][SAIBAN_WIDE_ID_SIZE];
    saiban_remote_options options = remote_options(64);
    saiban_generator *keys = opened("uuid-v7", &options), *ulids = opened("ulid", &options);
    saiban_layout *layout = (saiban_layout *)&options;
    saiban_wide_parts parts;
    uint8_t id[SAIBAN_WIDE_ID_SIZE], read[SAIBAN_WIDE_ID_SIZE];
    char text[SAIBAN_TEXT_CAPACITY] = "";
    int32_t scheme = 0;
    uint32_t bits = 0;
    size_t written = 0, len = 0;
    int64_t narrow = -9;
    bool ready = false;
    OK(saiban_generator_scheme(keys, &scheme));
    OK(saiban_generator_bits(keys, &bits));
    CHECK(scheme == SAIBAN_SCHEME_UUID_V7 && bits == 128);
    OK(saiban_generate_wide(keys, id));
    CHECK(id[6] >> 4 == 7);
    OK(saiban_to_text_wide(keys, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, &len));
    CHECK(len == 36);
    OK(saiban_from_text_wide(keys, text, len, SAIBAN_STRICT, read));
    CHECK(memcmp(id, read, sizeof id) == 0);
    OK(saiban_generator_inspect_wide(keys, id, &parts, sizeof parts));
    CHECK(parts.scheme == SAIBAN_SCHEME_UUID_V7 && parts.has_timestamp);
    OK(saiban_fill_wide(keys, many[0], MANY, &written));
    CHECK(written == MANY);
    for (size_t index = 1; index < written; index++) {
        CHECK(memcmp(many[index], many[index - 1], SAIBAN_WIDE_ID_SIZE) != 0);
    }
    while (!ready) {
        OK(saiban_try_generate_wide(keys, &ready, id, NULL));
    }
    OK(saiban_generate_text(ulids, SAIBAN_ENCODING_CANONICAL, text, sizeof text, &len));
    CHECK(len == 26);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generate(keys, &narrow));
    message_contains("wider", "_wide");
    CHECK(narrow == -9);
    OK(saiban_remote_layout(keys, &layout));
    CHECK(layout == NULL);
    saiban_generator_free(ulids);
    saiban_generator_free(keys);
}

static void only_unencrypted_ids_are_composed_without_the_service(void)
{
    enum { NODE = 7, SEQUENCE = 1 };
    static const int64_t NOW_MS = 1704067200000;
    saiban_remote_options options = remote_options(10);
    saiban_options ours = options_with_node(5);
    saiban_generator *snowflakes = opened("snowflake", &options), *ulids = opened("ulid", &options);
    saiban_generator *encrypted = opened("randflake", &options), *here = NULL;
    saiban_remote_prefetch status;
    saiban_wide_parts parts;
    saiban_parts apart;
    uint8_t random[SAIBAN_WIDE_ID_SIZE] = {0}, ulid[SAIBAN_WIDE_ID_SIZE];
    int64_t id = -9, same = 0, unread = -9;
    char text[SAIBAN_TEXT_CAPACITY] = "";
    OK(saiban_snowflake_new(&ours, &here));
    OK(saiban_snowflake_compose(here, NOW_MS, NODE, SEQUENCE, &same));
    OK(saiban_snowflake_compose(snowflakes, NOW_MS, NODE, SEQUENCE, &id));
    CHECK(id == same);
    OK(saiban_generator_inspect(snowflakes, id, &apart));
    CHECK(apart.timestamp_ms == NOW_MS && apart.node == NODE && apart.sequence == SEQUENCE);
    random[SAIBAN_WIDE_ID_SIZE - 1] = 5;
    OK(saiban_ulid_compose(ulids, NOW_MS, random, ulid));
    OK(saiban_generator_inspect_wide(ulids, ulid, &parts, sizeof parts));
    CHECK(parts.timestamp_ms == NOW_MS && memcmp(parts.random, random, sizeof random) == 0);
    OK(saiban_remote_status(snowflakes, &status, sizeof status));
    CHECK(status.calls == 0 && status.prefetched == 0);
    /* The scheme determines the limits of parts here too. */
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_snowflake_compose(snowflakes, NOW_MS, 1024, SEQUENCE, &unread));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_randflake_compose(snowflakes, NOW_MS, NODE, SEQUENCE, &unread));
    message_contains("snowflake", "randflake");

    OK(saiban_generate(encrypted, &id));
    OK(saiban_to_text(encrypted, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    OK(saiban_from_text(encrypted, text, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, &same));
    CHECK(same == id);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_randflake_compose(encrypted, NOW_MS, NODE, SEQUENCE, &unread));
    message_contains("secret", "compose");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_inspect(encrypted, id, &apart));
    message_contains("secret", "inspect");
    CHECK(unread == -9);
    saiban_generator_free(here);
    saiban_generator_free(encrypted);
    saiban_generator_free(ulids);
    saiban_generator_free(snowflakes);
}

static void a_remote_generator_reports_its_layout_and_status(void)
{
    saiban_remote_options options = remote_options(10);
    saiban_options ours = options_with_node(5);
    saiban_generator *ids = opened("snowflake", &options), *here = NULL;
    saiban_layout *layout = NULL;
    saiban_remote_prefetch status;
    saiban_stats stats;
    char text[SAIBAN_LAYOUT_TEXT_CAPACITY] = "";
    int64_t id = -9, read = -9;
    bool ready = false;
    memset(&status, 0xff, sizeof status);
    OK(saiban_remote_status(ids, &status, sizeof status));
    CHECK(status.prefetched == 0 && status.calls == 0 && status.dropped == 0 && status.error == SAIBAN_OK);
    CHECK(strcmp(status.why, "") == 0);
    OK(saiban_generate(ids, &id));
    OK(saiban_remote_status(ids, &status, sizeof status));
    CHECK(status.prefetched >= 9 && status.calls >= 1);
    while (!ready) {
        OK(saiban_try_generate(ids, &ready, &read, NULL));
    }
    CHECK(read != id);
    OK(saiban_to_text(ids, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    OK(saiban_from_text(ids, text, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, &read));
    CHECK(read == id);
    OK(saiban_generator_stats(ids, &stats, sizeof stats));
    CHECK(stats.issued == 2 && stats.guarantee == SAIBAN_GUARANTEE_UNIQUE);
    OK(saiban_remote_layout(ids, &layout));
    OK(saiban_layout_to_text(layout, text, sizeof text, NULL));
    CHECK(strncmp(text, "unused:1 timestamp:41", 21) == 0);
    saiban_layout_free(layout);
    layout = NULL;
    OK(saiban_snowflake_new(&ours, &here));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_remote_layout(here, &layout));
    message_contains("not remote", "saiban_remote_open");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_remote_status(here, &status, sizeof status));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_remote_status(ids, &status, sizeof status - 1));
    message_contains("size", "saiban_remote_prefetch");
    CHECK(layout == NULL);
    saiban_generator_free(here);
    saiban_generator_free(ids);
}

/* Checks that no generator is opened, and that `generator` does not change. */
#define NOT_OPENED(code, url, scheme, options)                                                                         \
    do {                                                                                                               \
        saiban_generator *made_ = NULL;                                                                                \
        FAILS(code, saiban_remote_open(url, SAIBAN_NUL_TERMINATED, scheme, SAIBAN_NUL_TERMINATED, options, &made_));   \
        CHECK(made_ == NULL);                                                                                          \
    } while (0)

static void invalid_remote_arguments_are_refused(void)
{
    saiban_remote_options options = remote_options(10), initialised;
    saiban_generator *ids = NULL;
    int64_t id = -9;
    NOT_OPENED(SAIBAN_ERROR_UNKNOWN_NAME, url, "nonsense", NULL);
    message_contains("nonsense", "snowflake");
    NOT_OPENED(SAIBAN_ERROR_INVALID_ARGUMENT, url, "", NULL);
    NOT_OPENED(SAIBAN_ERROR_INVALID_ARGUMENT, "redis://there", "snowflake", NULL);
    message_contains("redis://there", "saiban://");
    NOT_OPENED(SAIBAN_ERROR_INVALID_ARGUMENT, "saiban://me:hush@there", "snowflake", NULL);
    message_omits("hush");
    NOT_OPENED(SAIBAN_ERROR_TEXT_CHARACTER, url, "a\xff", NULL);
    options.wait_s = 1;
    NOT_OPENED(SAIBAN_ERROR_STORE_UNAVAILABLE, "saiban://:hush@127.0.0.1:1", "snowflake", &options);
    message_omits("hush");
    options = remote_options(0);
    NOT_OPENED(SAIBAN_ERROR_INVALID_ARGUMENT, url, "snowflake", &options);
    message_contains("block is 0", "100000");
    options = remote_options(10);
    options.max_age_ms = 0;
    NOT_OPENED(SAIBAN_ERROR_INVALID_ARGUMENT, url, "snowflake", &options);
    message_contains("max_age_ms is 0", "3600000");
    options = remote_options(10);
    options.wait_s = -1;
    NOT_OPENED(SAIBAN_ERROR_INVALID_ARGUMENT, url, "snowflake", &options);
    /* The service allows fewer, and reports this at the first request for an ID. */
    options = remote_options(20000);
    ids = opened("snowflake", &options);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generate(ids, &id));
    message_contains("20000", "10000");
    CHECK(id == -9);
    saiban_generator_free(ids);

    options = (saiban_remote_options)SAIBAN_REMOTE_OPTIONS_INIT;
    memset(&initialised, 0xff, sizeof initialised);
    OK(saiban_remote_options_init(&initialised, sizeof initialised));
    CHECK(memcmp(&options, &initialised, sizeof options) == 0);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_remote_options_init(&initialised, sizeof initialised + 8));
    options.size--;
    NOT_OPENED(SAIBAN_ERROR_INVALID_ARGUMENT, url, "snowflake", &options);
    message_contains("size", "SAIBAN_REMOTE_OPTIONS_INIT");
    NULL_FOR("url", saiban_remote_open(NULL, 3, "snowflake", 9, NULL, &ids));
    NULL_FOR("scheme", saiban_remote_open(url, SAIBAN_NUL_TERMINATED, NULL, 9, NULL, &ids));
    NULL_FOR("generator", saiban_remote_open(url, SAIBAN_NUL_TERMINATED, "snowflake", 9, NULL, NULL));
    NULL_FOR("options", saiban_remote_options_init(NULL, sizeof options));
}

/* Returns the service's response to GET, without saiban's library. */
static const char *get(const char *path)
{
    static char response[65536];
    char request[256];
    struct sockaddr_in there;
    size_t len = 0;
    ssize_t more = 0;
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    memset(&there, 0, sizeof there);
    there.sin_family = AF_INET;
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    there.sin_port = htons((uint16_t)atoi(strrchr(url, ':') + 1));
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    CHECK(connect(connection, (struct sockaddr *)&there, sizeof there) == 0);
    CHECK(write(connection, request, strlen(request)) == (ssize_t)strlen(request));
    while (len + 1 < sizeof response &&
           (more = read(connection, response + len, sizeof response - 1 - len)) > 0) {
        len += (size_t)more;
    }
    close(connection);
    response[len] = '\0';
    CHECK(strstr(response, " 200 ") != NULL);
    return response;
}

/* Returns whether the list contains an unexpired slot of this holder. */
static bool is_held(const char *listing, const char *holder)
{
    const char *name = strstr(listing, holder), *slot = name, *end;
    while (slot != NULL && slot > listing && *slot != '{') slot--;
    end = slot == NULL ? NULL : strstr(slot, "\"end_us\":");
    return end != NULL && end < name && strtoll(end + 9, NULL, 10) > 0;
}

static void a_lease_of_the_service_is_renewed_and_released(void)
{
    char name[65], path[96];
    saiban_lease_options terms = SAIBAN_LEASE_OPTIONS_INIT;
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_lease *lease = NULL;
    saiban_generator *ids = NULL;
    saiban_status status;
    saiban_parts parts;
    int64_t id = -9;
    snprintf(name, sizeof name, "orders-%ld", (long)getpid());
    snprintf(path, sizeof path, "/v1/leases/%s", name);
    terms.name_space = name;
    terms.holder = "a-program-in-c";
    terms.create = 1;
    terms.ttl_s = 60;
    terms.wait_s = 60;
    OK(saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, &terms, &lease));
    options.lease = lease;
    OK(saiban_snowflake_new(&options, &ids));
    OK(saiban_generate(ids, &id));
    OK(saiban_generator_inspect(ids, id, &parts));
    OK(saiban_lease_status(lease, &status, sizeof status));
    CHECK((int64_t)parts.node >= status.nodes_first && (int64_t)parts.node < status.nodes_end);
    CHECK(is_held(get(path), "a-program-in-c"));
    for (int times = 0; status.renewals == 0 && times < 600; times++) {
        OK(saiban_lease_renew(lease));
        pause_ms(100);
        OK(saiban_lease_status(lease, &status, sizeof status));
    }
    CHECK(status.renewals >= 1 && status.grants == 1 && status.error == SAIBAN_OK);
    OK(saiban_lease_release(lease));
    CHECK(!is_held(get(path), "a-program-in-c"));
    FAILS(SAIBAN_ERROR_LEASE_LOST, saiban_generate(ids, &id));
    saiban_generator_free(ids);
    saiban_lease_free(lease);
}

static void run(void)
{
    RUN(threads_and_generators_never_share_ids);
    RUN(no_id_is_older_than_max_age_ms);
    RUN(wide_ids_are_returned_as_bytes_and_text);
    RUN(only_unencrypted_ids_are_composed_without_the_service);
    RUN(a_remote_generator_reports_its_layout_and_status);
    RUN(invalid_remote_arguments_are_refused);
    RUN(a_lease_of_the_service_is_renewed_and_released);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: remote URL\n");
        return 2;
    }
    url = argv[1];
    return with_the_clock(run);
}
