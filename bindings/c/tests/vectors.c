/* Every case of vectors/NAME.json gives what the file says. Usage: vectors FOLDER */

#include "check.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>

/* How often a Ulid-Flake case may meet the end of its random field before it counts; see vectors/README.md. */
enum { TRIES = 3 };

static const char *subject; /* of the file that is read: a scheme, or "encoding" */

static const cJSON *at(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_at(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(at(object, name));
}

static int64_t integer(const char *text)
{
    return (int64_t)strtoimax(text, NULL, 10);
}

/* The integer of this name, or that it is not given. */
static int64_t integer_at(const cJSON *object, const char *name)
{
    const char *text = text_at(object, name);
    return text == NULL ? SAIBAN_NOT_GIVEN : integer(text);
}

/* The small number of this name, which JSON holds as a number. */
static int64_t small_at(const cJSON *object, const char *name)
{
    const cJSON *number = at(object, name);
    return number == NULL ? SAIBAN_NOT_GIVEN : (int64_t)number->valuedouble;
}

static void range_at(const cJSON *object, const char *name, int64_t *start, int64_t *end)
{
    const cJSON *range = at(object, name);
    if (range != NULL) {
        *start = integer(cJSON_GetArrayItem(range, 0)->valuestring);
        *end = integer(cJSON_GetArrayItem(range, 1)->valuestring);
    }
}

static int32_t leniency_at(const cJSON *given)
{
    return cJSON_IsTrue(at(given, "lenient")) ? SAIBAN_LENIENT : SAIBAN_STRICT;
}

/* The member of this name, which `given` may have in the place of `config`. */
static const cJSON *over(const cJSON *given, const cJSON *config, const char *name)
{
    const cJSON *found = at(given, name);
    return found != NULL ? found : at(config, name);
}

/* How many bytes the digits stand for; the bytes. */
static size_t bytes_of_hex(const char *digits, uint8_t *bytes)
{
    size_t count;
    for (count = 0; digits[2 * count] != '\0'; count++) {
        unsigned byte;
        if (sscanf(digits + 2 * count, "%2x", &byte) != 1) {
            abort();
        }
        bytes[count] = (uint8_t)byte;
    }
    return count;
}

static saiban_error make_layout(const cJSON *described, saiban_layout **layout)
{
    saiban_field fields[16];
    size_t count = 0;
    const cJSON *field;
    if (cJSON_IsString(described)) {
        return saiban_layout_preset(described->valuestring, SAIBAN_NUL_TERMINATED, layout);
    }
    cJSON_ArrayForEach(field, at(described, "fields"))
    {
        saiban_error error = saiban_field_from_name(cJSON_GetArrayItem(field, 0)->valuestring, SAIBAN_NUL_TERMINATED,
                                                    &fields[count].kind);
        if (error != SAIBAN_OK) {
            return error;
        }
        fields[count++].bits = (uint32_t)cJSON_GetArrayItem(field, 1)->valueint;
    }
    return saiban_layout_new(fields, count, integer_at(described, "epoch_ms"),
                             (uint64_t)strtoumax(text_at(described, "tick_us"), NULL, 10), layout);
}

/* Makes the generator that a config, and what was given besides, describe. */
static saiban_error make_generator(const cJSON *config, const cJSON *given, const saiban_manual_clock *clock,
                                   saiban_generator **generator)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_layout *layout = NULL;
    saiban_error error;
    uint8_t secret[64];
    options.clock = clock;
    options.node = integer_at(given, "node");
    range_at(given, "nodes", &options.nodes_first, &options.nodes_end);
    range_at(given, "window", &options.window_start, &options.window_end);
    options.max_wait_ms = integer_at(given, "max_wait_ms");
    options.not_before = integer_at(given, "not_before");
    if (at(given, "rollback") != NULL) {
        int32_t policy;
        error = saiban_rollback_from_name(text_at(given, "rollback"), SAIBAN_NUL_TERMINATED, &policy);
        if (error != SAIBAN_OK) {
            return error;
        }
        options.rollback = policy;
    }
    if (strcmp(subject, "snowflake") == 0) {
        error = make_layout(over(given, config, "layout"), &layout);
        if (error != SAIBAN_OK) {
            return error;
        }
        options.layout = layout;
        error = saiban_snowflake_new(&options, generator);
        saiban_layout_free(layout);
    } else if (strcmp(subject, "randflake") == 0) {
        options.secret = secret;
        options.secret_len = bytes_of_hex(over(given, config, "secret")->valuestring, secret);
        error = saiban_randflake_new(&options, generator);
        memset(secret, 0, sizeof secret); /* The generator has a copy of its own. */
    } else {
        options.scalability = integer_at(given, "scalability");
        options.entropy_size = (int64_t)over(given, config, "entropy_size")->valuedouble;
        options.epoch_ms = integer(at(config, "epoch_ms")->valuestring);
        error = saiban_ulid_flake_new(&options, generator);
    }
    return error;
}

/* A generator to take IDs apart and together with, whose own node does not matter. */
static saiban_error make_anyone(const cJSON *config, const saiban_manual_clock *clock, saiban_generator **generator)
{
    cJSON *given = cJSON_CreateObject();
    saiban_error error;
    if (strcmp(subject, "ulid-flake") != 0) {
        cJSON_AddStringToObject(given, "node", "0");
    } else if (cJSON_IsTrue(at(config, "scalable"))) {
        cJSON_AddStringToObject(given, "scalability", "0");
    }
    error = make_generator(config, given, clock, generator);
    cJSON_Delete(given);
    return error;
}

static void put(cJSON *out, const char *name, int64_t number)
{
    char text[32];
    sprintf(text, "%" PRId64, number);
    cJSON_AddStringToObject(out, name, text);
}

static void put_parts(cJSON *out, const saiban_parts *parts)
{
    put(out, "timestamp_ms", parts->timestamp_ms);
    if (parts->has_node) {
        put(out, "node", (int64_t)parts->node);
    }
    if (parts->has_sequence) {
        put(out, "sequence", (int64_t)parts->sequence);
    }
    if (parts->has_random) {
        put(out, "random", (int64_t)parts->random);
    }
    if (parts->has_rollback) {
        put(out, "rollback", (int64_t)parts->rollback);
    }
    if (parts->has_secret_index) {
        put(out, "secret_index", (int64_t)parts->secret_index);
    }
}

/* One ID, or its error, as generate's `ids` hold it. */
static cJSON *generated(const saiban_generator *generator, const cJSON *config, saiban_parts *last, bool *has_last)
{
    cJSON *entry = cJSON_CreateObject();
    saiban_parts parts;
    int64_t id;
    saiban_error error = saiban_generate(generator, &id);
    if (error == SAIBAN_OK) {
        error = saiban_generator_inspect(generator, id, &parts);
    }
    if (error != SAIBAN_OK) {
        cJSON_AddStringToObject(entry, "error", saiban_error_name(error));
    } else if (strcmp(subject, "ulid-flake") != 0) {
        put(entry, "id", id);
        cJSON *text = cJSON_DetachItemFromObjectCaseSensitive(entry, "id");
        cJSON_Delete(entry);
        return text;
    } else {
        bool new_tick = !*has_last || parts.timestamp_ms != last->timestamp_ms;
        int64_t most = ((int64_t)1 << (8 * (int)small_at(config, "entropy_size"))) - 1;
        int64_t step = new_tick ? 1 : (int64_t)parts.random - (int64_t)last->random;
        put(entry, "timestamp_ms", parts.timestamp_ms);
        if (parts.has_node) {
            put(entry, "node", (int64_t)parts.node);
        }
        cJSON_AddBoolToObject(entry, "new_tick", new_tick);
        if (step < 1 || step > most) {
            put(entry, "step", step);
        }
        *last = parts;
        *has_last = true;
    }
    return entry;
}

static saiban_error generate(const cJSON *config, const cJSON *given, saiban_manual_clock *clock, cJSON *out)
{
    const cJSON *times = at(given, "clock_ms"), *time;
    cJSON *ids = cJSON_AddArrayToObject(out, "ids");
    saiban_generator *generator = NULL;
    saiban_parts last;
    bool has_last = false;
    saiban_error error = saiban_manual_clock_set(clock, integer(cJSON_GetArrayItem(times, 0)->valuestring));
    if (error == SAIBAN_OK) {
        error = make_generator(config, given, clock, &generator);
    }
    if (error == SAIBAN_OK) {
        cJSON_ArrayForEach(time, times)
        {
            CHECK(saiban_manual_clock_set(clock, integer(time->valuestring)) == SAIBAN_OK);
            cJSON_AddItemToArray(ids, generated(generator, config, &last, &has_last));
        }
    }
    saiban_generator_free(generator);
    return error;
}

static saiban_error compose(const saiban_generator *generator, const cJSON *given, int64_t *id)
{
    int64_t timestamp_ms = integer_at(given, "timestamp_ms");
    if (strcmp(subject, "ulid-flake") == 0) {
        return saiban_ulid_flake_compose(generator, timestamp_ms, integer_at(given, "random"),
                                         integer_at(given, "scalability"), id);
    }
    if (at(given, "rollback") != NULL) {
        return saiban_snowflake_compose_rollback(generator, timestamp_ms, integer_at(given, "node"),
                                                 integer_at(given, "sequence"), integer_at(given, "rollback"), id);
    }
    return (strcmp(subject, "snowflake") == 0 ? saiban_snowflake_compose : saiban_randflake_compose)(
        generator, timestamp_ms, integer_at(given, "node"), integer_at(given, "sequence"), id);
}

/* The first reading under the config's secret and old ones, which follow each other. */
static saiban_error inspect_secrets(const cJSON *config, const cJSON *given, cJSON *out)
{
    saiban_parts found[SAIBAN_CANDIDATES_MAX];
    uint8_t secret[SAIBAN_SECRET_SIZE], old[16 * SAIBAN_SECRET_SIZE];
    size_t len = bytes_of_hex(text_at(config, "secret"), secret), old_len = 0, count;
    const cJSON *one;
    saiban_error error;
    cJSON_ArrayForEach(one, at(given, "old_secrets"))
    {
        old_len += bytes_of_hex(one->valuestring, old + old_len);
    }
    error = saiban_inspect(integer_at(given, "id"), SAIBAN_SCHEME_RANDFLAKE, secret, len, old_len == 0 ? NULL : old,
                           old_len, found, SAIBAN_CANDIDATES_MAX, &count);
    if (error == SAIBAN_OK) {
        CHECK(count == 1 + old_len / SAIBAN_SECRET_SIZE);
        put_parts(out, &found[0]);
    }
    return error;
}

static saiban_error scheme(const char *op, const cJSON *config, const cJSON *given, cJSON *out)
{
    saiban_manual_clock *clock = NULL;
    saiban_generator *generator = NULL;
    char text[SAIBAN_TEXT_CAPACITY];
    saiban_parts parts;
    int64_t id;
    saiban_error error = saiban_manual_clock_new(0, &clock);
    if (error != SAIBAN_OK) {
        return error;
    }
    if (strcmp(op, "new") == 0) {
        error = make_generator(config, given, clock, &generator);
    } else if (strcmp(op, "generate") == 0) {
        error = generate(config, given, clock, out);
    } else if (strcmp(op, "inspect_secrets") == 0) {
        error = inspect_secrets(config, given, out);
    } else if ((error = make_anyone(config, clock, &generator)) != SAIBAN_OK) {
        wrong(__FILE__, __LINE__, "no generator for the config");
    } else if (strcmp(op, "compose") == 0) {
        error = compose(generator, given, &id);
        if (error == SAIBAN_OK) {
            error = saiban_to_text(generator, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL);
            put(out, "id", id);
            cJSON_AddStringToObject(out, "text", text);
        }
    } else if (strcmp(op, "inspect") == 0) {
        error = saiban_generator_inspect(generator, integer_at(given, "id"), &parts);
        if (error == SAIBAN_OK) {
            CHECK(strcmp(saiban_scheme_name(parts.scheme), subject) == 0 && parts.id == integer_at(given, "id"));
            put_parts(out, &parts);
        }
    } else if (strcmp(op, "to_text") == 0) {
        error = saiban_to_text(generator, integer_at(given, "id"), SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL);
        if (error == SAIBAN_OK) {
            cJSON_AddStringToObject(out, "text", text);
        }
    } else if (strcmp(op, "from_text") == 0) {
        error = saiban_from_text(generator, text_at(given, "text"), strlen(text_at(given, "text")), leniency_at(given),
                                 &id);
        if (error == SAIBAN_OK) {
            put(out, "id", id);
        }
    } else {
        wrong(__FILE__, __LINE__, "an operation %s", op);
    }
    saiban_generator_free(generator);
    saiban_manual_clock_free(clock);
    return error;
}

static saiban_error encoding(const char *op, const cJSON *given, cJSON *out)
{
    char text[SAIBAN_TEXT_CAPACITY];
    int32_t number;
    int64_t value;
    saiban_error error = saiban_encoding_from_name(text_at(given, "encoding"), SAIBAN_NUL_TERMINATED, &number);
    if (error != SAIBAN_OK) {
        return error;
    }
    CHECK(strcmp(saiban_encoding_name(number), text_at(given, "encoding")) == 0);
    if (strcmp(op, "encode") == 0) {
        size_t len;
        error = saiban_encode(integer_at(given, "value"), number, small_at(given, "width"), text, sizeof text, &len);
        if (error == SAIBAN_OK) {
            CHECK(len == strlen(text));
            cJSON_AddStringToObject(out, "text", text);
        }
    } else if (strcmp(op, "decode") == 0) {
        error = saiban_decode(text_at(given, "text"), strlen(text_at(given, "text")), number, small_at(given, "width"),
                              leniency_at(given), &value);
        if (error == SAIBAN_OK) {
            put(out, "value", value);
        }
    } else {
        wrong(__FILE__, __LINE__, "an operation %s", op);
    }
    return error;
}

/* The answer to a case: an object with `out`, or with `error` (and `position` for a bad character). */
static cJSON *answer(const cJSON *configs, const cJSON *one)
{
    cJSON *answer = cJSON_CreateObject(), *out = cJSON_CreateObject();
    const cJSON *given = at(one, "in");
    const char *op = text_at(one, "op");
    saiban_error error = strcmp(subject, "encoding") == 0
                             ? encoding(op, given, out)
                             : scheme(op, at(configs, text_at(one, "config")), given, out);
    if (error == SAIBAN_OK) {
        cJSON_AddItemToObject(answer, "out", out);
        return answer;
    }
    cJSON_Delete(out);
    cJSON_AddStringToObject(answer, "error", saiban_error_name(error));
    if (error == SAIBAN_ERROR_TEXT_CHARACTER) {
        cJSON_AddNumberToObject(answer, "position", (double)saiban_last_error_position());
    }
    return answer;
}

/* What the case says, in the same form. */
static cJSON *wanted_of(const cJSON *one)
{
    static const char *const NAMES[] = {"out", "error", "position"};
    cJSON *wanted = cJSON_CreateObject();
    for (size_t index = 0; index < sizeof NAMES / sizeof *NAMES; index++) {
        if (at(one, NAMES[index]) != NULL) {
            cJSON_AddItemToObject(wanted, NAMES[index], cJSON_Duplicate(at(one, NAMES[index]), 1));
        }
    }
    return wanted;
}

/* Whether an answer could have been right, had the random part begun earlier in its field. */
static bool met_the_end(const cJSON *found)
{
    char *text = cJSON_PrintUnformatted(found);
    bool met = strcmp(subject, "ulid-flake") == 0 && strstr(text, "WOULD_WAIT") != NULL;
    cJSON_free(text);
    return met;
}

static void check_case(const cJSON *configs, const cJSON *one)
{
    cJSON *wanted = wanted_of(one), *found = answer(configs, one);
    for (int tries = 1; tries < TRIES && !cJSON_Compare(found, wanted, 1) && met_the_end(found); tries++) {
        cJSON_Delete(found);
        found = answer(configs, one);
    }
    if (!cJSON_Compare(found, wanted, 1)) {
        char *found_text = cJSON_PrintUnformatted(found), *wanted_text = cJSON_PrintUnformatted(wanted);
        wrong(text_at(one, "id"), 0, "found %s, wanted %s", found_text, wanted_text);
        cJSON_free(found_text);
        cJSON_free(wanted_text);
    }
    cJSON_Delete(found);
    cJSON_Delete(wanted);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size + 1);
        if (text != NULL) {
            text[fread(text, 1, (size_t)size, file)] = '\0';
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

/* Each operation of a file is one test. */
static void check_file(const char *folder, const char *name, const char *const *ops)
{
    char path[4096];
    char *text;
    cJSON *document;
    const cJSON *one;
    size_t cases = 0, ran = 0;
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    text = read_file(path);
    document = cJSON_Parse(text);
    subject = name;
    failed_checks = 0;
    if (document == NULL) {
        wrong(path, 0, "cannot be read");
        finish(name, failed_checks);
        free(text);
        return;
    }
    cJSON_ArrayForEach(one, at(document, "cases"))
    {
        cases++;
    }
    for (; *ops != NULL; ops++) {
        size_t of_op = 0;
        char label[128];
        failed_checks = 0;
        cJSON_ArrayForEach(one, at(document, "cases"))
        {
            if (strcmp(text_at(one, "op"), *ops) == 0) {
                check_case(at(document, "configs"), one);
                of_op++;
            }
        }
        CHECK(of_op > 0);
        ran += of_op;
        snprintf(label, sizeof label, "%s %s: %lu cases", name, *ops, (unsigned long)of_op);
        finish(label, failed_checks);
    }
    failed_checks = 0;
    if (ran != cases) {
        wrong(path, 0, "%lu cases have an operation that no test runs", (unsigned long)(cases - ran));
    }
    finish("every operation is tested", failed_checks);
    cJSON_Delete(document);
    free(text);
}

int main(int argc, char **argv)
{
    static const char *const SCHEME[] = {"compose", "inspect", "to_text", "from_text", "generate", "new", NULL};
    static const char *const RANDFLAKE[] = {"compose",  "inspect", "inspect_secrets", "to_text", "from_text",
                                            "generate", "new",     NULL};
    static const char *const ENCODING[] = {"encode", "decode", NULL};
    if (argc != 2) {
        fprintf(stderr, "usage: vectors FOLDER\n");
        return 2;
    }
    check_file(argv[1], "snowflake", SCHEME);
    check_file(argv[1], "randflake", RANDFLAKE);
    check_file(argv[1], "ulid-flake", SCHEME);
    check_file(argv[1], "encoding", ENCODING);
    return close_tests();
}
