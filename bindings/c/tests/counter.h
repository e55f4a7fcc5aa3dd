/* What the programs about counters share. */
#ifndef COUNTER_H
#define COUNTER_H

#include "bad.h"

#include <unistd.h>

/* The store. */
static const char *url;

/* Options of a counter of the test's own, made where it is not. */
static inline saiban_counter_options counter_options(const char *test)
{
    static char name[65];
    saiban_counter_options options = SAIBAN_COUNTER_OPTIONS_INIT;
    snprintf(name, sizeof name, "%s-%ld", test, (long)getpid());
    options.name = name;
    options.create = 1;
    /* A loaded machine is no reason to fail. */
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
