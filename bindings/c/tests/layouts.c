/* Custom layouts: errors are specific, properties are right, and nodes have named parts. */

#include "check.h"

#include <math.h>

static saiban_layout *layout_of(const char *text)
{
    saiban_layout *layout = NULL;
    OK(saiban_layout_from_text(text, SAIBAN_NUL_TERMINATED, &layout));
    return layout;
}

/* Checks that the last error's message contains both of these words. */
static void message_contains(const char *first, const char *second)
{
    char message[SAIBAN_MESSAGE_CAPACITY];
    OK(saiban_last_error_message(message, sizeof message, NULL));
    if (strstr(message, first) == NULL || strstr(message, second) == NULL) {
        wrong(__FILE__, __LINE__, "\"%s\" lacks \"%s\" or \"%s\"", message, first, second);
    }
}

static void layout_errors_contain_the_field_and_the_limit(void)
{
    static const struct {
        const char *text, *part, *limit;
    } WRONG[] = {
        {"timestamp:64 node:10", "timestamp", "63"},       {"timestamp:41 node:40 sequence:60", "141", "128"},
        {"node:10 sequence:12", "timestamp", ""},          {"timestamp:41 timestamp:12", "timestamp", ""},
        {"timestamp:41 nodes:10", "nodes", ""},            {"timestamp:41 constant:2,value=4", "4", "2"},
        {"timestamp:41 node.Rack:3", "Rack", ""},          {"timestamp:41@fortnight node:3", "fortnight", ""},
        {"timestamp:41 rollback:5 sequence:9", "rollback", "4"},
    };
    for (size_t index = 0; index < sizeof WRONG / sizeof *WRONG; index++) {
        saiban_layout *layout = NULL;
        FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_from_text(WRONG[index].text, SAIBAN_NUL_TERMINATED, &layout));
        message_contains(WRONG[index].part, WRONG[index].limit);
        CHECK(layout == NULL);
    }
    for (int fields = 0; fields < 3; fields++) {
        static const char *const TEXTS[] = {"tick:41 node:10", "timestamp:41 nodes:10", "timestamp:41 node:10 seq:3"};
        static const int64_t PLACES[] = {0, 13, 21};
        saiban_layout *layout = NULL;
        FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_from_text(TEXTS[fields], SAIBAN_NUL_TERMINATED, &layout));
        CHECK(saiban_last_error_position() == PLACES[fields]);
    }
}

static void invalid_json_is_refused_with_its_position(void)
{
    saiban_layout *layout = NULL;
    static const char JSON[] = "{\"fields\":[{\"kind\":\"timestamp\",\"bits\":41},\n{\"kind\":\"node\",\"bits\":10,]}";
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_from_json(JSON, sizeof JSON - 1, &layout));
    message_contains("line 2", "column");
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_from_json("{\"felder\":[]}", SAIBAN_NUL_TERMINATED, &layout));
    message_contains("felder", "");
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_from_json("\xff\xfe", 2, &layout));
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_from_json("", 0, &layout));
    CHECK(layout == NULL);
}

static void too_small_buffers_for_text_and_json_are_refused(void)
{
    saiban_layout *layout = layout_of("twitter");
    char text[SAIBAN_LAYOUT_JSON_CAPACITY];
    size_t len = 77;
    memset(text, '#', sizeof text);
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_layout_to_text(layout, text, 10, &len));
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_layout_to_json(layout, text, 10, &len));
    CHECK(text[0] == '#' && len == 77);
    OK(saiban_layout_to_text(layout, text, sizeof text, &len));
    CHECK(strcmp(text, "unused:1 timestamp:41,epoch=2010-11-04T01:42:54.657Z node:10 sequence:12") == 0);
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_layout_to_text(layout, text, len, NULL));
    OK(saiban_layout_to_text(layout, text, len + 1, NULL));
    saiban_layout_free(layout);
}

static void presets_are_read_by_name(void)
{
    static const char *const NAMES[] = {"twitter", "discord", "instagram", "sonyflake", "sonyflake_v2", "mastodon", "baidu"};
    saiban_layout *layout = NULL;
    saiban_limits limits;
    for (size_t index = 0; index < sizeof NAMES / sizeof *NAMES; index++) {
        OK(saiban_layout_preset(NAMES[index], SAIBAN_NUL_TERMINATED, &layout));
        OK(saiban_layout_limits(layout, &limits));
        CHECK(strcmp(limits.name, NAMES[index]) == 0);
        saiban_layout_free(layout);
    }
    layout = layout_of("bwmarrin");
    OK(saiban_layout_limits(layout, &limits));
    CHECK(strcmp(limits.name, "twitter") == 0);
    saiban_layout_free(layout);
}

static void properties_and_collision_odds_match_the_layout(void)
{
    static const uint8_t PER_TICK[16] = {[14] = 0x10};
    saiban_layout *layout = layout_of("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12");
    saiban_properties properties;
    double odds = -1;
    OK(saiban_layout_properties(layout, &properties, sizeof properties));
    CHECK(properties.size_bits == 64 && properties.bits == 63 && properties.fields == 4 &&
          properties.nodes == 1024);
    CHECK(properties.first_ms == 1580601600000 && properties.lifetime_ms == (uint64_t)1 << 41);
    CHECK(properties.last_ms == properties.first_ms + ((int64_t)1 << 41) - 1);
    CHECK(memcmp(properties.ids_per_tick, PER_TICK, 16) == 0 && properties.ids[8] == 0x80);
    CHECK(properties.ids_per_second_per_node == 4096000.0 &&
          properties.ids_per_second_in_all == 4096000.0 * 1024);
    CHECK(properties.is_unique && properties.is_time_ordered && !properties.is_wide);
    OK(saiban_layout_collision_odds(layout, 1e6, 86400, &odds));
    CHECK(odds == 0);
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT,
          saiban_layout_properties(layout, &properties, sizeof properties - 8));
    message_contains("sizeof", "saiban_properties");
    saiban_layout_free(layout);

    layout = layout_of("timestamp:48 random:80");
    OK(saiban_layout_properties(layout, &properties, sizeof properties));
    CHECK(properties.is_wide && !properties.is_unique && properties.ids[0] == 0xff &&
          properties.ids[15] == 0xff);
    OK(saiban_layout_collision_odds(layout, 1e6, 86400.0 * 365, &odds));
    CHECK(fabs(odds / 1.304e-8 - 1) < 1e-3);
    OK(saiban_layout_collision_odds(layout, INFINITY, 1, &odds));
    CHECK(odds == 1);
    odds = -1;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_collision_odds(layout, NAN, 1, &odds));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_collision_odds(layout, 1, -1, &odds));
    CHECK(odds == -1);
    OK(saiban_layout_collision_odds(layout, 0, 1, &odds));
    CHECK(odds == 0);
    saiban_layout_free(layout);
}

static void places_describe_all_fields_of_a_layout(void)
{
    static const uint8_t MAX_10[16] = {[14] = 0x03, [15] = 0xff}, SIX[16] = {[15] = 6};
    saiban_layout *layout = layout_of("timestamp:40 constant:3,value=6 node.rack:10 sequence:7,start=random random:20");
    saiban_place places[SAIBAN_FIELDS_MAX];
    size_t count = 0;
    OK(saiban_layout_places(layout, places, SAIBAN_FIELDS_MAX, &count));
    CHECK(count == 5 && places[0].kind == SAIBAN_FIELD_TIMESTAMP && places[0].shift == 40 && places[0].bits == 40);
    CHECK(places[1].kind == SAIBAN_FIELD_CONSTANT && memcmp(places[1].value, SIX, 16) == 0);
    CHECK(strcmp(places[2].name, "rack") == 0 && memcmp(places[2].max, MAX_10, 16) == 0);
    CHECK(places[3].random_start && strcmp(saiban_field_name(places[3].kind), "sequence") == 0 && places[4].step == 0);
    CHECK(places[0].name[0] == '\0' && strcmp(saiban_field_name(99), "") == 0);
    /* If fewer places fit, the highest are written. */
    places[2].kind = -1;
    OK(saiban_layout_places(layout, places, 2, &count));
    CHECK(count == 2 && places[2].kind == -1);
    saiban_layout_free(layout);
    layout = layout_of("timestamp:40 random:64,step=18446744073709551615");
    OK(saiban_layout_places(layout, places, SAIBAN_FIELDS_MAX, &count));
    CHECK(count == 2 && places[1].step == UINT64_MAX);
    saiban_layout_free(layout);
}

static void named_node_parts_convert_to_nodes_and_back(void)
{
    saiban_layout *layout = layout_of("timestamp:42 node.datacenter:5 node.worker:5 sequence:12");
    saiban_node_part parts[] = {{"worker", 3}, {"datacenter", 2}}, found[SAIBAN_FIELDS_MAX];
    int64_t node = -99;
    size_t count = 0;
    OK(saiban_layout_node_of_parts(layout, parts, 2, &node));
    CHECK(node == 67);
    OK(saiban_layout_node_parts(layout, 67, found, SAIBAN_FIELDS_MAX, &count));
    CHECK(count == 2 && strcmp(found[0].name, "datacenter") == 0 && found[0].value == 2 && found[1].value == 3);
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_layout_node_parts(layout, 1024, found, SAIBAN_FIELDS_MAX, &count));
    message_contains("1024", "0 to 1023");
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_layout_node_parts(layout, UINT64_MAX, found, SAIBAN_FIELDS_MAX, &count));
    CHECK(count == 2);
    node = -99;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_node_of_parts(layout, parts, 1, &node));
    message_contains("datacenter", "");
    parts[0].value = 32;
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_layout_node_of_parts(layout, parts, 2, &node));
    message_contains("worker", "32");
    strcpy(parts[0].name, "rack");
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_layout_node_of_parts(layout, parts, 2, &node));
    message_contains("rack", "");
    memset(parts[0].name, 'w', sizeof parts[0].name); /* no NUL */
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_layout_node_of_parts(layout, parts, 2, &node));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_node_of_parts(layout, parts, SIZE_MAX, &node));
    CHECK(node == -99);
    saiban_layout_free(layout);
    layout = layout_of("twitter");
    OK(saiban_layout_node_parts(layout, 67, found, SAIBAN_FIELDS_MAX, &count));
    CHECK(count == 0);
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_layout_node_parts(layout, 1024, found, SAIBAN_FIELDS_MAX, &count));
    saiban_layout_free(layout);
}

static void fields_without_options_make_layouts_of_any_width(void)
{
    static const saiban_field FIELDS[] = {{SAIBAN_FIELD_TIMESTAMP, 48},
                                          {SAIBAN_FIELD_NODE, 16},
                                          {SAIBAN_FIELD_SEQUENCE, 16},
                                          {SAIBAN_FIELD_RANDOM, 48}};
    saiban_layout *layout = NULL;
    char text[SAIBAN_LAYOUT_TEXT_CAPACITY];
    OK(saiban_layout_new(FIELDS, 4, 0, 1000, &layout));
    OK(saiban_layout_to_text(layout, text, sizeof text, NULL));
    CHECK(strcmp(text, "timestamp:48 node:16 sequence:16 random:48") == 0);
    saiban_layout_free(layout);
    layout = NULL;
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(FIELDS + 1, 3, 0, 1000, &layout));
    message_contains("timestamp", "");
    CHECK(layout == NULL);
}

static void rollback_bits_can_be_added_to_any_layout(void)
{
    saiban_layout *layout = layout_of("timestamp:48 node.region:4 node.host:12 sequence:64"), *changed = NULL;
    char text[SAIBAN_LAYOUT_TEXT_CAPACITY];
    OK(saiban_layout_with_rollback_bits(layout, 2, &changed));
    OK(saiban_layout_to_text(changed, text, sizeof text, NULL));
    CHECK(strcmp(text, "timestamp:48 node.region:4 node.host:10 rollback:2 sequence:64") == 0);
    saiban_layout_free(layout);
    saiban_layout_free(changed);
    /* Without a node, the sequence loses these bits. */
    layout = layout_of("mastodon");
    OK(saiban_layout_with_rollback_bits(layout, 2, &changed));
    OK(saiban_layout_to_text(changed, text, sizeof text, NULL));
    CHECK(strcmp(text, "timestamp:48 rollback:2 sequence:14") == 0);
    saiban_layout_free(layout);
    saiban_layout_free(changed);
}

int main(void)
{
    RUN(layout_errors_contain_the_field_and_the_limit);
    RUN(invalid_json_is_refused_with_its_position);
    RUN(too_small_buffers_for_text_and_json_are_refused);
    RUN(presets_are_read_by_name);
    RUN(properties_and_collision_odds_match_the_layout);
    RUN(places_describe_all_fields_of_a_layout);
    RUN(named_node_parts_convert_to_nodes_and_back);
    RUN(fields_without_options_make_layouts_of_any_width);
    RUN(rollback_bits_can_be_added_to_any_layout);
    return close_tests();
}
