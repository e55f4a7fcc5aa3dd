/*
 * Checks every case of vectors/layout.json and vectors/encoding-wide.json. Usage: vectors_layouts
 * FOLDER
 */

#include "wide.h"

static void put_float(cJSON *out, const char *name, double number)
{
    char text[40];
    sprintf(text, "%.17g", number);
    cJSON_AddStringToObject(out, name, text);
}

static void put_text(cJSON *out, const saiban_layout *layout)
{
    char text[SAIBAN_LAYOUT_TEXT_CAPACITY];
    size_t len;
    OK(saiban_layout_to_text(layout, text, sizeof text, &len));
    CHECK(len == strlen(text));
    cJSON_AddStringToObject(out, "text", text);
}

static void put_places(cJSON *out, const saiban_layout *layout, uint32_t fields)
{
    saiban_place places[SAIBAN_FIELDS_MAX];
    cJSON *all = cJSON_AddArrayToObject(out, "places");
    size_t count = 0;
    OK(saiban_layout_places(layout, places, SAIBAN_FIELDS_MAX, &count));
    CHECK(count == fields);
    for (size_t index = 0; index < count; index++) {
        cJSON *place = cJSON_CreateObject();
        cJSON_AddStringToObject(place, "kind", saiban_field_name(places[index].kind));
        if (places[index].name[0] != '\0') {
            cJSON_AddStringToObject(place, "name", places[index].name);
        }
        cJSON_AddNumberToObject(place, "bits", places[index].bits);
        cJSON_AddNumberToObject(place, "shift", places[index].shift);
        put_wide(place, "max", places[index].max, 128);
        cJSON_AddItemToArray(all, place);
    }
}

/* Checks that both forms read as equal layouts. */
static void check_forms_agree(const char *text, const char *json)
{
    saiban_layout *of_text = NULL, *of_json = NULL;
    cJSON *again = cJSON_CreateObject();
    OK(saiban_layout_from_text(text, strlen(text), &of_text));
    OK(saiban_layout_from_json(json, strlen(json), &of_json));
    if (of_text != NULL && of_json != NULL) {
        cJSON *other = cJSON_CreateObject();
        put_text(again, of_json);
        put_text(other, of_text);
        CHECK(strcmp(text_at(again, "text"), text) == 0 && cJSON_Compare(again, other, 1));
        cJSON_Delete(other);
    }
    saiban_layout_free(of_text);
    saiban_layout_free(of_json);
    cJSON_Delete(again);
}

static void put_properties(cJSON *out, const saiban_layout *layout)
{
    saiban_properties properties;
    saiban_limits limits;
    char json[SAIBAN_LAYOUT_JSON_CAPACITY];
    OK(saiban_layout_properties(layout, &properties, sizeof properties));
    OK(saiban_layout_limits(layout, &limits));
    OK(saiban_layout_to_json(layout, json, sizeof json, NULL));
    put_text(out, layout);
    check_forms_agree(text_at(out, "text"), json);
    cJSON_AddStringToObject(out, "json", json);
    if (limits.name != NULL) {
        cJSON_AddStringToObject(out, "name", limits.name);
    }
    CHECK(limits.epoch_ms == properties.first_ms && limits.last_ms == properties.last_ms &&
          limits.max_node == properties.nodes - 1 &&
          properties.is_wide == (properties.size_bits > 64));
    cJSON_AddNumberToObject(out, "size_bits", properties.size_bits);
    cJSON_AddNumberToObject(out, "bits", properties.bits);
    put(out, "epoch_ms", limits.epoch_ms);
    put_unsigned(out, "tick_us", limits.tick_us);
    put(out, "first_ms", properties.first_ms);
    put(out, "last_ms", properties.last_ms);
    put_unsigned(out, "lifetime_ms", properties.lifetime_ms);
    put_wide(out, "ids_per_tick", properties.ids_per_tick, 128);
    put_unsigned(out, "nodes", properties.nodes);
    put_wide(out, "ids", properties.ids, 128);
    put_float(out, "per_node", properties.ids_per_second_per_node);
    put_float(out, "in_all", properties.ids_per_second_in_all);
    cJSON_AddBoolToObject(out, "is_unique", properties.is_unique);
    cJSON_AddBoolToObject(out, "is_time_ordered", properties.is_time_ordered);
    put_places(out, layout, properties.fields);
}

static saiban_error layouts(const char *op, const cJSON *given, cJSON *out)
{
    const char *text = text_at(given, "text"), *json = text_at(given, "json");
    saiban_layout *layout = NULL, *changed = NULL;
    saiban_error error = json != NULL ? saiban_layout_from_json(json, strlen(json), &layout)
                                      : saiban_layout_from_text(text, strlen(text), &layout);
    if (error != SAIBAN_OK) {
        return error;
    }
    if (strcmp(op, "layout") == 0) {
        put_properties(out, layout);
    } else if (strcmp(op, "from_json") == 0) {
        put_text(out, layout);
    } else if (strcmp(op, "with_rollback_bits") == 0) {
        error = saiban_layout_with_rollback_bits(layout, (uint32_t)small_at(given, "bits"), &changed);
        if (error == SAIBAN_OK) {
            put_text(out, changed);
        }
    } else {
        double odds = -1;
        CHECK(strcmp(op, "collision_odds") == 0);
        error = saiban_layout_collision_odds(layout, strtod(text_at(given, "ids_per_second"), NULL),
                                             strtod(text_at(given, "seconds"), NULL), &odds);
        put_float(out, "odds", odds);
    }
    saiban_layout_free(layout);
    saiban_layout_free(changed);
    return error;
}

static saiban_error encoding_wide(const char *op, const cJSON *given, cJSON *out)
{
    char text[SAIBAN_TEXT_CAPACITY];
    uint32_t bits = (uint32_t)small_at(given, "bits");
    int32_t encoding;
    wide value;
    saiban_error error = saiban_encoding_from_name(text_at(given, "encoding"), SAIBAN_NUL_TERMINATED, &encoding);
    if (error != SAIBAN_OK) {
        return error;
    }
    CHECK(strcmp(saiban_encoding_name(encoding), text_at(given, "encoding")) == 0);
    if (strcmp(op, "encode_wide") == 0) {
        size_t len;
        wide_of(text_at(given, "value"), value);
        error = saiban_encode_wide(value, bits, encoding, small_at(given, "width"), text, sizeof text, &len);
        if (error == SAIBAN_OK) {
            CHECK(len == strlen(text));
            cJSON_AddStringToObject(out, "text", text);
        }
    } else {
        CHECK(strcmp(op, "decode_wide") == 0);
        error = saiban_decode_wide(text_at(given, "text"), strlen(text_at(given, "text")), bits, encoding,
                                   small_at(given, "width"), leniency_at(given), value);
        if (error == SAIBAN_OK) {
            put_wide(out, "value", value, 128);
        }
    }
    return error;
}

static saiban_error run_case(const cJSON *configs, const cJSON *one, cJSON *out)
{
    (void)configs;
    return (strcmp(subject, "layout") == 0 ? layouts : encoding_wide)(text_at(one, "op"), at(one, "in"), out);
}

static bool may_reach_the_end(void) { return false; }

int main(int argc, char **argv)
{
    static const char *const LAYOUT[] = {"layout", "from_json", "with_rollback_bits", "collision_odds", NULL};
    static const char *const ENCODING[] = {"encode_wide", "decode_wide", NULL};
    if (argc != 2) {
        fprintf(stderr, "usage: vectors_layouts FOLDER\n");
        return 2;
    }
    check_file(argv[1], "layout", LAYOUT, run_case, may_reach_the_end);
    check_file(argv[1], "encoding-wide", ENCODING, run_case, may_reach_the_end);
    return close_tests();
}
