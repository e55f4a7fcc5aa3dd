/* The candidates for an ID of unknown scheme, of any width and in any form, with the reasons. */

#include "check.h"

typedef uint8_t wide[SAIBAN_WIDE_ID_SIZE];

static saiban_candidates *of_text(const char *text, const saiban_inspect_options *options)
{
    saiban_candidates *found = NULL;
    OK(saiban_inspect_text_wide(text, strlen(text), options, &found));
    return found;
}

/* Returns the most likely candidate. */
static saiban_wide_parts first_of(const saiban_candidates *found)
{
    saiban_wide_parts parts;
    memset(&parts, 0, sizeof parts);
    OK(saiban_candidates_parts(found, 0, &parts, sizeof parts));
    return parts;
}

static void the_first_candidate_has_the_right_scheme(void)
{
    static const struct {
        const char *text;
        int32_t scheme;
        const char *layout, *canonical;
    } IDS[] = {
        {"175928847299117063", SAIBAN_SCHEME_SNOWFLAKE, "discord", "175928847299117063"},
        {"00CMXB6TAK4SA", SAIBAN_SCHEME_ULID_FLAKE, NULL, "00CMXB6TAK4SA"},
        {"01arz3ndektsv4rrffq69g5fav", SAIBAN_SCHEME_ULID, NULL, "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
        {"{017F22E2-79B0-7CC3-98C4-DC0C0C07398F}", SAIBAN_SCHEME_UUID_V7, NULL, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"},
        {"1ec9414c-232a-6b00-b3c8-9f6bdeced846", SAIBAN_SCHEME_UUID, "v6", "1ec9414c-232a-6b00-b3c8-9f6bdeced846"},
        {"507f191e810c19729de860ea", SAIBAN_SCHEME_OBJECT_ID, NULL, "507f191e810c19729de860ea"},
        {"d4fuq830ui3e8a215n4g", SAIBAN_SCHEME_XID, NULL, "d4fuq830ui3e8a215n4g"},
        {"0638996712000000000_0042", SAIBAN_SCHEME_TICK_ID, "ascending", "0638996712000000000_0042"},
    };
    for (size_t index = 0; index < sizeof IDS / sizeof *IDS; index++) {
        saiban_candidates *found = of_text(IDS[index].text, NULL);
        saiban_wide_parts parts = first_of(found);
        char text[SAIBAN_TEXT_CAPACITY];
        bool is_plausible = false;
        int64_t layout_index = 77;
        int32_t score;
        CHECK(parts.scheme == IDS[index].scheme);
        CHECK((parts.layout == NULL) == (IDS[index].layout == NULL));
        CHECK(parts.layout == NULL || IDS[index].layout == NULL || strcmp(parts.layout, IDS[index].layout) == 0);
        OK(saiban_candidates_text(found, 0, text, sizeof text, NULL));
        CHECK(strcmp(text, IDS[index].canonical) == 0);
        OK(saiban_candidates_score(found, 0, &score, &is_plausible, &layout_index));
        CHECK(is_plausible && layout_index == -1);
        saiban_candidates_free(found);
    }
}

static void reasons_are_returned_as_prose_and_as_codes(void)
{
    saiban_candidates *found = of_text("01ARZ3NDEKTSV4RRFFQ69G5FAV", NULL);
    char why[SAIBAN_REASONS_CAPACITY], reasons[SAIBAN_REASONS_CAPACITY];
    size_t len = 77;
    memset(why, '#', sizeof why);
    FAILS(SAIBAN_ERROR_BUFFER_TOO_SMALL, saiban_candidates_why(found, 0, why, 10, &len));
    CHECK(why[0] == '#' && len == 77);
    OK(saiban_candidates_why(found, 0, why, sizeof why, &len));
    CHECK(len == strlen(why) && strstr(why, "canonical text; ") != NULL && strstr(why, "years ago") != NULL);
    OK(saiban_candidates_reasons(found, 0, reasons, sizeof reasons, NULL));
    CHECK(strstr(reasons, "canonical_text") != NULL && strstr(reasons, " time_plausible") != NULL);
    saiban_candidates_free(found);
}

static void candidates_are_sorted_by_descending_score(void)
{
    saiban_candidates *found = of_text("1541815603606036480", NULL);
    size_t count = 0;
    int32_t last = INT32_MAX, score;
    OK(saiban_candidates_count(found, &count));
    CHECK(count > 1 && count <= SAIBAN_CANDIDATES_MAX);
    for (size_t index = 0; index < count; index++) {
        OK(saiban_candidates_score(found, index, &score, NULL, NULL));
        CHECK(score <= last);
        last = score;
    }
    score = -99;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_candidates_score(found, count, &score, NULL, NULL));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_candidates_score(found, SIZE_MAX, &score, NULL, NULL));
    CHECK(score == -99);
    saiban_candidates_free(found);
}

static void candidates_follow_the_given_layouts_and_scheme(void)
{
    saiban_inspect_options options = SAIBAN_INSPECT_OPTIONS_INIT;
    saiban_layout *ours = NULL, *other = NULL;
    const saiban_layout *layouts[2];
    saiban_candidates *found;
    int64_t layout_index = 77;
    int32_t score;
    size_t count = 77;
    OK(saiban_layout_from_text("timestamp:42,epoch=2024-01-01 node:10 sequence:12", SAIBAN_NUL_TERMINATED, &ours));
    OK(saiban_layout_from_text("timestamp:48 random:80", SAIBAN_NUL_TERMINATED, &other));
    layouts[0] = other;
    layouts[1] = ours;
    options.layouts = layouts;
    options.layouts_len = 2;
    found = of_text("151819733950271234", &options);
    CHECK(first_of(found).scheme == SAIBAN_SCHEME_FLAKE);
    OK(saiban_candidates_score(found, 0, &score, NULL, &layout_index));
    CHECK(layout_index == 1);
    saiban_candidates_free(found);
    options.scheme = SAIBAN_SCHEME_UUID;
    found = of_text("151819733950271234", &options);
    OK(saiban_candidates_count(found, &count));
    CHECK(count == 0);
    saiban_candidates_free(found);
    found = of_text("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", &options);
    CHECK(first_of(found).scheme == SAIBAN_SCHEME_UUID_V7);
    saiban_candidates_free(found);
    saiban_layout_free(ours);
    saiban_layout_free(other);
}

static void a_given_epoch_replaces_the_formats_epoch(void)
{
    saiban_inspect_options options;
    saiban_candidates *found;
    OK(saiban_inspect_options_init(&options, sizeof options));
    options.epoch_ms = 0;
    found = of_text("1J1SMJD9CE74J", &options);
    CHECK(first_of(found).scheme == SAIBAN_SCHEME_ULID_FLAKE && first_of(found).timestamp_ms == 1719921095980);
    saiban_candidates_free(found);
}

static void the_index_of_the_matching_secret_is_reported(void)
{
    static const uint8_t NEW[SAIBAN_SECRET_SIZE] = {1}, OLD[2 * SAIBAN_SECRET_SIZE] = {[0] = 2, [SAIBAN_SECRET_SIZE] = 3};
    saiban_options made_with = SAIBAN_OPTIONS_INIT;
    saiban_inspect_options options = SAIBAN_INSPECT_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    saiban_candidates *found = NULL;
    saiban_wide_parts parts;
    char text[SAIBAN_TEXT_CAPACITY];
    int64_t id;
    made_with.secret = OLD + SAIBAN_SECRET_SIZE;
    made_with.secret_len = SAIBAN_SECRET_SIZE;
    made_with.node = 5;
    OK(saiban_randflake_new(&made_with, &generator));
    OK(saiban_randflake_compose(generator, 1763700000000, 5, 1, &id));
    OK(saiban_to_text(generator, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
    options.old_secrets = OLD;
    options.old_secrets_len = sizeof OLD;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_text_wide(text, strlen(text), &options, &found));
    options.secret = NEW;
    options.secret_len = sizeof NEW;
    options.scheme = SAIBAN_SCHEME_RANDFLAKE;
    found = of_text(text, &options);
    parts = first_of(found);
    CHECK(parts.has_secret_index && parts.secret_index == 2 && parts.node == 5 && parts.timestamp_ms == 1763700000000);
    saiban_candidates_free(found);
    saiban_generator_free(generator);
}

static void invalid_and_too_small_bit_widths_are_refused(void)
{
    static const wide V7 = {0x01, 0x7f, 0x22, 0xe2, 0x79, 0xb0, 0x7c, 0xc3, 0x98, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f};
    static const uint32_t WIDTHS[] = {0, 15, 129, UINT32_MAX};
    saiban_candidates *found = NULL;
    OK(saiban_inspect_wide(V7, 128, NULL, &found));
    CHECK(first_of(found).scheme == SAIBAN_SCHEME_UUID_V7);
    saiban_candidates_free(found);
    found = NULL;
    FAILS(SAIBAN_ERROR_ID_OUT_OF_RANGE, saiban_inspect_wide(V7, 96, NULL, &found));
    for (size_t index = 0; index < sizeof WIDTHS / sizeof *WIDTHS; index++) {
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_wide(V7, WIDTHS[index], NULL, &found));
    }
    CHECK(found == NULL);
}

static void invalid_text_and_inspect_options_are_refused(void)
{
    saiban_inspect_options options = SAIBAN_INSPECT_OPTIONS_INIT;
    saiban_candidates *found = NULL;
    const saiban_layout *layouts[] = {NULL};
    static const size_t SIZES[] = {0, 8, sizeof options - 8, sizeof options + 8};
    FAILS(SAIBAN_ERROR_TEXT_CHARACTER, saiban_inspect_text_wide("no ID at all", 12, NULL, &found));
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_text_wide(NULL, 0, NULL, &found));
    options.layouts = layouts;
    options.layouts_len = 1;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_text_wide("1", 1, &options, &found));
    options.layouts_len = SIZE_MAX;
    FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_text_wide("1", 1, &options, &found));
    options.layouts = NULL;
    options.scheme = INT64_C(1) << 32;
    FAILS(SAIBAN_ERROR_UNKNOWN_NAME, saiban_inspect_text_wide("1", 1, &options, &found));
    options.scheme = SAIBAN_SCHEME_ANY;
    for (size_t index = 0; index < sizeof SIZES / sizeof *SIZES; index++) {
        options.size = SIZES[index];
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_text_wide("1", 1, &options, &found));
        FAILS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect_options_init(&options, SIZES[index]));
    }
    CHECK(found == NULL);
    saiban_candidates_free(NULL);
}

static void inspect_text_returns_only_64_bit_schemes(void)
{
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    size_t count = 77;
    OK(saiban_inspect_text("01ARZ3NDEKTSV4RRFFQ69G5FAV", 26, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, parts,
                           SAIBAN_CANDIDATES_MAX, &count));
    for (size_t index = 0; index < count; index++) {
        CHECK(parts[index].scheme <= SAIBAN_SCHEME_FLAKE && parts[index].scheme != SAIBAN_SCHEME_ANY);
    }
    OK(saiban_inspect_text("175928847299117063", 18, SAIBAN_SCHEME_ANY, NULL, 0, NULL, 0, parts, SAIBAN_CANDIDATES_MAX,
                           &count));
    CHECK(count > 1 && strcmp(parts[0].layout, "discord") == 0);
}

int main(void)
{
    RUN(the_first_candidate_has_the_right_scheme);
    RUN(reasons_are_returned_as_prose_and_as_codes);
    RUN(candidates_are_sorted_by_descending_score);
    RUN(candidates_follow_the_given_layouts_and_scheme);
    RUN(a_given_epoch_replaces_the_formats_epoch);
    RUN(the_index_of_the_matching_secret_is_reported);
    RUN(invalid_and_too_small_bit_widths_are_refused);
    RUN(invalid_text_and_inspect_options_are_refused);
    RUN(inspect_text_returns_only_64_bit_schemes);
    return close_tests();
}
