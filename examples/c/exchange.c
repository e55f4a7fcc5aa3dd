/*
 * Makes IDs for the other languages, and reads theirs: lines of language, scheme, the ID as a
 * decimal number, and its text, separated by tabs. The functions that end in _wide take IDs of any
 * width.
 */

#include "ids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The number of the exchange's additional generators, and of all generators. */
enum { MORE = 4, ALL = SCHEMES + MORE };

static const char *const MORE_NAMES[MORE] = {"flake", "uuid-v7", "ulid", "objectid"};

static const char *name_of(int scheme)
{
    return scheme < SCHEMES ? SCHEME_NAMES[scheme] : MORE_NAMES[scheme - SCHEMES];
}

/* Makes the additional generators. SAIBAN_LAYOUT in the environment is the layout of "flake". */
static bool open_more(saiban_generator *more[MORE])
{
    saiban_options flake = SAIBAN_OPTIONS_INIT, random = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = NULL;
    const char *text = getenv("SAIBAN_LAYOUT");
    saiban_error error;
    if (text == NULL) {
        fprintf(stderr, "SAIBAN_LAYOUT is not set: give a layout\n");
        return false;
    }
    error = saiban_layout_from_text(text, SAIBAN_NUL_TERMINATED, &layout);
    if (error == SAIBAN_OK) {
        flake.layout = layout;
        flake.node = NODE;
        error = saiban_flake_new(&flake, &more[0]);
    }
    saiban_layout_free(layout); /* The generator keeps what it needs. */
    if (error == SAIBAN_OK) {
        error = saiban_uuid_new(7, &random, &more[1]);
    }
    if (error == SAIBAN_OK) {
        error = saiban_ulid_new(&random, &more[2]);
    }
    if (error == SAIBAN_OK) {
        error = saiban_object_id_new(&random, &more[3]);
    }
    return error == SAIBAN_OK || failed("the other generators", error);
}

static bool emit_id(const char *scheme, const saiban_generator *generator)
{
    uint8_t id[SAIBAN_WIDE_ID_SIZE];
    char number[SAIBAN_TEXT_CAPACITY], text[SAIBAN_TEXT_CAPACITY];
    saiban_error error = saiban_generate_wide(generator, id);
    if (error == SAIBAN_OK) {
        error = saiban_to_text_wide(generator, id, SAIBAN_ENCODING_DECIMAL, number, sizeof number, NULL);
    }
    if (error == SAIBAN_OK) {
        error = saiban_to_text_wide(generator, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL);
    }
    if (error != SAIBAN_OK) {
        return failed(scheme, error);
    }
    printf("c\t%s\t%s\t%s\n", scheme, number, text);
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

/* Checks that the text is that of the number, and prints the parts of the ID. */
static bool read_id(const saiban_generator *generator, const char *language, const char *scheme, const char *number,
                    const char *text)
{
    saiban_wide_parts parts;
    uint8_t id[SAIBAN_WIDE_ID_SIZE];
    char found[SAIBAN_TEXT_CAPACITY], random[SAIBAN_TEXT_CAPACITY] = "-";
    saiban_error error = saiban_from_text_wide(generator, text, strlen(text), SAIBAN_STRICT, id);
    if (error == SAIBAN_OK) {
        error = saiban_to_text_wide(generator, id, SAIBAN_ENCODING_DECIMAL, found, sizeof found, NULL);
    }
    if (error == SAIBAN_OK) {
        error = saiban_generator_inspect_wide(generator, id, &parts, sizeof parts);
    }
    if (error == SAIBAN_OK && parts.has_random) {
        error = saiban_encode_wide(parts.random, 128, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, random, sizeof random,
                                   NULL);
    }
    if (error != SAIBAN_OK) {
        return failed(text, error);
    }
    if (strcmp(found, number) != 0) {
        fprintf(stderr, "%s: the text stands for %s, not %s\n", text, found, number);
        return false;
    }
    printf("c\t%s\t%s\t%s\t%" PRId64, language, scheme, number, parts.timestamp_ms);
    print_part(parts.has_node, parts.node);
    print_part(parts.has_sequence, parts.sequence);
    printf("\t%s\n", random);
    return true;
}

static bool read_lines(saiban_generator *const of[ALL], FILE *lines)
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
        while (found == 4 && scheme < ALL && strcmp(name_of(scheme), fields[1]) != 0) {
            scheme++;
        }
        if (found < 4 || scheme == ALL) {
            fprintf(stderr, "a line without language, known scheme, number and text\n");
            return false;
        }
        if (!read_id(of[scheme], fields[0], fields[1], fields[2], fields[3])) {
            return false;
        }
    }
    return true;
}

/* Makes an ID of each scheme, or with lines reads the IDs in them. */
static bool exchange(const struct ids *ids, FILE *lines)
{
    saiban_generator *of[ALL] = {NULL};
    bool well;
    memcpy(of, ids->of, sizeof ids->of);
    well = open_more(of + SCHEMES);
    if (well && lines != NULL) {
        well = read_lines(of, lines);
    } else {
        for (int scheme = 0; well && scheme < ALL; scheme++) {
            well = emit_id(name_of(scheme), of[scheme]);
        }
    }
    for (int scheme = SCHEMES; scheme < ALL; scheme++) {
        saiban_generator_free(of[scheme]);
    }
    return well;
}

bool emit_ids(const struct ids *ids)
{
    return exchange(ids, NULL);
}

bool read_ids(const struct ids *ids, FILE *lines)
{
    return exchange(ids, lines);
}
