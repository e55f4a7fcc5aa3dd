/* The cost of IDs in C: saiban's library, linked statically, and libuuid if it is installed. */
#include "measure.h"

#include <saiban.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_LIBUUID
#include <uuid/uuid.h>
#endif

enum { FILLED = 1024 };

/* Enough nodes that no format runs out of IDs in a tick. */
static const int64_t SNOWFLAKE_NODES = 1024, RANDFLAKE_NODES = 65536;

static saiban_generator *snowflake, *randflake, *uuid4, *uuid1;

static void ok(saiban_error error) {
    if (error == SAIBAN_OK) return;
    char message[SAIBAN_MESSAGE_CAPACITY];
    size_t length;
    saiban_last_error_message(message, sizeof message, &length);
    fprintf(stderr, "bench: error %d: %s\n", (int)error, message);
    exit(1);
}

static int64_t generate(const saiban_generator *generator, int64_t times) {
    for (int64_t i = 0; i < times; i++) {
        int64_t id;
        ok(saiban_generate(generator, &id));
        keep(&id);
    }
    return times;
}

/* The cost of a call that does almost nothing. */
static int64_t ask_bits(int64_t times) {
    for (int64_t i = 0; i < times; i++) {
        uint32_t bits;
        ok(saiban_generator_bits(snowflake, &bits));
        keep(&bits);
    }
    return times;
}

static int64_t generate_wide(const saiban_generator *generator, int64_t times) {
    for (int64_t i = 0; i < times; i++) {
        uint8_t id[SAIBAN_WIDE_ID_SIZE];
        ok(saiban_generate_wide(generator, id));
        keep(id);
    }
    return times;
}

static int64_t fill(const saiban_generator *generator, int64_t times) {
    static int64_t ids[FILLED];
    int64_t made = 0;
    while (made < times) {
        size_t written;
        ok(saiban_fill(generator, ids, FILLED, &written));
        keep(ids);
        made += (int64_t)written;
    }
    return made;
}

static int64_t snowflake_generate(int64_t times) { return generate(snowflake, times); }
static int64_t randflake_generate(int64_t times) { return generate(randflake, times); }
static int64_t snowflake_fill(int64_t times) { return fill(snowflake, times); }
static int64_t randflake_fill(int64_t times) { return fill(randflake, times); }
static int64_t uuid4_generate(int64_t times) { return generate_wide(uuid4, times); }
static int64_t uuid1_generate(int64_t times) { return generate_wide(uuid1, times); }

#ifdef WITH_LIBUUID
static int64_t libuuid_random(int64_t times) {
    for (int64_t i = 0; i < times; i++) {
        uuid_t id;
        uuid_generate_random(id);
        keep(id);
    }
    return times;
}

static int64_t libuuid_time(int64_t times) {
    for (int64_t i = 0; i < times; i++) {
        uuid_t id;
        uuid_generate_time(id);
        keep(id);
    }
    return times;
}
#endif

static void make_generators(void) {
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.nodes_first = 0;
    options.nodes_end = SNOWFLAKE_NODES;
    ok(saiban_snowflake_new(&options, &snowflake));

    static const uint8_t secret[SAIBAN_SECRET_SIZE] = "super-secret-key";
    options.nodes_end = RANDFLAKE_NODES;
    options.secret = secret;
    options.secret_len = sizeof secret;
    ok(saiban_randflake_new(&options, &randflake));

    options = (saiban_options)SAIBAN_OPTIONS_INIT;
    ok(saiban_uuid_new(4, &options, &uuid4));
    ok(saiban_uuid_new(1, &options, &uuid1));

    /*
     * The first ID waits for the tick after the one in which the generator was made. This wait is
     * not part of the cost of an ID.
     */
    generate(snowflake, 1);
    generate(randflake, 1);
}

int main(int count, char **words) {
    int rounds = 15, ms = 20;
    for (int i = 1; i < count; i += 2) {
        int *value = strcmp(words[i], "--rounds") == 0 ? &rounds : strcmp(words[i], "--ms") == 0 ? &ms : NULL;
        if (value == NULL || i + 1 == count) {
            fprintf(stderr, "usage: bench/c/run [--rounds N] [--ms M]\n");
            return 2;
        }
        *value = atoi(words[i + 1]);
    }
    make_generators();

    const char *saiban = saiban_version();
    const bench_case cases[] = {
        {"c.baseline.call", "baseline: a call that answers a number", saiban, ask_bits},
        {"c.snowflake.generate", "saiban", saiban, snowflake_generate},
        {"c.randflake.generate", "saiban", saiban, randflake_generate},
        {"c.snowflake.fill", "saiban", saiban, snowflake_fill},
        {"c.randflake.fill", "saiban", saiban, randflake_fill},
        {"c.uuid4.generate", "saiban", saiban, uuid4_generate},
        /* Its ticks have 100 ns, and one ID each. */
        {"c.uuid1.generate", "saiban, limited by its format", saiban, uuid1_generate},
#ifdef WITH_LIBUUID
        {"c.uuid4.generate", "libuuid, uuid_generate_random", WITH_LIBUUID, libuuid_random},
        {"c.uuid1.generate", "libuuid, uuid_generate_time", WITH_LIBUUID, libuuid_time},
#endif
    };
    printf("{\"machine\":{\"language\":\"c\",\"runtime\":\"%s\"}}\n", COMPILER);
    measure(cases, sizeof cases / sizeof cases[0], rounds, ms);
#ifndef WITH_LIBUUID
    printf("{\"note\":\"libuuid was not measured: uuid-dev is not installed.\"}\n");
#endif

    saiban_generator_free(snowflake);
    saiban_generator_free(randflake);
    saiban_generator_free(uuid4);
    saiban_generator_free(uuid1);
    return 0;
}
