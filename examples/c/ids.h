/* The service's IDs: one generator of each scheme, with this service's node. */
#ifndef IDS_H
#define IDS_H

#include <saiban.h>
#include <stdbool.h>
#include <stdio.h>

/* C's part of the fleet: nobody else may have this node. */
enum { NODE = 3 };

enum scheme { SNOWFLAKE, RANDFLAKE, ULID_FLAKE, ULID_FLAKE_SCALABLE, SCHEMES };

struct ids {
    saiban_generator *of[SCHEMES];
};

/* The schemes by name, in that order. */
extern const char *const SCHEME_NAMES[SCHEMES];

/*
 * Makes the generators. The secret is 32 hexadecimal digits in the environment variable
 * SAIBAN_SECRET. False, with a line on standard error, where one cannot be made.
 */
bool open_ids(struct ids *ids);

void close_ids(struct ids *ids);

/* Says on standard error what the last call could not do. Always false. */
bool failed(const char *what, saiban_error error);

/* The commands; see main.c. */
bool show_orders(const struct ids *ids);
bool emit_ids(const struct ids *ids);
bool read_ids(const struct ids *ids, FILE *lines);

#endif
