/* The predictable parts of generated IDs. */
#ifndef FAMILY_GENERATED_H
#define FAMILY_GENERATED_H

#include "family_results.h"

/* Finds a field of the layout that generated IDs depend on. */
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

/* Returns whether the random part grew by a step of 1 to `max_step`, in its low 64 bits. */
static bool grew(const saiban_wide_parts *before, const saiban_wide_parts *parts, uint64_t max_step)
{
    uint64_t step = low_of(parts->random) - low_of(before->random);
    return step >= 1 && step <= max_step &&
           memcmp(parts->random, before->random, SAIBAN_WIDE_ID_SIZE) > 0;
}

static void put_sequence(cJSON *entry, const saiban_place *place, const saiban_wide_parts *before,
                         const saiban_wide_parts *parts)
{
    bool expected = before == NULL ? parts->sequence <= low_of(place->max) / 2 : parts->sequence == before->sequence + 1;
    if (!place->random_start || !expected) {
        put_unsigned(entry, "sequence", parts->sequence);
    }
}

/* Returns the predictable parts of an ID with random bits. */
static cJSON *predictable_parts(const struct maker *maker, const saiban_wide_parts *last,
                                const saiban_wide_parts *parts)
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
    if (parts->scheme == SAIBAN_SCHEME_OBJECT_ID || parts->scheme == SAIBAN_SCHEME_XID) {
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
    uint64_t max_step = parts->scheme == SAIBAN_SCHEME_ULID ? 1 : (uint64_t)1 << 32;
    if (parts->scheme == SAIBAN_SCHEME_FLAKE) {
        max_step = find_place(maker, SAIBAN_FIELD_RANDOM, &place) ? place.step : 0;
    }
    if (before != NULL && max_step > 0 && !grew(before, parts, max_step)) {
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
                    cJSON *object = cJSON_CreateObject();
                    put_wide(object, "id", id, maker.bits);
                    entry = cJSON_DetachItemFromObjectCaseSensitive(object, "id");
                    cJSON_Delete(object);
                } else {
                    entry = predictable_parts(&maker, has_last ? &last : NULL, &parts);
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

#endif
