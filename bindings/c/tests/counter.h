/* The common parts of the programs that test counters. */
#ifndef COUNTER_H
#define COUNTER_H

#include "bad.h"

#include <unistd.h>

/* The store's URL. */
static const char *url;

/* Returns options of a counter for this test alone, with `create`. */
static inline saiban_counter_options counter_options(const char *test)
{
    static char name[65];
    saiban_counter_options options = SAIBAN_COUNTER_OPTIONS_INIT;
    snprintf(name, sizeof name, "%s-%ld", test, (long)getpid());
    options.name = name;
    options.create = 1;
    /* Tests must not fail on a busy machine. */
    options.wait_s = 60;
    return options;
}

static inline saiban_counter *opened(const saiban_counter_options *options)
{
    saiban_counter *counter = NULL;
    OK(saiban_counter_open(url, SAIBAN_NUL_TERMINATED, options, &counter));
    return counter;
}

static inline int64_t next_of(const saiban_counter *counter)
{
    int64_t number = -1;
    OK(saiban_counter_generate(counter, &number));
    return number;
}

#endif
