/* The program of a project that uses the installed library. It prints an ID. */

#include <inttypes.h>
#include <saiban.h>
#include <stdio.h>

int main(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *ids = NULL;
    int64_t id = 0;
    options.node = 22;
    if (saiban_snowflake_new(&options, &ids) == SAIBAN_OK && saiban_generate(ids, &id) == SAIBAN_OK) {
        printf("%" PRId64 "\n", id);
    }
    saiban_generator_free(ids);
    return id != 0 ? 0 : 1;
}
