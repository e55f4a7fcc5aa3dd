/* The service's IDs: one generator of each scheme, with this service's node. */
#ifndef IDS_H
#define IDS_H

#include <saiban.h>
#include <stdbool.h>
#include <stdio.h>

/* The node of the C service, which no other service of the fleet may use. */
enum { NODE = 3 };

enum scheme { SNOWFLAKE, RANDFLAKE, ULID_FLAKE, ULID_FLAKE_SCALABLE, SCHEMES };

struct ids {
    saiban_generator *of[SCHEMES];
};

/* The schemes by name, in that order. */
extern const char *const SCHEME_NAMES[SCHEMES];

/*
 * Makes the generators. The environment variable SAIBAN_SECRET contains the secret, as 32
 * hexadecimal digits. Returns false, and prints a line on standard error, if a generator cannot be
 * made.
 */
bool open_ids(struct ids *ids);

void close_ids(struct ids *ids);

/* Prints the last call's error on standard error. Always returns false. */
bool failed(const char *what, saiban_error error);

/* The commands; see main.c. */
bool show_orders(const struct ids *ids);
bool emit_ids(const struct ids *ids);
bool read_ids(const struct ids *ids, FILE *lines);

#endif
