/*
 * A node from a lease in a database: the example of saiban_lease_acquire in saiban.h, as a program.
 */

#include <inttypes.h>
#include <saiban.h>
#include <stdio.h>

int main(void)
{
    saiban_lease *lease = NULL;
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *ids = NULL;
    int64_t id = 0;
    saiban_error error = saiban_lease_acquire("sqlite:leases.db", SAIBAN_NUL_TERMINATED, NULL, &lease);
    if (error == SAIBAN_OK) {
        options.lease = lease;
        error = saiban_snowflake_new(&options, &ids);
    }
    if (error == SAIBAN_OK) {
        error = saiban_generate(ids, &id);
        saiban_lease_release(lease);
    }
    saiban_generator_free(ids);
    saiban_lease_free(lease);

    if (error != SAIBAN_OK) {
        char message[SAIBAN_MESSAGE_CAPACITY] = "";
        saiban_last_error_message(message, sizeof message, NULL);
        fprintf(stderr, "%s: %s\n", saiban_error_name(error), message);
        return 1;
    }
    printf("%" PRId64 " is of a node that a lease gave\n", id);
    return 0;
}
