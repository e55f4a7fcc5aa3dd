/*
 * Invalid text, numbers, names and layouts cause the right error kind and a message with the
 * limits. They change no results.
 */

#include "bad.h"

static void invalid_rollback_bits_are_refused_with_the_limits(void)
{
    static const uint32_t INVALID_WIDTHS[] = {0, 5, 10, 64, UINT32_MAX};
    saiban_layout *twitter = NULL, *changed = NULL, *twice = NULL;
    OK(saiban_layout_preset("twitter", SAIBAN_NUL_TERMINATED, &twitter));
    for (size_t index = 0; index < sizeof INVALID_WIDTHS / sizeof *INVALID_WIDTHS; index++) {
        FAILS(SAIBAN_ERROR_INVALID_LAYOUT,
              saiban_layout_with_rollback_bits(twitter, INVALID_WIDTHS[index], &changed));
        CHECK(changed == NULL);
    }
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_with_rollback_bits(twitter, 5, &changed));
    message_contains("5 bits", "1 to 4");
    OK(saiban_layout_with_rollback_bits(twitter, 2, &changed));
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_with_rollback_bits(changed, 2, &twice));
    CHECK(twice == NULL);
    saiban_layout_free(changed);
    saiban_layout_free(twitter);
}

static void invalid_lists_of_secrets_are_refused(void)
{
    uint8_t secrets[9 * SAIBAN_SECRET_SIZE] = {1};
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    size_t count = 77, size = SAIBAN_SECRET_SIZE;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT,
          saiban_inspect(1, SAIBAN_SCHEME_ANY, NULL, 0, secrets, size, parts, SAIBAN_CANDIDATES_MAX, &count));
    message_contains("old_secrets", "secret");
    FAILS(SAIBAN_ERROR_INVALID_SECRET,
          saiban_inspect(1, SAIBAN_SCHEME_ANY, secrets, size, secrets, size + 1, parts, SAIBAN_CANDIDATES_MAX, &count));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_text("1", 1, SAIBAN_SCHEME_ANY, secrets, size, secrets, 8 * size,
                                                             parts, SAIBAN_CANDIDATES_MAX, &count));
    message_contains("secrets", "8");
    CHECK(count == 77);
    OK(saiban_inspect(1, SAIBAN_SCHEME_RANDFLAKE, secrets, size, secrets, 0, parts, SAIBAN_CANDIDATES_MAX, &count));
    CHECK(count == 1 && !parts[0].has_secret_index);
    /* The ID can be a decimal number, or text of two schemes under each secret. */
    OK(saiban_inspect_text("1234567890123", 13, SAIBAN_SCHEME_ANY, secrets, size, secrets + size, 7 * size, parts,
                           SAIBAN_CANDIDATES_MAX, &count));
    CHECK(count > 16 && count <= SAIBAN_CANDIDATES_MAX);
}

static void the_position_of_the_first_bad_character_is_reported(void)
{
    static const char *const GOOD = "3vgoe12ccb8gh";
    saiban_generator *generator = randflake();
    int64_t id = -99;
    for (size_t position = 0; position < strlen(GOOD); position++) {
        char text[16];
        strcpy(text, GOOD);
        text[position] = '!';
        FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, text, strlen(text), SAIBAN_STRICT, &id));
        CHECK(saiban_last_error_position() == (int64_t)position);
        text[position] = (char)0xff; /* This byte never occurs in UTF-8. */
        FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, text, strlen(text), SAIBAN_STRICT, &id));
        CHECK(saiban_last_error_position() == (int64_t)position);
        text[position] = '\0'; /* A NUL within a text of explicit length. */
        FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, text, strlen(GOOD), SAIBAN_STRICT, &id));
        CHECK(saiban_last_error_position() == (int64_t)position);
    }
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, "3v\xc3\xa9", 4, SAIBAN_STRICT, &id));
    CHECK(saiban_last_error_position() == 2);
    message_contains("position 2", "base32hex");
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_from_text(generator, "3v\xc3", 3, SAIBAN_STRICT, &id)); /* Truncated. */
    CHECK(saiban_last_error_position() == 2 && id == -99);
    FAILS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_randflake_compose(generator, NOW_MS, 131072, 0, &id));
    CHECK(saiban_last_error_position() == -1);
    saiban_generator_free(generator);
}

static void invalid_id_text_is_refused(void)
{
    saiban_generator *generator = randflake();
    int64_t value = -99;
    FAILS(SAIBAN_ERROR_TEXT_LENGTH, saiban_from_text(generator, "", 0, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_LENGTH, saiban_from_text(generator, "00000000000000", 14, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_OVERFLOW, saiban_from_text(generator, "g000000000000", 13, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_NOT_CANONICAL, saiban_from_text(generator, "3VGOE12CCB8GH", 13, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_TEXT_NOT_CANONICAL, saiban_from_text(generator, "03vg", 4, SAIBAN_STRICT, &value));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_from_text(generator, "3vgoe12ccb8gh", 13, 2, &value));
    CHECK(value == -99);
    OK(saiban_from_text(generator, "3VGOE12CCB8GH", 13, SAIBAN_LENIENT, &value));
    CHECK(value == 4594531474933654033);
    OK(saiban_from_text(generator, "3vgoe12ccb8gh and more", 13, SAIBAN_STRICT, &value));
    saiban_generator_free(generator);
}

static void unknown_constants_and_names_are_refused(void)
{
    char text[SAIBAN_TEXT_CAPACITY] = "as it was";
    int32_t number = -99;
    int64_t value = -99;
    saiban_layout *layout = NULL;
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    size_t count = 77;
    saiban_field fields[] = {{99, 64}};
    static const int32_t UNKNOWN[] = {SAIBAN_ENCODING_CANONICAL, SAIBAN_ENCODING_URN + 1, -1, INT32_MIN, INT32_MAX};
    for (size_t index = 0; index < sizeof UNKNOWN / sizeof *UNKNOWN; index++) {
        FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_encode(1, UNKNOWN[index], SAIBAN_NOT_GIVEN, text, sizeof text, NULL));
        FAILS(SAIBAN_ERROR_UNKNOWN_NAME,
              saiban_decode("1", 1, UNKNOWN[index], SAIBAN_NOT_GIVEN, SAIBAN_STRICT, &value));
    }
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_inspect(1, 99, NULL, 0, NULL, 0, parts, SAIBAN_CANDIDATES_MAX, &count));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_encoding_from_name("base31", 6, &number));
    message_contains("base31", "crockford");
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_scheme_from_name("Snowflake", SAIBAN_NUL_TERMINATED, &number));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_field_from_name("\xff", 1, &number));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_layout_preset("nowhere", SAIBAN_NUL_TERMINATED, &layout));
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_layout_new(fields, 1, 0, 1000, &layout));
    CHECK(strcmp(saiban_encoding_name(99), "") == 0 && strcmp(saiban_scheme_name(99), "") == 0);
    CHECK(strcmp(text, "as it was") == 0 && value == -99 && number == -99 && layout == NULL && count == 77);
}

static void invalid_layouts_are_refused_with_the_reason(void)
{
    saiban_layout *layout = NULL;
    saiban_limits limits;
    enum { TOO_MANY = SAIBAN_FIELDS_MAX + 1 };
    saiban_field fields[TOO_MANY] = {{SAIBAN_FIELD_UNUSED, 1}, {SAIBAN_FIELD_TIMESTAMP, 14}};
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, 2, 0, 1000, &layout));
    message_contains("15", "16");
    fields[1].bits = 41;
    fields[2].kind = SAIBAN_FIELD_NODE;
    fields[2].bits = 10;
    fields[3].kind = SAIBAN_FIELD_SEQUENCE;
    fields[3].bits = 12;
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, 4, 0, 0, &layout));
    message_contains("tick", "1");
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, 0, 0, 1000, &layout));
    for (size_t index = 4; index < TOO_MANY; index++) {
        fields[index].kind = SAIBAN_FIELD_UNUSED;
        fields[index].bits = 1;
    }
    FAILS(SAIBAN_ERROR_INVALID_LAYOUT, saiban_layout_new(fields, TOO_MANY, 0, 1000, &layout));
    message_contains("fields", "16");
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_layout_new(fields, SIZE_MAX / 4, 0, 1000, &layout));
    CHECK(layout == NULL);
    OK(saiban_layout_new(fields, 4, 1288834974657, 1000, &layout));
    OK(saiban_layout_limits(layout, &limits));
    CHECK(limits.name != NULL && strcmp(limits.name, "twitter") == 0 && limits.max_node == 1023);
    saiban_layout_free(layout);
}

static void a_too_small_buffer_is_refused_and_unchanged(void)
{
    char text[] = "untouched";
    size_t len = 77;
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_encode(123456, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, text, 6, &len));
    message_contains("6 bytes", "7");
    CHECK(strcmp(text, "untouched") == 0 && len == 77);
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_encode(1, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, text, 0, &len));
    OK(saiban_encode(123456, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, text, 7, &len));
    CHECK(strcmp(text, "123456") == 0 && len == 6);
    FAILS(SAIBAN_ERROR_WIDTH_OUT_OF_RANGE, saiban_encode(123456, SAIBAN_ENCODING_DECIMAL, 5, text, sizeof text, &len));
    FAILS(SAIBAN_ERROR_WIDTH_OUT_OF_RANGE, saiban_encode(1, SAIBAN_ENCODING_HEX, INT64_MIN, text, sizeof text, &len));
    message_contains("hex", "16");
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_last_error_message(text, 4, &len));
    CHECK(strcmp(text, "123456") == 0);
    message_contains("hex", "16"); /* The failed call keeps the message. */
}

static void ids_out_of_range_are_refused(void)
{
    saiban_generator *generator = snowflake();
    saiban_parts parts;
    char text[SAIBAN_TEXT_CAPACITY] = "as it was";
    parts.id = -99;
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE, saiban_generator_inspect(generator, -1, &parts));
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE,
          saiban_to_text(generator, INT64_MIN, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE, saiban_generator_inspect_text(generator, "-1", 2, &parts));
    FAILS(SAIBAN_ERROR_TEXT_OVERFLOW, saiban_generator_inspect_text(generator, "9223372036854775808", 19, &parts));
    CHECK(parts.id == -99 && strcmp(text, "as it was") == 0);
    saiban_generator_free(generator);
}

static void run(void)
{
    RUN(the_position_of_the_first_bad_character_is_reported);
    RUN(invalid_id_text_is_refused);
    RUN(unknown_constants_and_names_are_refused);
    RUN(invalid_layouts_are_refused_with_the_reason);
    RUN(a_too_small_buffer_is_refused_and_unchanged);
    RUN(ids_out_of_range_are_refused);
    RUN(invalid_rollback_bits_are_refused_with_the_limits);
    RUN(invalid_lists_of_secrets_are_refused);
}

int main(void) { return with_the_clock(run); }
