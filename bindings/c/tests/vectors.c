/*
 * Checks every case of vectors/NAME.json, for Snowflake, Randflake, Ulid-Flake, TSID and the
 * encodings of 64 bits. Usage: vectors FOLDER
 */

#include "vectors.h"

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

/* Builds the generator that a config and the `given` options describe. */
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
    if (strcmp(subject, "snowflake") == 0 || strcmp(subject, "tsid") == 0) {
        error = make_layout(over(given, config, "layout"), &layout);
        if (error != SAIBAN_OK) {
            return error;
        }
        options.layout = layout;
        error = (strcmp(subject, "tsid") == 0 ? saiban_tsid_new : saiban_snowflake_new)(&options, generator);
        saiban_layout_free(layout);
    } else if (strcmp(subject, "randflake") == 0) {
        options.secret = secret;
        options.secret_len = bytes_of_hex(over(given, config, "secret")->valuestring, secret);
        error = saiban_randflake_new(&options, generator);
        memset(secret, 0, sizeof secret); /* The generator has its own copy. */
    } else {
        options.scalability = integer_at(given, "scalability");
        options.entropy_size = (int64_t)over(given, config, "entropy_size")->valuedouble;
        options.epoch_ms = integer(at(config, "epoch_ms")->valuestring);
        error = saiban_ulid_flake_new(&options, generator);
    }
    return error;
}

/* Builds a generator for reading and composing IDs, whose own node does not matter. */
static saiban_error make_reader(const cJSON *config, const saiban_manual_clock *clock,
                                saiban_generator **generator)
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

static void put_parts(cJSON *out, const saiban_parts *parts)
{
    put(out, "timestamp_ms", parts->timestamp_ms);
    if (parts->has_submillisecond) {
        put(out, "submillisecond_ns", (int64_t)parts->submillisecond_ns);
    }
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

/* Returns an ID, or its error, in the format of `ids` in the vectors. */
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
        int64_t max_step = ((int64_t)1 << (8 * (int)small_at(config, "entropy_size"))) - 1;
        int64_t step = new_tick ? 1 : (int64_t)parts.random - (int64_t)last->random;
        put(entry, "timestamp_ms", parts.timestamp_ms);
        if (parts.has_node) {
            put(entry, "node", (int64_t)parts.node);
        }
        cJSON_AddBoolToObject(entry, "new_tick", new_tick);
        if (step < 1 || step > max_step) {
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
    saiban_parts last = {0};
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
    if (strcmp(subject, "tsid") == 0 && at(given, "rollback") != NULL) {
        return saiban_tsid_compose_ns(generator, timestamp_ms, 0, integer_at(given, "node"), integer_at(given, "sequence"),
                                      integer_at(given, "rollback"), id);
    }
    if (strcmp(subject, "tsid") == 0) {
        return saiban_tsid_compose(generator, timestamp_ms, integer_at(given, "node"), integer_at(given, "sequence"), id);
    }
    if (at(given, "submillisecond_ns") != NULL) {
        int64_t rollback = at(given, "rollback") == NULL ? 0 : integer_at(given, "rollback");
        return saiban_snowflake_compose_ns(generator, timestamp_ms, integer_at(given, "submillisecond_ns"),
                                           integer_at(given, "node"), integer_at(given, "sequence"), rollback, id);
    }
    if (at(given, "rollback") != NULL) {
        return saiban_snowflake_compose_rollback(generator, timestamp_ms, integer_at(given, "node"),
                                                 integer_at(given, "sequence"), integer_at(given, "rollback"), id);
    }
    return (strcmp(subject, "snowflake") == 0 ? saiban_snowflake_compose : saiban_randflake_compose)(
        generator, timestamp_ms, integer_at(given, "node"), integer_at(given, "sequence"), id);
}

/* Reads an ID with the config's secret and consecutive old ones. */
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
    } else if ((error = make_reader(config, clock, &generator)) != SAIBAN_OK) {
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

/* Writes the result of a case's operation to `out`. */
static saiban_error run_case(const cJSON *configs, const cJSON *one, cJSON *out)
{
    const cJSON *given = at(one, "in");
    const char *op = text_at(one, "op");
    return strcmp(subject, "encoding") == 0 ? encoding(op, given, out)
                                            : scheme(op, at(configs, text_at(one, "config")), given, out);
}

/* Of these schemes, only Ulid-Flake has random parts. */
static bool may_reach_the_end(void) { return strcmp(subject, "ulid-flake") == 0; }

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
    check_file(argv[1], "snowflake", SCHEME, run_case, may_reach_the_end);
    check_file(argv[1], "randflake", RANDFLAKE, run_case, may_reach_the_end);
    check_file(argv[1], "ulid-flake", SCHEME, run_case, may_reach_the_end);
    check_file(argv[1], "tsid", SCHEME, run_case, may_reach_the_end);
    check_file(argv[1], "encoding", ENCODING, run_case, may_reach_the_end);
    return close_tests();
}
