/* The parts of an ID, a range or a layout, in the format of the vectors. */
#ifndef FAMILY_RESULTS_H
#define FAMILY_RESULTS_H

#include "family_makers.h"

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

/* Reads an ID; if it has up to 64 bits, with both functions. */
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

/* Writes the ID with its text. */
static saiban_error put_id(const struct maker *maker, const uint8_t *id, const char *name,
                           const char *text_name, cJSON *out)
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
    return error == SAIBAN_OK ? put_id(maker, id, "id", "text", out) : error;
}

/* Returns the number of the ID's own bytes: the last 12 of an ObjectId or XID, or all. */
static size_t own_bytes(const struct maker *maker)
{
    if (strcmp(maker->scheme, "xid") == 0) {
        return SAIBAN_XID_SIZE;
    }
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
    return put_id(maker, id, "id", "text", out);
}

/* Composes IDs, reads them, and checks that all given parts are equal. */
static saiban_error round_trips(const struct maker *maker, const cJSON *given, cJSON *out)
{
    const cJSON *parts, *part;
    cJSON *ids = cJSON_AddArrayToObject(out, "ids");
    cJSON_ArrayForEach(parts, at(given, "parts"))
    {
        saiban_wide_parts read;
        wide id;
        cJSON *entry = cJSON_CreateObject(), *all = cJSON_CreateObject();
        OK(compose(maker, parts, id));
        OK(inspect(maker, id, &read));
        OK(put_id(maker, id, "id", "text", entry));
        OK(from_text(maker, entry, all));
        put_parts(all, maker, &read);
        cJSON_ArrayForEach(part, parts) { CHECK(cJSON_Compare(at(all, part->string), part, 1)); }
        cJSON_AddItemToArray(ids, cJSON_DetachItemFromObjectCaseSensitive(entry, "id"));
        cJSON_Delete(entry);
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
        error = put_id(maker, first, "first", "first_text", out);
    }
    return error == SAIBAN_OK ? put_id(maker, last, "last", "last_text", out) : error;
}

/* Writes the layout's properties in short. */
static saiban_error limits(const struct maker *maker, cJSON *out)
{
    char text[SAIBAN_LAYOUT_TEXT_CAPACITY];
    saiban_properties properties;
    saiban_error error = saiban_layout_properties(maker->layout, &properties, sizeof properties);
    if (error == SAIBAN_OK) {
        error = saiban_layout_to_text(maker->layout, text, sizeof text, NULL);
    }
    if (error == SAIBAN_OK) {
        cJSON_AddStringToObject(out, "text", text);
        put(out, "last_ms", properties.last_ms);
        put_unsigned(out, "lifetime_ms", properties.lifetime_ms);
        put_unsigned(out, "nodes", properties.nodes);
        put_wide(out, "ids_per_tick", properties.ids_per_tick, 128);
        put_wide(out, "ids", properties.ids, 128);
    }
    return error;
}

#endif
