/* The README's lines of C, as a program. */

#define _XOPEN_SOURCE 700

#include <inttypes.h>
#include <saiban.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int64_t leased(void);

int main(void)
{
    char folder[] = "/tmp/saiban-XXXXXX";
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *ids = NULL;
    char text[SAIBAN_TEXT_CAPACITY] = "";
    int64_t id = 0;
    options.node = 7;                          /* node 7, which no other machine has */
    if (saiban_snowflake_new(&options, &ids) == SAIBAN_OK && saiban_generate(ids, &id) == SAIBAN_OK &&
        saiban_to_text(ids, id, SAIBAN_ENCODING_BASE62, text, sizeof text, NULL) == SAIBAN_OK) {
        printf("%" PRId64 " %s\n", id, text);
    }
    saiban_generator_free(ids);
    if (id == 0 || text[0] == '\0' || mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    id = leased();
    (void)remove("ids.db");
    (void)rmdir(folder);
    return id != 0 ? 0 : 1;
}

static int64_t leased(void)
{
    int64_t id = 0;
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *ids = NULL;
    saiban_lease *lease = NULL;
    options.store = "sqlite:ids.db";           /* a node that no other process of this machine has */
    if (saiban_snowflake_new(&options, &ids) == SAIBAN_OK && saiban_generate(ids, &id) == SAIBAN_OK &&
        saiban_generator_lease(ids, &lease) == SAIBAN_OK) {
        printf("%" PRId64 "\n", id);
        saiban_lease_release(lease);
    }
    saiban_lease_free(lease);
    saiban_generator_free(ids);
    return id;
}
