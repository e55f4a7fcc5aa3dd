/* The common parts of the programs that test bad input: generators, and checks of messages. */
#ifndef BAD_H
#define BAD_H

#include "check.h"

static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {0xdf, 0xfd, 0x60, 0x21, 0xbb, 0x2b, 0xd5, 0xb0,
                                                   0xaf, 0x67, 0x62, 0x90, 0x80, 0x9e, 0xc3, 0xa5};
static const int64_t NOW_MS = 1733706297000;

static saiban_manual_clock *the_clock;

static inline saiban_options options_with_node(int64_t node)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.clock = the_clock;
    options.node = node;
    return options;
}

static inline saiban_generator *snowflake(void)
{
    saiban_options options = options_with_node(7);
    saiban_generator *generator = NULL;
    OK(saiban_snowflake_new(&options, &generator));
    return generator;
}

static inline saiban_generator *randflake(void)
{
    saiban_options options = options_with_node(42);
    saiban_generator *generator = NULL;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    OK(saiban_randflake_new(&options, &generator));
    return generator;
}

/* Checks that the last error's message contains both of these words. */
static inline void message_contains(const char *first, const char *second)
{
    char message[SAIBAN_MESSAGE_CAPACITY];
    size_t len = 0;
    OK(saiban_last_error_message(message, sizeof message, &len));
    CHECK(len == strlen(message));
    if (strstr(message, first) == NULL || strstr(message, second) == NULL) {
        wrong(__FILE__, __LINE__, "\"%s\" lacks \"%s\" or \"%s\"", message, first, second);
    }
}

/* Checks that the last error's message does not contain these words. */
static inline void message_omits(const char *words)
{
    char message[SAIBAN_MESSAGE_CAPACITY] = "";
    OK(saiban_last_error_message(message, sizeof message, NULL));
    CHECK(message[0] != '\0');
    if (strstr(message, words) != NULL) {
        wrong(__FILE__, __LINE__, "\"%s\" shows \"%s\"", message, words);
    }
}

/* Checks that no generator is made, and that `generator` does not change. */
#define NOT_MADE(code, make, options)                                                                                  \
    do {                                                                                                               \
        saiban_generator *made_ = NULL;                                                                                \
        FAILS(code, make(&(options), &made_));                                                                         \
        CHECK(made_ == NULL);                                                                                          \
        saiban_generator_free(made_);                                                                                  \
    } while (0)

#define NULL_FOR(argument, call)                                                                                       \
    do {                                                                                                               \
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, call);                                                                    \
        message_contains(argument, "NULL");                                                                            \
    } while (0)

/* Makes the clock, runs the tests, and frees the clock. */
static inline int with_the_clock(void (*run)(void))
{
    if (saiban_manual_clock_new(NOW_MS, &the_clock) != SAIBAN_OK) {
        return 1;
    }
    run();
    saiban_manual_clock_free(the_clock);
    return close_tests();
}

#endif
