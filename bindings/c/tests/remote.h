/* The common parts of the programs that test IDs of a service. */
#ifndef REMOTE_H
#define REMOTE_H

#include "bad.h"

#include <stdlib.h>

/* The service's URL. */
static const char *url;

/* Returns options with which no test fails on a slow machine. */
static inline saiban_remote_options remote_options(int64_t block)
{
    saiban_remote_options options = SAIBAN_REMOTE_OPTIONS_INIT;
    options.block = block;
    options.max_age_ms = 3600000;
    options.wait_s = 60;
    return options;
}

static inline saiban_generator *opened(const char *scheme, const saiban_remote_options *options)
{
    saiban_generator *generator = NULL;
    OK(saiban_remote_open(url, SAIBAN_NUL_TERMINATED, scheme, SAIBAN_NUL_TERMINATED, options, &generator));
    return generator;
}

static inline int compare_ids(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* Returns the number of repeated IDs, and sorts them. */
static inline size_t repeated(int64_t *ids, size_t count)
{
    size_t equal = 0;
    qsort(ids, count, sizeof *ids, compare_ids);
    for (size_t index = 1; index < count; index++) {
        equal += ids[index] == ids[index - 1];
    }
    return equal;
}

#endif
