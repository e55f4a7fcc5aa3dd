/* IDs for the other languages, and theirs read here: lines of language, scheme, id and text, between tabs. */

#include "ids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool emit_ids(const struct ids *ids)
{
    for (int scheme = 0; scheme < SCHEMES; scheme++) {
        char text[SAIBAN_TEXT_CAPACITY];
        int64_t id;
        saiban_error error = saiban_generate(ids->of[scheme], &id);
        if (error == SAIBAN_OK) {
            error = saiban_to_text(ids->of[scheme], id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL);
        }
        if (error != SAIBAN_OK) {
            return failed(SCHEME_NAMES[scheme], error);
        }
        printf("c\t%s\t%" PRId64 "\t%s\n", SCHEME_NAMES[scheme], id, text);
    }
    return true;
}

static void print_part(bool has, uint64_t part)
{
    if (has) {
        printf("\t%" PRIu64, part);
    } else {
        printf("\t-");
    }
}

/* The text stands for that ID: prints what the ID is made of. */
static bool read_id(const saiban_generator *generator, const char *language, const char *scheme, const char *id,
                    const char *text)
{
    saiban_parts parts;
    int64_t value;
    saiban_error error = saiban_from_text(generator, text, strlen(text), SAIBAN_STRICT, &value);
    if (error != SAIBAN_OK) {
        return failed(text, error);
    }
    if (value != strtoimax(id, NULL, 10)) {
        fprintf(stderr, "%s: the text stands for %" PRId64 ", not %s\n", text, value, id);
        return false;
    }
    error = saiban_generator_inspect(generator, value, &parts);
    if (error != SAIBAN_OK) {
        return failed(text, error);
    }
    printf("c\t%s\t%s\t%s\t%" PRId64, language, scheme, id, parts.timestamp_ms);
    print_part(parts.has_node, parts.node);
    print_part(parts.has_sequence, parts.sequence);
    print_part(parts.has_random, parts.random);
    printf("\n");
    return true;
}

bool read_ids(const struct ids *ids, FILE *lines)
{
    char line[256];
    while (fgets(line, sizeof line, lines) != NULL) {
        char *fields[4];
        int found = 0, scheme = 0;
        for (char *field = strtok(line, "\t\n"); field != NULL && found < 4; field = strtok(NULL, "\t\n")) {
            fields[found++] = field;
        }
        if (found == 0) {
            continue;
        }
        while (found == 4 && scheme < SCHEMES && strcmp(SCHEME_NAMES[scheme], fields[1]) != 0) {
            scheme++;
        }
        if (found < 4 || scheme == SCHEMES) {
            fprintf(stderr, "a line without language, known scheme, id and text\n");
            return false;
        }
        if (!read_id(ids->of[scheme], fields[0], fields[1], fields[2], fields[3])) {
            return false;
        }
    }
    return true;
}
