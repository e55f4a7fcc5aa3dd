/*
 * Text with a prefix: TypeID's published cases, and round trips of every scheme. Usage: prefixed
 * FOLDER (the folder of the vectors)
 */

#include "vectors.h"

typedef uint8_t wide[SAIBAN_WIDE_ID_SIZE];

static const char TYPE_ID[] = "order_01h455vb4pex5vsknk084sn02q";
static const wide UUID = {0x01, 0x89, 0x0a, 0x5d, 0xac, 0x96, 0x77, 0x4b,
                          0xbc, 0xce, 0xb3, 0x02, 0x09, 0x9a, 0x80, 0x57};
static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {7};

static const char *folder;
static const saiban_layout *narrow_layout, *wide_layout;

static saiban_error uuid(const char *prefix, int32_t version, saiban_generator **generator)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.prefix = prefix;
    return saiban_uuid_new(version, &options, generator);
}

/* Reads text strictly, and frees the generator. */
static saiban_error read_typeid(const char *prefix, const char *text, uint8_t *id)
{
    saiban_generator *generator = NULL;
    saiban_error error = uuid(prefix, 7, &generator);
    if (error == SAIBAN_OK) {
        error = saiban_from_text_wide(generator, text, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, id);
    }
    saiban_generator_free(generator);
    return error;
}

/* The published cases. */
static cJSON *cases(void)
{
    char path[4096];
    char *text;
    cJSON *document;
    snprintf(path, sizeof path, "%s/typeid.json", folder);
    text = read_file(path);
    document = cJSON_Parse(text);
    free(text);
    return document;
}

static void valid_type_ids_are_read_and_written(void)
{
    cJSON *document = cases();
    const cJSON *one;
    int count = 0;
    cJSON_ArrayForEach(one, at(document, "valid"))
    {
        const char *typeid = text_at(one, "typeid");
        char text[SAIBAN_TEXT_CAPACITY];
        saiban_generator *generator = NULL;
        wide id, uuid_of_it;
        OK(read_typeid(text_at(one, "prefix"), typeid, id));
        OK(saiban_decode_wide(text_at(one, "uuid"), SAIBAN_NUL_TERMINATED, 128, SAIBAN_ENCODING_HYPHENATED,
                              SAIBAN_NOT_GIVEN, SAIBAN_STRICT, uuid_of_it));
        CHECK(memcmp(id, uuid_of_it, sizeof id) == 0);
        OK(uuid(text_at(one, "prefix"), 7, &generator));
        OK(saiban_to_text_wide(generator, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
        CHECK(strcmp(text, typeid) == 0);
        OK(saiban_to_text_wide(generator, id, SAIBAN_ENCODING_HYPHENATED, text, sizeof text, NULL));
        CHECK(strcmp(text, text_at(one, "uuid")) == 0);
        saiban_generator_free(generator);
        count++;
    }
    CHECK(count == 9);
    cJSON_Delete(document);
}

static void invalid_type_ids_are_refused(void)
{
    cJSON *document = cases();
    const cJSON *one;
    int count = 0;
    cJSON_ArrayForEach(one, at(document, "invalid"))
    {
        wide id;
        saiban_error error = read_typeid(text_at(one, "prefix"), text_at(one, "typeid"), id);
        if (error == SAIBAN_OK || error == SAIBAN_ERROR_INTERNAL) {
            wrong(__FILE__, __LINE__, "%s: %s", text_at(one, "typeid"), saiban_error_name(error));
        }
        count++;
    }
    CHECK(count == 19);
    cJSON_Delete(document);
}

static saiban_error uuid_v1(const saiban_options *options, saiban_generator **generator)
{
    return saiban_uuid_new(1, options, generator);
}

static saiban_error uuid_v4(const saiban_options *options, saiban_generator **generator)
{
    return saiban_uuid_new(4, options, generator);
}

static saiban_error uuid_v7(const saiban_options *options, saiban_generator **generator)
{
    return saiban_uuid_new(7, options, generator);
}

static saiban_error newest_last(const saiban_options *options, saiban_generator **generator)
{
    return saiban_tick_id_new(SAIBAN_TICK_ORDER_ASCENDING, options, generator);
}

static saiban_error newest_first(const saiban_options *options, saiban_generator **generator)
{
    return saiban_tick_id_new(SAIBAN_TICK_ORDER_DESCENDING, options, generator);
}

static saiban_error narrow_flake(const saiban_options *options, saiban_generator **generator)
{
    saiban_options of_layout = *options;
    of_layout.layout = narrow_layout;
    return saiban_flake_new(&of_layout, generator);
}

static saiban_error wide_flake(const saiban_options *options, saiban_generator **generator)
{
    saiban_options of_layout = *options;
    of_layout.layout = wide_layout;
    return saiban_flake_new(&of_layout, generator);
}

static saiban_error randflake(const saiban_options *options, saiban_generator **generator)
{
    saiban_options encrypted = *options;
    encrypted.secret = SECRET;
    encrypted.secret_len = sizeof SECRET;
    return saiban_randflake_new(&encrypted, generator);
}

/* Checks that an ID's text consists of the prefix and a number, and reads as the ID. */
static void check_round_trip(const saiban_generator *generator)
{
    char text[SAIBAN_TEXT_CAPACITY], again[SAIBAN_TEXT_CAPACITY], other[SAIBAN_TEXT_CAPACITY];
    wide id, back;
    saiban_wide_parts parts;
    size_t len = 0;
    OK(saiban_generate_text(generator, SAIBAN_ENCODING_CANONICAL, text, sizeof text, &len));
    CHECK(strncmp(text, "order_", 6) == 0 && len > 6);
    CHECK(strspn(text + 6, "0123456789abcdefghjkmnpqrstvwxyz") == len - 6);
    OK(saiban_from_text_wide(generator, text, len, SAIBAN_STRICT, id));
    OK(saiban_to_text_wide(generator, id, SAIBAN_ENCODING_CANONICAL, again, sizeof again, NULL));
    CHECK(strcmp(text, again) == 0);
    OK(saiban_generator_inspect_text_wide(generator, text, len, &parts, sizeof parts));
    CHECK(memcmp(parts.id, id, sizeof id) == 0);
    /* With an encoding, the text is only the number. */
    OK(saiban_to_text_wide(generator, id, SAIBAN_ENCODING_HEX, other, sizeof other, NULL));
    OK(saiban_decode_wide(other, SAIBAN_NUL_TERMINATED, 128, SAIBAN_ENCODING_HEX, SAIBAN_NOT_GIVEN, SAIBAN_STRICT,
                          back));
    CHECK(memcmp(back, id, sizeof id) == 0);
    memcpy(other, text, sizeof other);
    other[0] = 'b';
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text_wide(generator, other, len, SAIBAN_STRICT, back));
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text_wide(generator, text + 6, len - 6, SAIBAN_STRICT, back));
}

static void every_scheme_takes_a_prefix(void)
{
    static const struct {
        saiban_error (*make)(const saiban_options *, saiban_generator **);
        bool has_node;
    } SCHEMES[] = {
        {saiban_snowflake_new, true}, {randflake, true},      {saiban_tsid_new, true},   {saiban_ulid_flake_new, false},
        {narrow_flake, true},         {wide_flake, false},    {saiban_ulid_new, false},  {uuid_v1, false},
        {uuid_v4, false},             {uuid_v7, false},       {saiban_xid_new, false},   {saiban_object_id_new, false},
        {newest_last, false},         {newest_first, false},
    };
    saiban_layout *narrow = NULL, *wide_one = NULL;
    OK(saiban_layout_from_text("timestamp:38@10ms,epoch=2020-02-02 node:2 sequence:8", SAIBAN_NUL_TERMINATED, &narrow));
    OK(saiban_layout_from_text("timestamp:48 random:80", SAIBAN_NUL_TERMINATED, &wide_one));
    narrow_layout = narrow;
    wide_layout = wide_one;
    for (size_t index = 0; index < sizeof SCHEMES / sizeof *SCHEMES; index++) {
        saiban_options options = SAIBAN_OPTIONS_INIT;
        saiban_generator *generator = NULL;
        char prefix[] = "order";
        options.prefix = prefix;
        options.node = SCHEMES[index].has_node ? 1 : SAIBAN_NOT_GIVEN;
        OK(SCHEMES[index].make(&options, &generator));
        prefix[0] = 'b'; /* The generator has its own copy. */
        check_round_trip(generator);
        saiban_generator_free(generator);
    }
    saiban_layout_free(narrow);
    saiban_layout_free(wide_one);
}

static void functions_for_64_bits_use_the_prefix(void)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    char text[SAIBAN_TEXT_CAPACITY];
    int64_t id = 0;
    options.node = 7;
    options.prefix = "user";
    OK(saiban_snowflake_new(&options, &generator));
    OK(saiban_to_text(generator, 1741610183685074944, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    CHECK(strcmp(text, "user_1gavh7g7w0w00") == 0);
    OK(saiban_from_text(generator, text, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, &id));
    CHECK(id == 1741610183685074944);
    OK(saiban_to_text(generator, id, SAIBAN_ENCODING_DECIMAL, text, sizeof text, NULL));
    CHECK(strcmp(text, "1741610183685074944") == 0);
    saiban_generator_free(generator);
}

static void only_lenient_reading_accepts_upper_case(void)
{
    static const char UPPER[] = "order_01h455vb4pex5vsknk084sn02Q", LOOKALIKES[] = "order_O1H455VB4PEX5VSKNKO84SNO2Q";
    saiban_generator *generator = NULL;
    wide id;
    OK(uuid("order", 4, &generator));
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER,
          saiban_from_text_wide(generator, UPPER, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, id));
    CHECK(saiban_last_error_position() == 31);
    OK(saiban_from_text_wide(generator, LOOKALIKES, SAIBAN_NUL_TERMINATED, SAIBAN_LENIENT, id));
    CHECK(memcmp(id, UUID, sizeof id) == 0);
    /* A TypeID may contain any UUID, even one that the generator does not make. */
    OK(saiban_from_text_wide(generator, TYPE_ID, SAIBAN_NUL_TERMINATED, SAIBAN_STRICT, id));
    CHECK(memcmp(id, UUID, sizeof id) == 0);
    saiban_generator_free(generator);
}

static void invalid_prefixes_are_refused(void)
{
    static const char *const PREFIXES[] = {
        "Order", "order_", "_order", "order2", " order", "bestellung-\xc3\xa4",
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl",
    };
    saiban_generator *generator = NULL;
    char text[SAIBAN_TEXT_CAPACITY];
    size_t len = 0;
    for (size_t index = 0; index < sizeof PREFIXES / sizeof *PREFIXES; index++) {
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, uuid(PREFIXES[index], 7, &generator));
        CHECK(generator == NULL);
    }
    /* Invalid UTF-8. */
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, uuid("order\xff", 7, &generator));
    OK(uuid(PREFIXES[6] + 1, 7, &generator));
    OK(saiban_generate_text(generator, SAIBAN_ENCODING_CANONICAL, text, sizeof text, &len));
    CHECK(len == 63 + 1 + 26);
    saiban_generator_free(generator);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    folder = arguments[1];
    RUN(valid_type_ids_are_read_and_written);
    RUN(invalid_type_ids_are_refused);
    RUN(every_scheme_takes_a_prefix);
    RUN(functions_for_64_bits_use_the_prefix);
    RUN(only_lenient_reading_accepts_upper_case);
    RUN(invalid_prefixes_are_refused);
    return close_tests();
}
