/*
 * Checks every case of vectors/NAME.json, for Flake, ULID, UUID, ObjectId, XID and tick IDs, and
 * for the ranges of all schemes. IDs of up to 64 bits go through both the functions for any width
 * and the functions for 64 bits, whose results must be equal. Usage: vectors_family FOLDER [NAME…]
 */

#include "family_generated.h"

static saiban_error run(const struct maker *maker, const char *op, const cJSON *given, cJSON *out)
{
    wide id;
    saiban_error error;
    if (strcmp(op, "compose") == 0) {
        error = compose(maker, given, id);
        return error == SAIBAN_OK ? put_id(maker, id, "id", "text", out) : error;
    }
    if (strcmp(op, "from_text") == 0) {
        return from_text(maker, given, out);
    }
    if (strcmp(op, "round_trips") == 0) {
        return round_trips(maker, given, out);
    }
    if (strcmp(op, "range") == 0) {
        return range(maker, given, out);
    }
    if (strcmp(op, "limits") == 0) {
        return limits(maker, out);
    }
    if (strstr(op, "bytes") != NULL) {
        return bytes(maker, op, given, out);
    }
    wide_of(text_at(given, "id"), id);
    if (strcmp(op, "inspect") == 0) {
        saiban_wide_parts parts;
        error = inspect(maker, id, &parts);
        if (error == SAIBAN_OK) {
            put_parts(out, maker, &parts);
        }
        return error;
    }
    CHECK(strcmp(op, "to_text") == 0);
    return to_text(maker, given, id, out);
}

static saiban_error run_case(const cJSON *configs, const cJSON *one, cJSON *out)
{
    const cJSON *config = at(configs, text_at(one, "config")), *given = at(one, "in");
    const char *op = text_at(one, "op");
    saiban_manual_clock *clock = NULL;
    struct maker maker = {NULL, NULL, NULL, 0};
    saiban_error error = saiban_manual_clock_new(0, &clock);
    if (error != SAIBAN_OK) {
        return error;
    }
    if (strcmp(op, "new") == 0) {
        error = make(config, given, clock, &maker);
    } else if (strcmp(op, "generate") == 0) {
        error = generate(config, given, clock, out);
    } else if ((error = make_reader(config, clock, &maker)) != SAIBAN_OK) {
        wrong(__FILE__, __LINE__, "no generator for the config: %s", saiban_error_name(error));
    } else {
        error = run(&maker, op, given, out);
    }
    drop(&maker);
    saiban_manual_clock_free(clock);
    return error;
}

static bool may_reach_the_end(void) { return true; }

int main(int argc, char **argv)
{
    static const char *const SCHEME[] = {"compose", "inspect", "to_text", "from_text", "generate", "new", NULL};
    static const char *const CHANCE[] = {"limits", "round_trips", "compose", "inspect", NULL};
    static const char *const BYTES[] = {"compose",  "inspect",    "to_text", "from_text", "to_bytes",
                                        "from_bytes", "generate", "new",     NULL};
    static const char *const UUID[] = {"compose",       "inspect",         "to_text",  "from_text", "to_bytes", "from_bytes",
                                       "to_guid_bytes", "from_guid_bytes", "generate", "new",       NULL};
    static const char *const RANGE[] = {"range", NULL};
    static const struct {
        const char *name;
        const char *const *ops;
    } FILES[] = {{"flake", SCHEME}, {"flake-1", CHANCE}, {"flake-2", CHANCE},  {"ulid", BYTES},
                 {"uuid", UUID},    {"objectid", BYTES}, {"xid", BYTES},
                 {"tick-id", SCHEME}, {"range", RANGE}};
    if (argc < 2) {
        fprintf(stderr, "usage: vectors_family FOLDER [NAME…]\n");
        return 2;
    }
    for (size_t index = 0; index < sizeof FILES / sizeof *FILES; index++) {
        bool is_wanted = argc == 2;
        for (int place = 2; place < argc; place++) {
            is_wanted = is_wanted || strcmp(argv[place], FILES[index].name) == 0;
        }
        if (is_wanted) {
            check_file(argv[1], FILES[index].name, FILES[index].ops, run_case, may_reach_the_end);
        }
    }
    return close_tests();
}
