/* Every case of vectors/NAME.json gives what the file says, for Flake, ULID, UUID, ObjectId and tick IDs, and for the ranges of
 * all schemes. IDs go through the functions for any width; those of up to 64 bits through the others too, which must agree.
 * Usage: vectors_family FOLDER [NAME…] */

#include "wide.h"

/* A generator, with what it was made of. */
struct maker {
    saiban_generator *ids;
    saiban_layout *layout; /* a Flake's, else NULL */
    const char *scheme;
    uint32_t bits;
};

static saiban_error options_of(const cJSON *given, const saiban_manual_clock *clock, saiban_options *options)
{
    options->clock = clock;
    options->node = integer_at(given, "node");
    range_at(given, "nodes", &options->nodes_first, &options->nodes_end);
    range_at(given, "window", &options->window_start, &options->window_end);
    options->max_wait_ms = integer_at(given, "max_wait_ms");
    options->not_before = integer_at(given, "not_before");
    if (at(given, "rollback") != NULL) {
        int32_t policy;
        saiban_error error = saiban_rollback_from_name(text_at(given, "rollback"), SAIBAN_NUL_TERMINATED, &policy);
        options->rollback = policy;
        return error;
    }
    return SAIBAN_OK;
}

static saiban_error new_other(const char *scheme, const cJSON *config, saiban_options options, saiban_generator **ids)
{
    uint8_t secret[SAIBAN_SECRET_SIZE];
    if (strcmp(scheme, "randflake") == 0) {
        options.secret = secret;
        options.secret_len = bytes_of_hex(text_at(config, "secret"), secret);
        return saiban_randflake_new(&options, ids);
    }
    options.scalability = cJSON_IsTrue(at(config, "scalable")) ? 0 : SAIBAN_NOT_GIVEN;
    options.node = SAIBAN_NOT_GIVEN;
    options.entropy_size = small_at(config, "entropy_size");
    options.epoch_ms = integer_at(config, "epoch_ms");
    return saiban_ulid_flake_new(&options, ids);
}

/* Makes the generator that a config, and what was given besides, describe. */
static saiban_error make(const cJSON *config, const cJSON *given, const saiban_manual_clock *clock, struct maker *maker)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_error error = options_of(given, clock, &options);
    const char *scheme = strcmp(subject, "range") == 0 ? text_at(config, "scheme") : subject;
    const cJSON *layout = over(given, config, "layout");
    if (strncmp(scheme, "flake", 5) == 0) {
        scheme = "flake"; /* flake-1 and flake-2 too */
    }
    maker->scheme = scheme;
    if (error == SAIBAN_OK && layout != NULL) {
        error = saiban_layout_from_text(layout->valuestring, strlen(layout->valuestring), &maker->layout);
        options.layout = maker->layout;
    }
    if (error != SAIBAN_OK) {
        return error;
    }
    if (strcmp(scheme, "flake") == 0) {
        error = saiban_flake_new(&options, &maker->ids);
    } else if (strcmp(scheme, "snowflake") == 0) {
        error = saiban_snowflake_new(&options, &maker->ids);
    } else if (strcmp(scheme, "ulid") == 0) {
        error = saiban_ulid_new(&options, &maker->ids);
    } else if (strcmp(scheme, "uuid") == 0) {
        error = saiban_uuid_new((int32_t)over(given, config, "version")->valuedouble, &options, &maker->ids);
    } else if (strcmp(scheme, "objectid") == 0) {
        error = saiban_object_id_new(&options, &maker->ids);
    } else if (strcmp(scheme, "tick-id") == 0) {
        bool ascending = strcmp(text_at(config, "order"), "ascending") == 0;
        error = saiban_tick_id_new(ascending ? SAIBAN_TICK_ORDER_ASCENDING : SAIBAN_TICK_ORDER_DESCENDING, &options,
                                   &maker->ids);
    } else {
        error = new_other(scheme, config, options, &maker->ids);
    }
    if (error == SAIBAN_OK) {
        OK(saiban_generator_bits(maker->ids, &maker->bits));
    }
    return error;
}

static void drop(struct maker *maker)
{
    saiban_generator_free(maker->ids);
    saiban_layout_free(maker->layout);
}

/* A generator to take IDs apart and together with, whose own node does not matter. */
static saiban_error make_anyone(const cJSON *config, const saiban_manual_clock *clock, struct maker *maker)
{
    cJSON *given = cJSON_CreateObject();
    const char *layout = text_at(config, "layout");
    saiban_error error;
    if ((layout != NULL && (strstr(layout, "node") != NULL || strchr(layout, ':') == NULL)) || at(config, "secret") != NULL) {
        /* A preset's name says nothing of nodes; Mastodon's layout has none. */
        if (layout == NULL || strcmp(layout, "mastodon") != 0) {
            cJSON_AddStringToObject(given, "node", "0");
        }
    }
    error = make(config, given, clock, maker);
    cJSON_Delete(given);
    return error;
}

/* The node of these parts. */
static saiban_error node_of(const struct maker *maker, const cJSON *given, int64_t *node)
{
    saiban_node_part parts[SAIBAN_FIELDS_MAX];
    const cJSON *part;
    size_t count = 0;
    *node = at(given, "node") == NULL ? 0 : integer_at(given, "node");
    if (at(given, "node_parts") == NULL) {
        return SAIBAN_OK;
    }
    cJSON_ArrayForEach(part, at(given, "node_parts"))
    {
        snprintf(parts[count].name, sizeof parts[count].name, "%s", part->string);
        parts[count++].value = integer(part->valuestring);
    }
    return saiban_layout_node_of_parts(maker->layout, parts, count, node);
}

static int64_t nanoseconds(const cJSON *given)
{
    return at(given, "submillisecond_ns") == NULL ? 0 : integer_at(given, "submillisecond_ns");
}

static saiban_error compose_flake(const struct maker *maker, const cJSON *given, const uint8_t *random, uint8_t *id)
{
    const char *counted = text_at(given, "sequence");
    uint64_t sequence = counted == NULL ? 0 : (uint64_t)strtoumax(counted, NULL, 10);
    int64_t rollback = at(given, "rollback") == NULL ? 0 : integer_at(given, "rollback"), node, narrow;
    int64_t timestamp_ms = integer_at(given, "timestamp_ms"), submillisecond_ns = nanoseconds(given);
    saiban_error error = node_of(maker, given, &node);
    if (error != SAIBAN_OK) {
        return error;
    }
    if (maker->bits > 64) {
        return saiban_flake_compose_wide(maker->ids, timestamp_ms, submillisecond_ns, node, sequence, random, rollback, id);
    }
    error = saiban_flake_compose(maker->ids, timestamp_ms, submillisecond_ns, node, sequence,
                                 random == NULL ? 0 : low_of(random), rollback, &narrow);
    if (error == SAIBAN_OK) {
        char text[32];
        sprintf(text, "%" PRId64, narrow);
        wide_of(text, id);
    }
    return error;
}

static saiban_error compose(const struct maker *maker, const cJSON *given, uint8_t *id)
{
    int64_t timestamp_ms = integer_at(given, "timestamp_ms"), node = integer_at(given, "node");
    wide drawn;
    const uint8_t *random = at(given, "random") == NULL ? NULL : drawn;
    if (random != NULL && strcmp(maker->scheme, "tick-id") != 0) {
        wide_of(text_at(given, "random"), drawn);
    }
    if (strcmp(maker->scheme, "flake") == 0) {
        return compose_flake(maker, given, random, id);
    }
    if (strcmp(maker->scheme, "ulid") == 0) {
        return saiban_ulid_compose(maker->ids, timestamp_ms, random, id);
    }
    if (strcmp(maker->scheme, "uuid") == 0) {
        return saiban_uuid_compose(maker->ids, timestamp_ms, integer_at(given, "submillisecond_ns"), random,
                                   integer_at(given, "clock_sequence"), node, id);
    }
    if (strcmp(maker->scheme, "objectid") == 0) {
        return saiban_object_id_compose(maker->ids, timestamp_ms, node, integer_at(given, "sequence"), id);
    }
    return saiban_tick_id_compose(maker->ids, timestamp_ms, nanoseconds(given), integer_at(given, "random"), id);
}

static void put_parts(cJSON *out, const struct maker *maker, const saiban_wide_parts *parts)
{
    saiban_node_part named[SAIBAN_FIELDS_MAX];
    size_t count = 0;
    if (parts->has_timestamp) {
        put(out, "timestamp_ms", parts->timestamp_ms);
    }
    if (parts->has_submillisecond) {
        put_unsigned(out, "submillisecond_ns", parts->submillisecond_ns);
    }
    if (parts->has_node) {
        put_unsigned(out, "node", parts->node);
    }
    if (parts->has_sequence) {
        put_unsigned(out, "sequence", parts->sequence);
    }
    if (parts->has_random) {
        put_wide(out, "random", parts->random, 128);
    }
    if (parts->has_rollback) {
        put_unsigned(out, "rollback", parts->rollback);
    }
    if (maker->layout != NULL) {
        OK(saiban_layout_node_parts(maker->layout, parts->node, named, SAIBAN_FIELDS_MAX, &count));
    }
    if (count > 0) {
        cJSON *all = cJSON_AddObjectToObject(out, "node_parts");
        for (size_t index = 0; index < count; index++) {
            put(all, named[index].name, named[index].value);
        }
    }
}

/* Takes an ID apart; one of up to 64 bits in both ways. */
static saiban_error inspect(const struct maker *maker, const uint8_t *id, saiban_wide_parts *parts)
{
    saiban_error error = saiban_generator_inspect_wide(maker->ids, id, parts, sizeof *parts);
    if (maker->bits <= 64) {
        saiban_parts narrow;
        CHECK(saiban_generator_inspect(maker->ids, (int64_t)low_of(id), &narrow) == error);
        CHECK(error != SAIBAN_OK || (narrow.id == (int64_t)low_of(id) && narrow.timestamp_ms == parts->timestamp_ms &&
                                     narrow.node == parts->node && narrow.sequence == parts->sequence &&
                                     narrow.random == low_of(parts->random) && narrow.rollback == parts->rollback &&
                                     narrow.submillisecond_ns == parts->submillisecond_ns &&
                                     narrow.has_submillisecond == parts->has_submillisecond));
    }
    if (error == SAIBAN_OK) {
        int32_t scheme;
        OK(saiban_generator_scheme(maker->ids, &scheme));
        CHECK(memcmp(parts->id, id, SAIBAN_WIDE_ID_SIZE) == 0 && parts->scheme == scheme && parts->bits >= maker->bits);
        CHECK(strncmp(saiban_scheme_name(scheme), maker->scheme, strlen(maker->scheme)) == 0);
    }
    return error;
}

/* The ID with its text. */
static saiban_error tell(const struct maker *maker, const uint8_t *id, const char *name, const char *text_name, cJSON *out)
{
    char text[SAIBAN_TEXT_CAPACITY], same_text[SAIBAN_TEXT_CAPACITY];
    size_t len;
    saiban_error error = saiban_to_text_wide(maker->ids, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, &len);
    if (error == SAIBAN_OK) {
        CHECK(len == strlen(text));
        put_wide(out, name, id, maker->bits);
        cJSON_AddStringToObject(out, text_name, text);
        if (maker->bits <= 64) {
            OK(saiban_to_text(maker->ids, (int64_t)low_of(id), SAIBAN_ENCODING_CANONICAL, same_text, sizeof same_text, NULL));
            CHECK(strcmp(text, same_text) == 0);
        }
    }
    return error;
}

static saiban_error to_text(const struct maker *maker, const cJSON *given, const uint8_t *id, cJSON *out)
{
    int32_t encoding = SAIBAN_ENCODING_CANONICAL;
    char text[SAIBAN_TEXT_CAPACITY];
    saiban_error error = SAIBAN_OK;
    if (at(given, "encoding") != NULL) {
        error = saiban_encoding_from_name(text_at(given, "encoding"), SAIBAN_NUL_TERMINATED, &encoding);
    }
    if (error == SAIBAN_OK) {
        error = saiban_to_text_wide(maker->ids, id, encoding, text, sizeof text, NULL);
    }
    if (error == SAIBAN_OK) {
        cJSON_AddStringToObject(out, "text", text);
    }
    return error;
}

static saiban_error from_text(const struct maker *maker, const cJSON *given, cJSON *out)
{
    const char *text = text_at(given, "text");
    wide id;
    saiban_error error = saiban_from_text_wide(maker->ids, text, strlen(text), leniency_at(given), id);
    if (maker->bits <= 64) {
        int64_t narrow = 0;
        CHECK(saiban_from_text(maker->ids, text, strlen(text), leniency_at(given), &narrow) == error);
        CHECK(error != SAIBAN_OK || narrow == (int64_t)low_of(id));
    }
    return error == SAIBAN_OK ? tell(maker, id, "id", "text", out) : error;
}

/* How many of the bytes are the ID's own: of an ObjectId the last 12. */
static size_t own_bytes(const struct maker *maker)
{
    return strcmp(maker->scheme, "objectid") == 0 ? SAIBAN_OBJECT_ID_SIZE : SAIBAN_WIDE_ID_SIZE;
}

static void put_bytes(cJSON *out, const uint8_t *bytes, size_t count)
{
    char digits[2 * SAIBAN_WIDE_ID_SIZE + 1];
    for (size_t index = 0; index < count; index++) {
        sprintf(digits + 2 * index, "%02x", bytes[index]);
    }
    cJSON_AddStringToObject(out, "bytes", digits);
}

static saiban_error bytes(const struct maker *maker, const char *op, const cJSON *given, cJSON *out)
{
    size_t own = own_bytes(maker);
    wide id = {0}, guid;
    if (at(given, "bytes") == NULL) {
        wide_of(text_at(given, "id"), id);
        if (strcmp(op, "to_bytes") == 0) {
            put_bytes(out, id + SAIBAN_WIDE_ID_SIZE - own, own);
            return SAIBAN_OK;
        }
        OK(saiban_uuid_to_guid_bytes(id, guid));
        put_bytes(out, guid, sizeof guid);
        return SAIBAN_OK;
    }
    CHECK(bytes_of_hex(text_at(given, "bytes"), id + SAIBAN_WIDE_ID_SIZE - own) == own);
    if (strcmp(op, "from_guid_bytes") == 0) {
        memcpy(guid, id, sizeof guid);
        OK(saiban_uuid_from_guid_bytes(guid, id));
    }
    return tell(maker, id, "id", "text", out);
}

/* All that was given comes back. */
static saiban_error round_trips(const struct maker *maker, const cJSON *given, cJSON *out)
{
    const cJSON *parts, *part;
    cJSON *ids = cJSON_AddArrayToObject(out, "ids");
    cJSON_ArrayForEach(parts, at(given, "parts"))
    {
        saiban_wide_parts read;
        wide id;
        cJSON *told = cJSON_CreateObject(), *all = cJSON_CreateObject();
        OK(compose(maker, parts, id));
        OK(inspect(maker, id, &read));
        OK(tell(maker, id, "id", "text", told));
        OK(from_text(maker, told, all));
        put_parts(all, maker, &read);
        cJSON_ArrayForEach(part, parts) { CHECK(cJSON_Compare(at(all, part->string), part, 1)); }
        cJSON_AddItemToArray(ids, cJSON_DetachItemFromObjectCaseSensitive(told, "id"));
        cJSON_Delete(told);
        cJSON_Delete(all);
    }
    return SAIBAN_OK;
}

static saiban_error range(const struct maker *maker, const cJSON *given, cJSON *out)
{
    int64_t start_ms = integer_at(given, "start_ms"), end_ms = integer_at(given, "end_ms");
    wide first, last;
    saiban_error error = saiban_range_wide(maker->ids, start_ms, end_ms, first, last);
    if (maker->bits <= 64) {
        int64_t smallest = 0, largest = 0;
        CHECK(saiban_range(maker->ids, start_ms, end_ms, &smallest, &largest) == error);
        CHECK(error != SAIBAN_OK || (smallest == (int64_t)low_of(first) && largest == (int64_t)low_of(last)));
    }
    if (error == SAIBAN_OK) {
        error = tell(maker, first, "first", "first_text", out);
    }
    return error == SAIBAN_OK ? tell(maker, last, "last", "last_text", out) : error;
}

/* What the layout answers, in short. */
static saiban_error limits(const struct maker *maker, cJSON *out)
{
    char text[SAIBAN_LAYOUT_TEXT_CAPACITY];
    saiban_answers answers;
    saiban_error error = saiban_layout_answers(maker->layout, &answers, sizeof answers);
    if (error == SAIBAN_OK) {
        error = saiban_layout_to_text(maker->layout, text, sizeof text, NULL);
    }
    if (error == SAIBAN_OK) {
        cJSON_AddStringToObject(out, "text", text);
        put(out, "last_ms", answers.last_ms);
        put_unsigned(out, "lifetime_ms", answers.lifetime_ms);
        put_unsigned(out, "nodes", answers.nodes);
        put_wide(out, "ids_per_tick", answers.ids_per_tick, 128);
        put_wide(out, "ids", answers.ids, 128);
    }
    return error;
}

/* What the layout has that a generated ID depends on. */
static bool find_place(const struct maker *maker, int32_t kind, saiban_place *found)
{
    saiban_place places[SAIBAN_FIELDS_MAX];
    size_t count = 0;
    if (maker->layout != NULL) {
        OK(saiban_layout_places(maker->layout, places, SAIBAN_FIELDS_MAX, &count));
    }
    for (size_t index = 0; index < count; index++) {
        if (places[index].kind == kind) {
            *found = places[index];
            return true;
        }
    }
    return false;
}

/* The step from one random part to the next, where it has up to 64 bits and is from 1 to `most`. */
static bool grew(const saiban_wide_parts *before, const saiban_wide_parts *parts, uint64_t most)
{
    uint64_t step = low_of(parts->random) - low_of(before->random);
    return step >= 1 && step <= most && memcmp(parts->random, before->random, SAIBAN_WIDE_ID_SIZE) > 0;
}

static void put_sequence(cJSON *entry, const saiban_place *place, const saiban_wide_parts *before,
                         const saiban_wide_parts *parts)
{
    bool expected = before == NULL ? parts->sequence <= low_of(place->max) / 2 : parts->sequence == before->sequence + 1;
    if (!place->random_start || !expected) {
        put_unsigned(entry, "sequence", parts->sequence);
    }
}

/* What can be foretold of an ID into which something random goes. */
static cJSON *foretold(const struct maker *maker, const saiban_wide_parts *last, const saiban_wide_parts *parts)
{
    bool new_tick = last == NULL || last->timestamp_ms != parts->timestamp_ms;
    const saiban_wide_parts *before = new_tick ? NULL : last;
    saiban_place place;
    cJSON *entry = cJSON_CreateObject();
    if (parts->scheme == SAIBAN_SCHEME_UUID_V4) {
        return entry;
    }
    if (parts->scheme == SAIBAN_SCHEME_UUID_V1) {
        uint64_t ticks = ((uint64_t)(parts->id[6] & 15) << 8 | parts->id[7]) << 48;
        for (int index = 0; index < 6; index++) {
            ticks |= (uint64_t)parts->id[index] << (index < 4 ? 24 - 8 * index : 72 - 8 * index);
        }
        put_unsigned(entry, "ticks", ticks);
        if ((parts->id[10] & 1) == 0 || (last != NULL && memcmp(parts->id + 8, last->id + 8, 8) != 0)) {
            cJSON_AddBoolToObject(entry, "own", 1);
        }
        return entry;
    }
    if (parts->scheme == SAIBAN_SCHEME_TICK_ID) {
        char text[SAIBAN_TEXT_CAPACITY];
        uint64_t ticks;
        OK(saiban_to_text_wide(maker->ids, parts->id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
        ticks = (uint64_t)strtoumax(text, NULL, 10);
        put_unsigned(entry, "ticks", strcmp(parts->layout, "descending") == 0 ? (uint64_t)INT64_MAX - ticks : ticks);
        return entry;
    }
    put(entry, "timestamp_ms", parts->timestamp_ms);
    cJSON_AddBoolToObject(entry, "new_tick", new_tick);
    if (parts->scheme == SAIBAN_SCHEME_OBJECT_ID) {
        if ((last != NULL && last->node != parts->node) ||
            (before != NULL && parts->sequence != (before->sequence + 1) % (1 << 24))) {
            cJSON_AddBoolToObject(entry, "own", 1);
        }
        return entry;
    }
    if (parts->scheme == SAIBAN_SCHEME_FLAKE && parts->has_node) {
        put_unsigned(entry, "node", parts->node);
    }
    if (find_place(maker, SAIBAN_FIELD_SEQUENCE, &place)) {
        put_sequence(entry, &place, before, parts);
    }
    uint64_t most = parts->scheme == SAIBAN_SCHEME_ULID ? 1 : (uint64_t)1 << 32;
    if (parts->scheme == SAIBAN_SCHEME_FLAKE) {
        most = find_place(maker, SAIBAN_FIELD_RANDOM, &place) ? place.step : 0;
    }
    if (before != NULL && most > 0 && !grew(before, parts, most)) {
        cJSON_AddBoolToObject(entry, "grew", 0);
    }
    return entry;
}

static bool is_exact(const struct maker *maker)
{
    saiban_place place;
    if (find_place(maker, SAIBAN_FIELD_RANDOM, &place)) {
        return false;
    }
    return maker->layout != NULL && !(find_place(maker, SAIBAN_FIELD_SEQUENCE, &place) && place.random_start);
}

static saiban_error generate(const cJSON *config, const cJSON *given, saiban_manual_clock *clock, cJSON *out)
{
    const cJSON *times = at(given, "clock_ms"), *time;
    cJSON *ids = cJSON_AddArrayToObject(out, "ids");
    struct maker maker = {NULL, NULL, NULL, 0};
    saiban_wide_parts parts, last;
    bool has_last = false;
    saiban_error error = saiban_manual_clock_set(clock, integer(cJSON_GetArrayItem(times, 0)->valuestring));
    if (error == SAIBAN_OK) {
        error = make(config, given, clock, &maker);
    }
    if (error == SAIBAN_OK) {
        cJSON_ArrayForEach(time, times)
        {
            cJSON *entry = cJSON_CreateObject();
            wide id;
            saiban_error found;
            OK(saiban_manual_clock_set(clock, integer(time->valuestring)));
            found = saiban_generate_wide(maker.ids, id);
            if (found != SAIBAN_OK) {
                cJSON_AddStringToObject(entry, "error", saiban_error_name(found));
            } else {
                OK(inspect(&maker, id, &parts));
                cJSON_Delete(entry);
                if (is_exact(&maker)) {
                    cJSON *told = cJSON_CreateObject();
                    put_wide(told, "id", id, maker.bits);
                    entry = cJSON_DetachItemFromObjectCaseSensitive(told, "id");
                    cJSON_Delete(told);
                } else {
                    entry = foretold(&maker, has_last ? &last : NULL, &parts);
                }
                last = parts;
                has_last = true;
            }
            cJSON_AddItemToArray(ids, entry);
        }
    }
    drop(&maker);
    return error;
}

static saiban_error run(const struct maker *maker, const char *op, const cJSON *given, cJSON *out)
{
    wide id;
    saiban_error error;
    if (strcmp(op, "compose") == 0) {
        error = compose(maker, given, id);
        return error == SAIBAN_OK ? tell(maker, id, "id", "text", out) : error;
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

static saiban_error answer(const cJSON *configs, const cJSON *one, cJSON *out)
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
    } else if ((error = make_anyone(config, clock, &maker)) != SAIBAN_OK) {
        wrong(__FILE__, __LINE__, "no generator for the config: %s", saiban_error_name(error));
    } else {
        error = run(&maker, op, given, out);
    }
    drop(&maker);
    saiban_manual_clock_free(clock);
    return error;
}

static bool may_meet_the_end(void) { return true; }

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
                 {"uuid", UUID},    {"objectid", BYTES}, {"tick-id", SCHEME}, {"range", RANGE}};
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
            check_file(argv[1], FILES[index].name, FILES[index].ops, answer, may_meet_the_end);
        }
    }
    return close_tests();
}
