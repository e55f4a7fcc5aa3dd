/*
 * Flake, ULID, UUID, ObjectId, XID and tick IDs: no two IDs are equal, with many threads too. They
 * sort as documented, and convert to text, bytes and parts as specified. Usage: schemes COUNT (of
 * IDs for each generator)
 */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, BLOCK = 100 };

typedef uint8_t wide[SAIBAN_WIDE_ID_SIZE];

static const int64_t NOW_MS = 1763700000000;
static size_t wanted;

static saiban_layout *layout_of(const char *text)
{
    saiban_layout *layout = NULL;
    OK(saiban_layout_from_text(text, SAIBAN_NUL_TERMINATED, &layout));
    return layout;
}

/* Builds a generator with this layout, and with node 7 if it has nodes. */
static saiban_generator *flake(const char *text, const saiban_manual_clock *clock)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    saiban_layout *layout = layout_of(text);
    options.layout = layout;
    options.clock = clock;
    options.node = strstr(text, "node") != NULL ? 7 : SAIBAN_NOT_GIVEN;
    OK(saiban_flake_new(&options, &generator));
    /* The generator has its own copy. */
    saiban_layout_free(layout);
    return generator;
}

static saiban_generator *uuid(int32_t version)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    OK(saiban_uuid_new(version, &options, &generator));
    return generator;
}

static saiban_generator *tick_id(int32_t order)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    OK(saiban_tick_id_new(order, &options, &generator));
    return generator;
}

static saiban_generator *ulid(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    OK(saiban_ulid_new(&options, &generator));
    return generator;
}

static saiban_generator *object_id(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    OK(saiban_object_id_new(&options, &generator));
    return generator;
}

static saiban_generator *xid(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    OK(saiban_xid_new(&options, &generator));
    return generator;
}

struct work {
    const saiban_generator *generator;
    wide *ids;
    size_t count;
    saiban_error error;
};

/* Makes single IDs and blocks in turn. */
static void *make_ids(void *given)
{
    struct work *work = given;
    size_t made = 0, written = 0;
    while (made < work->count && work->error == SAIBAN_OK) {
        size_t left = work->count - made;
        if (made / BLOCK % 2 == 0) {
            work->error = saiban_fill_wide(work->generator, work->ids[made], left < BLOCK ? left : BLOCK, &written);
            made += work->error == SAIBAN_OK ? written : 0;
        } else {
            work->error = saiban_generate_wide(work->generator, work->ids[made]);
            made++;
        }
    }
    return NULL;
}

static int compare(const void *left, const void *right) { return memcmp(left, right, SAIBAN_WIDE_ID_SIZE); }

/* Checks that IDs of several threads are unique, and frees the generator. */
static void check_unique(saiban_generator *generator)
{
    pthread_t threads[THREADS];
    struct work work[THREADS];
    size_t share = wanted / THREADS, equal = 0, unreadable = 0;
    wide *ids = malloc(share * THREADS * sizeof *ids);
    for (size_t index = 0; index < THREADS; index++) {
        struct work mine = {generator, ids + index * share, share, SAIBAN_OK};
        work[index] = mine;
        CHECK(pthread_create(&threads[index], NULL, make_ids, &work[index]) == 0);
    }
    for (size_t index = 0; index < THREADS; index++) {
        CHECK(pthread_join(threads[index], NULL) == 0);
        CHECK(work[index].error == SAIBAN_OK);
    }
    qsort(ids, share * THREADS, sizeof *ids, compare);
    for (size_t index = 0; index < share * THREADS; index++) {
        saiban_wide_parts parts;
        equal += index > 0 && compare(ids[index], ids[index - 1]) == 0;
        unreadable +=
            saiban_generator_inspect_wide(generator, ids[index], &parts, sizeof parts) != SAIBAN_OK;
    }
    CHECK(equal == 0 && unreadable == 0);
    free(ids);
    saiban_generator_free(generator);
}

static void ulids_never_repeat(void) { check_unique(ulid()); }

static void uuids_of_every_version_never_repeat(void)
{
    check_unique(uuid(1));
    check_unique(uuid(4));
    check_unique(uuid(7));
}

static void object_ids_never_repeat(void) { check_unique(object_id()); }

static void xids_never_repeat(void) { check_unique(xid()); }

static void tick_ids_never_repeat(void)
{
    check_unique(tick_id(SAIBAN_TICK_ORDER_ASCENDING));
    check_unique(tick_id(SAIBAN_TICK_ORDER_DESCENDING));
}

static void flakes_of_every_kind_never_repeat(void)
{
    check_unique(flake("unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12", NULL));
    check_unique(flake("timestamp:48 node:16 sequence:16,start=random random:48", NULL));
    check_unique(flake("timestamp:42,epoch=2020-02-02 random:22,step=255", NULL));
    check_unique(flake("timestamp:48 random:80", NULL));
}

static void ids_of_monotonic_schemes_ascend(void)
{
    saiban_generator *generators[3];
    generators[0] = ulid();
    generators[1] = uuid(7);
    generators[2] = flake("timestamp:48 node:16 random:64,step=1000", NULL);
    for (size_t index = 0; index < 3; index++) {
        wide last, id;
        OK(saiban_generate_wide(generators[index], last));
        for (int made = 0; made < 1000; made++) {
            OK(saiban_generate_wide(generators[index], id));
            CHECK(compare(last, id) < 0);
            memcpy(last, id, sizeof last);
        }
        saiban_generator_free(generators[index]);
    }
}

static void tick_ids_sort_as_text_in_the_chosen_order(void)
{
    static const int32_t ORDERS[] = {SAIBAN_TICK_ORDER_ASCENDING, SAIBAN_TICK_ORDER_DESCENDING};
    for (size_t index = 0; index < 2; index++) {
        saiban_generator *generator = tick_id(ORDERS[index]);
        char last[SAIBAN_TEXT_CAPACITY], text[SAIBAN_TEXT_CAPACITY];
        size_t len;
        OK(saiban_generate_text(generator, SAIBAN_ENCODING_CANONICAL, last, sizeof last, &len));
        CHECK(len == 24 - index);
        for (int made = 0; made < 100; made++) {
            wide id, again;
            OK(saiban_generate_text(generator, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
            CHECK(index == 0 ? strcmp(last, text) < 0 : strcmp(last, text) > 0);
            OK(saiban_from_text_wide(generator, text, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, id));
            OK(saiban_from_text_wide(generator, last, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, again));
            CHECK(index == 0 ? compare(again, id) < 0 : compare(again, id) > 0);
            strcpy(last, text);
        }
        saiban_generator_free(generator);
    }
}

/* Reads the text, writes it again, and checks its parts. */
static void check_example(saiban_generator *generator, const char *text, int32_t scheme,
                          int64_t timestamp_ms, uint64_t sequence)
{
    char again[SAIBAN_TEXT_CAPACITY];
    saiban_wide_parts parts;
    wide id;
    OK(saiban_from_text_wide(generator, text, strlen(text), SAIBAN_STRICT, id));
    OK(saiban_to_text_wide(generator, id, SAIBAN_ENCODING_CANONICAL, again, sizeof again, NULL));
    CHECK(strcmp(text, again) == 0);
    OK(saiban_generator_inspect_text_wide(generator, text, strlen(text), &parts, sizeof parts));
    CHECK(parts.scheme == scheme && parts.has_timestamp && parts.timestamp_ms == timestamp_ms);
    CHECK(parts.sequence == sequence && memcmp(parts.id, id, sizeof id) == 0);
    saiban_generator_free(generator);
}

static void examples_of_the_specifications_are_reproduced(void)
{
    static const wide RANDOM = {0, 0, 0, 0, 0, 0, 0x03, 0x30, 0xd8, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f};
    saiban_generator *v7 = uuid(7);
    char text[SAIBAN_TEXT_CAPACITY];
    wide id;
    /* RFC 9562, appendix A.6: the 12 bits 0xcc3 precede the 62 bits 0x18c4dc0c0c07398f. */
    OK(saiban_uuid_compose(v7, 1645557742000, SAIBAN_NOT_GIVEN, RANDOM, SAIBAN_NOT_GIVEN, SAIBAN_NOT_GIVEN, id));
    OK(saiban_to_text_wide(v7, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    CHECK(strcmp(text, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f") == 0);
    saiban_generator_free(v7);
    /* RFC 9562, appendix A.1; the specification of ULID; MongoDB's manual. */
    check_example(uuid(1), "c232ab00-9414-11ec-b3c8-9f6bdeced846", SAIBAN_SCHEME_UUID_V1,
                  1645557742000, 0x33c8);
    check_example(ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", SAIBAN_SCHEME_ULID, 1469922850259, 0);
    check_example(object_id(), "507f1f77bcf86cd799439011", SAIBAN_SCHEME_OBJECT_ID,
                  1350508407000, 0x439011);
    /* github.com/rs/xid, id_test.go. */
    check_example(xid(), "9m4e2mr0ui3e8a215n4g", SAIBAN_SCHEME_XID, 1300816219000, 4271561);
}

static void xids_have_12_bytes_and_one_text_form(void)
{
    static const uint8_t BYTES[SAIBAN_XID_SIZE] = {0x4d, 0x88, 0xe1, 0x5b, 0x60, 0xf4, 0x86, 0xe4, 0x28, 0x41, 0x2d, 0xc9};
    /* The second text has an excess bit. */
    static const char *const INVALID_XIDS[] = {"9M4E2MR0UI3E8A215N4G", "c6e52g2mrqcjl44hf179"};
    saiban_generator *xids = xid(), *object_ids = object_id();
    saiban_wide_parts parts;
    uint32_t bits = 0;
    wide id, other;
    OK(saiban_xid_compose(xids, 1300816219999, 0x60f486e428, 4271561, id));
    CHECK(memcmp(id + 4, BYTES, sizeof BYTES) == 0 && (id[0] | id[1] | id[2] | id[3]) == 0);
    OK(saiban_generator_bits(xids, &bits));
    OK(saiban_generator_inspect_wide(xids, id, &parts, sizeof parts));
    CHECK(bits == 96 && parts.bits == 96 && parts.node == 0x60f486e428);
    OK(saiban_object_id_compose(object_ids, 1300816219999, 0x60f486e428, 4271561, other)); /* An XID has these bits too. */
    CHECK(memcmp(id, other, sizeof id) == 0);
    for (size_t index = 0; index < sizeof INVALID_XIDS / sizeof *INVALID_XIDS; index++) {
        FAILS(SAIBAN_ERROR_TEXT_NOT_CANONICAL,
              saiban_from_text_wide(xids, INVALID_XIDS[index], 20, SAIBAN_STRICT, other));
    }
    FAILS(SAIBAN_ERROR_TEXT_LENGTH, saiban_from_text_wide(xids, "9m4e2mr0ui3e8a215n4", 19, SAIBAN_LENIENT, other));
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_xid_compose(xids, 0, (int64_t)1 << 40, 0, id));
    FAILS(SAIBAN_ERROR_SEQUENCE_OUT_OF_RANGE, saiban_xid_compose(xids, 0, 0, 1 << 24, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_xid_compose(object_ids, 0, 0, 0, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_object_id_compose(xids, 0, 0, 0, id));
    saiban_generator_free(xids);
    saiban_generator_free(object_ids);
}

static void uuid_v4_ids_have_no_timestamp(void)
{
    saiban_generator *v4 = uuid(4);
    saiban_wide_parts parts;
    wide id, first, last;
    OK(saiban_generate_wide(v4, id));
    OK(saiban_generator_inspect_wide(v4, id, &parts, sizeof parts));
    CHECK(!parts.has_timestamp && parts.timestamp_ms == 0 && parts.has_random && parts.bits == 128);
    FAILS(SAIBAN_ERROR_NOT_TIME_ORDERED, saiban_range_wide(v4, NOW_MS, NOW_MS + 1, first, last));
    saiban_generator_free(v4);
}

static void ulids_convert_to_uuid_text_and_guid_bytes(void)
{
    saiban_generator *ulids = ulid();
    char text[SAIBAN_TEXT_CAPACITY];
    wide id, guid, again, decoded;
    OK(saiban_generate_wide(ulids, id));
    OK(saiban_to_text_wide(ulids, id, SAIBAN_ENCODING_HYPHENATED, text, sizeof text, NULL));
    CHECK(strlen(text) == 36);
    OK(saiban_decode_wide(text, 36, 128, SAIBAN_ENCODING_HYPHENATED, SAIBAN_NOT_GIVEN, SAIBAN_STRICT, decoded));
    OK(saiban_uuid_to_guid_bytes(id, guid));
    OK(saiban_uuid_from_guid_bytes(guid, again));
    CHECK(memcmp(id, decoded, sizeof id) == 0 && memcmp(id, again, sizeof id) == 0);
    CHECK(guid[0] == id[3] && guid[3] == id[0] && guid[4] == id[5] && guid[6] == id[7] && guid[8] == id[8]);
    saiban_generator_free(ulids);
}

static void ranges_contain_the_ids_of_their_time(void)
{
    saiban_manual_clock *clock = NULL;
    saiban_generator *narrow, *broad;
    int64_t id, smallest, largest;
    wide made, first, last;
    OK(saiban_manual_clock_new(NOW_MS, &clock));
    narrow = flake("unused:1 timestamp:41,epoch=2020-02-02 node:10 sequence:12", clock);
    broad = flake("timestamp:48 node:16 sequence:64", clock);
    OK(saiban_generate(narrow, &id));
    OK(saiban_range(narrow, NOW_MS, NOW_MS + 1, &smallest, &largest));
    CHECK(smallest <= id && id <= largest);
    OK(saiban_range(narrow, NOW_MS + 1, NOW_MS + 2, &smallest, &largest));
    CHECK(id < smallest && smallest < largest);
    OK(saiban_generate_wide(broad, made));
    OK(saiban_range_wide(broad, NOW_MS, NOW_MS + 1, first, last));
    CHECK(compare(first, made) <= 0 && compare(made, last) <= 0);
    OK(saiban_range_wide(broad, NOW_MS - 1, NOW_MS, first, last));
    CHECK(compare(last, made) < 0);
    FAILS(SAIBAN_ERROR_INVALID_WINDOW, saiban_range(narrow, NOW_MS, NOW_MS, &smallest, &largest));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_range(broad, NOW_MS, NOW_MS + 1, &smallest, &largest));
    saiban_generator_free(narrow);
    saiban_generator_free(broad);
    saiban_manual_clock_free(clock);
}

static void fill_wide_stops_when_the_tick_is_exhausted(void)
{
    enum { PER_TICK = 256, MORE = 300 };
    saiban_manual_clock *clock = NULL;
    saiban_generator *generator;
    wide ids[MORE], id;
    size_t written = 77;
    uint64_t wait_ns = 0;
    bool ready = true;
    OK(saiban_manual_clock_new(NOW_MS, &clock));
    generator = flake("timestamp:48 node:16 sequence:8", clock);
    memset(ids, 0xee, sizeof ids);
    OK(saiban_fill_wide(generator, ids[0], MORE, &written));
    CHECK(written == PER_TICK && ids[PER_TICK - 1][15] == 0xff && ids[PER_TICK][0] == 0xee);
    written = 77;
    memset(id, 0xee, sizeof id);
    FAILS(SAIBAN_ERROR_WOULD_WAIT, saiban_fill_wide(generator, ids[0], MORE, &written));
    FAILS(SAIBAN_ERROR_WOULD_WAIT, saiban_generate_wide(generator, id));
    OK(saiban_try_generate_wide(generator, &ready, id, &wait_ns));
    CHECK(written == 77 && !ready && wait_ns == 1000000 && id[0] == 0xee);
    OK(saiban_manual_clock_advance(clock, 1));
    OK(saiban_try_generate_wide(generator, &ready, id, NULL));
    CHECK(ready && compare(ids[PER_TICK - 1], id) < 0);
    OK(saiban_fill_wide(generator, ids[0], 0, &written));
    CHECK(written == 0);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_fill_wide(generator, ids[0], SIZE_MAX / 8, &written));
    saiban_generator_free(generator);
    saiban_manual_clock_free(clock);
}

static void wide_functions_accept_64_bit_ids(void)
{
    static const wide MINUS_ONE = {0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = layout_of("instagram");
    saiban_generator *generator = NULL;
    saiban_wide_parts parts;
    saiban_parts narrow;
    uint32_t bits = 0;
    char text[SAIBAN_TEXT_CAPACITY];
    wide id;
    options.node = 7;
    options.layout = layout;
    OK(saiban_snowflake_new(&options, &generator));
    OK(saiban_generator_bits(generator, &bits));
    OK(saiban_generator_inspect(generator, -1, &narrow));
    OK(saiban_generator_inspect_wide(generator, MINUS_ONE, &parts, sizeof parts));
    CHECK(bits == 64 && parts.bits == 64 && parts.timestamp_ms == narrow.timestamp_ms && parts.node == narrow.node);
    CHECK(strcmp(parts.layout, "instagram") == 0);
    OK(saiban_to_text_wide(generator, MINUS_ONE, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    CHECK(strcmp(text, "-1") == 0);
    OK(saiban_from_text_wide(generator, "-1", 2, SAIBAN_STRICT, id));
    CHECK(compare(id, MINUS_ONE) == 0);
    id[7] = 1; /* the 65th bit */
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE, saiban_generator_inspect_wide(generator, id, &parts, sizeof parts));
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE, saiban_to_text_wide(generator, id, SAIBAN_ENCODING_HEX, text, sizeof text, NULL));
    saiban_generator_free(generator);
    saiban_layout_free(layout);
}

static void functions_of_64_bits_refuse_wider_ids(void)
{
    saiban_generator *ulids = ulid();
    saiban_parts parts;
    char text[SAIBAN_TEXT_CAPACITY], message[SAIBAN_MESSAGE_CAPACITY];
    int64_t id = -99;
    bool ready;
    size_t written;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generate(ulids, &id));
    OK(saiban_last_error_message(message, sizeof message, NULL));
    CHECK(strstr(message, "_wide") != NULL);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_try_generate(ulids, &ready, &id, NULL));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_fill(ulids, &id, 1, &written));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_to_text(ulids, 1, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT,
          saiban_from_text(ulids, "01ARZ3NDEKTSV4RRFFQ69G5FAV", SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, &id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_inspect(ulids, 1, &parts));
    CHECK(id == -99);
    saiban_generator_free(ulids);
}

static void options_invalid_for_the_scheme_are_refused(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *none = NULL;
    options.node = 7;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_new(&options, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_new(7, &options, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_object_id_new(&options, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_xid_new(&options, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_tick_id_new(SAIBAN_TICK_ORDER_ASCENDING, &options, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_flake_new(&options, &none)); /* without a layout */
    options.node = SAIBAN_NOT_GIVEN;
    options.state = "somewhere";
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_new(&options, &none));
    options.state = NULL;
    options.epoch_ms = 0;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_new(&options, &none));
    options.epoch_ms = SAIBAN_NOT_GIVEN;
    options.max_wait_ms = 5;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_new(4, &options, &none));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_new(6, &options, &none));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_tick_id_new(3, &options, &none));
    CHECK(none == NULL);
}

static void compose_refuses_invalid_parts_and_other_schemes(void)
{
    saiban_generator *ulids = ulid(), *v1 = uuid(1);
    wide id, random = {1};
    int64_t narrow;
    memset(id, 0xee, sizeof id);
    FAILS(SAIBAN_ERROR_RANDOM_OUT_OF_RANGE, saiban_ulid_compose(ulids, NOW_MS, random, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_compose(v1, NOW_MS, random, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_compose(ulids, NOW_MS, 0, random, SAIBAN_NOT_GIVEN, SAIBAN_NOT_GIVEN, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_compose(v1, NOW_MS, 0, random, 1, 1, id)); /* one too many */
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_uuid_compose(v1, NOW_MS, 0, NULL, 1, -1, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_uuid_compose(v1, NOW_MS, 1000000, NULL, 1, 1, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_object_id_compose(ulids, NOW_MS, 1, 1, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_tick_id_compose(ulids, NOW_MS, 0, 1, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_flake_compose(ulids, NOW_MS, 0, 1, 1, 0, 0, &narrow));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_flake_compose_wide(ulids, NOW_MS, 0, 1, 1, NULL, 0, id));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_compose(ulids, NOW_MS, NULL, id));
    CHECK(id[0] == 0xee);
    saiban_generator_free(ulids);
    saiban_generator_free(v1);
}

static void parts_of_another_size_are_refused(void)
{
    static const size_t SIZES[] = {0, 8, sizeof(saiban_wide_parts) - 1, sizeof(saiban_wide_parts) + 8, SIZE_MAX};
    saiban_generator *ulids = ulid();
    saiban_wide_parts parts;
    wide id = {1};
    memset(&parts, 0xee, sizeof parts);
    for (size_t index = 0; index < sizeof SIZES / sizeof *SIZES; index++) {
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_generator_inspect_wide(ulids, id, &parts, SIZES[index]));
    }
    CHECK(parts.id[0] == 0xee);
    saiban_generator_free(ulids);
}

int main(int argc, char **argv)
{
    if (argc != 2 || (wanted = strtoul(argv[1], NULL, 10)) < THREADS) {
        fprintf(stderr, "usage: schemes COUNT\n");
        return 2;
    }
    RUN(ulids_never_repeat);
    RUN(uuids_of_every_version_never_repeat);
    RUN(object_ids_never_repeat);
    RUN(xids_never_repeat);
    RUN(tick_ids_never_repeat);
    RUN(flakes_of_every_kind_never_repeat);
    RUN(ids_of_monotonic_schemes_ascend);
    RUN(tick_ids_sort_as_text_in_the_chosen_order);
    RUN(examples_of_the_specifications_are_reproduced);
    RUN(xids_have_12_bytes_and_one_text_form);
    RUN(uuid_v4_ids_have_no_timestamp);
    RUN(ulids_convert_to_uuid_text_and_guid_bytes);
    RUN(ranges_contain_the_ids_of_their_time);
    RUN(fill_wide_stops_when_the_tick_is_exhausted);
    RUN(wide_functions_accept_64_bit_ids);
    RUN(functions_of_64_bits_refuse_wider_ids);
    RUN(options_invalid_for_the_scheme_are_refused);
    RUN(compose_refuses_invalid_parts_and_other_schemes);
    RUN(parts_of_another_size_are_refused);
    return close_tests();
}
