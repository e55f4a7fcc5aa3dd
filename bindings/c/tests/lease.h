/* The common parts of the programs that test leases: unused namespaces, and leases in them. */
#ifndef LEASE_H
#define LEASE_H

#include "check.h"

#include <inttypes.h>
#include <unistd.h>

/* Two nodes: a third lease of one node finds none. */
#define TWO_NODES "unused:1 timestamp:41@ms,epoch=2020-02-02 node:1 sequence:21"

/* The store's URL. */
static const char *url;

/* Returns options of a namespace for this test alone, with `create`. */
static inline saiban_lease_options lease_options(const char *test)
{
    static char name[65];
    saiban_lease_options options = SAIBAN_LEASE_OPTIONS_INIT;
    snprintf(name, sizeof name, "%s-%ld", test, (long)getpid());
    options.name_space = name;
    options.create = 1;
    /* Tests must not fail on a busy machine. */
    options.wait_s = 60;
    return options;
}

static inline saiban_lease *acquire(const saiban_lease_options *options)
{
    saiban_lease *lease = NULL;
    OK(saiban_lease_acquire(url, SAIBAN_NUL_TERMINATED, options, &lease));
    return lease;
}

static inline saiban_generator *leased(const saiban_lease *lease, const saiban_layout *layout)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    options.lease = lease;
    options.layout = layout;
    OK(saiban_snowflake_new(&options, &generator));
    return generator;
}

/* Returns the layout with this text. */
static inline saiban_layout *layout_of(const char *text)
{
    saiban_layout *layout = NULL;
    OK(saiban_layout_from_text(text, SAIBAN_NUL_TERMINATED, &layout));
    return layout;
}

/* Returns whether this many IDs of the generator have nodes of the lease. */
static inline bool ids_have_leased_nodes(const saiban_lease *lease,
                                         const saiban_generator *generator, size_t count)
{
    int64_t first = -1, end = -1;
    if (saiban_lease_nodes(lease, &first, &end) != SAIBAN_OK || first >= end) {
        return false;
    }
    for (size_t index = 0; index < count; index++) {
        uint8_t id[SAIBAN_WIDE_ID_SIZE];
        saiban_wide_parts parts;
        saiban_error error;
        /* The first ID may need a longer wait than a generator's maximum. */
        do {
            error = saiban_generate_wide(generator, id);
        } while (error == SAIBAN_ERROR_WOULD_WAIT);
        if (error != SAIBAN_OK || saiban_generator_inspect_wide(generator, id, &parts, sizeof parts) != SAIBAN_OK ||
            !parts.has_node || (int64_t)parts.node < first || (int64_t)parts.node >= end) {
            return false;
        }
    }
    return true;
}

/* Returns whether the last error's message contains these words. */
static inline bool message_contains(const char *words)
{
    char message[SAIBAN_MESSAGE_CAPACITY] = "";
    OK(saiban_last_error_message(message, sizeof message, NULL));
    if (strstr(message, words) == NULL) {
        printf("  \"%s\" lacks \"%s\"\n", message, words);
        return false;
    }
    return true;
}

#endif
