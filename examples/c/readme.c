/* The README's lines of C, as a program. */

#include <inttypes.h>
#include <saiban.h>
#include <stdio.h>

int main(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *ids = NULL;
    char text[SAIBAN_TEXT_CAPACITY] = "";
    int64_t id = 0;
    options.node = 7;                          /* node 7, which must be ours alone */
    if (saiban_snowflake_new(&options, &ids) == SAIBAN_OK && saiban_generate(ids, &id) == SAIBAN_OK &&
        saiban_to_text(ids, id, SAIBAN_ENCODING_BASE62, text, sizeof text, NULL) == SAIBAN_OK) {
        printf("%" PRId64 " %s\n", id, text);
    }
    saiban_generator_free(ids);
    return id != 0 && text[0] != '\0' ? 0 : 1;
}
