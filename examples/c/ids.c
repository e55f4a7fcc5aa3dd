/* Makes the generators, and reports errors. */

#include "ids.h"

#include <stdlib.h>
#include <string.h>

const char *const SCHEME_NAMES[SCHEMES] = {"snowflake", "randflake", "ulid-flake", "ulid-flake-scalable"};

bool failed(const char *what, saiban_error error)
{
    char message[SAIBAN_MESSAGE_CAPACITY] = "";
    (void)saiban_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s (%s)\n", what, message, saiban_error_name(error));
    return false;
}

bool open_ids(struct ids *ids)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    uint8_t secret[SAIBAN_SECRET_SIZE];
    const char *digits = getenv("SAIBAN_SECRET");
    saiban_error error;
    memset(ids, 0, sizeof *ids);
    if (digits == NULL) {
        fprintf(stderr, "SAIBAN_SECRET is not set: give 32 hexadecimal digits\n");
        return false;
    }
    error = saiban_secret_from_hex(digits, SAIBAN_NUL_TERMINATED, secret);
    if (error != SAIBAN_OK) {
        return failed("SAIBAN_SECRET", error);
    }

    options.node = NODE;
    error = saiban_snowflake_new(&options, &ids->of[SNOWFLAKE]);
    if (error == SAIBAN_OK) {
        options.secret = secret;
        options.secret_len = sizeof secret;
        error = saiban_randflake_new(&options, &ids->of[RANDFLAKE]);
    }
    memset(secret, 0, sizeof secret); /* The generator has its own copy. */
    if (error == SAIBAN_OK) {
        saiban_options stand_alone = SAIBAN_OPTIONS_INIT;
        error = saiban_ulid_flake_new(&stand_alone, &ids->of[ULID_FLAKE]);
    }
    if (error == SAIBAN_OK) {
        saiban_options scalable = SAIBAN_OPTIONS_INIT;
        scalable.scalability = NODE;
        error = saiban_ulid_flake_new(&scalable, &ids->of[ULID_FLAKE_SCALABLE]);
    }
    if (error != SAIBAN_OK) {
        close_ids(ids);
        return failed("the generators", error);
    }
    return true;
}

void close_ids(struct ids *ids)
{
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        saiban_generator_free(ids->of[scheme]);
        ids->of[scheme] = NULL;
    }
}
