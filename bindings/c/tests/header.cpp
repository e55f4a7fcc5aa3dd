// The header is C++17 too, and its macros and constants work there.

#include "check.h"

#include <string>
#include <vector>

static void snowflake_ids_are_generated_from_cpp()
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = nullptr;
    std::vector<std::int64_t> ids(1000);
    std::string text(SAIBAN_TEXT_CAPACITY, '\0');
    std::size_t written = 0, len = 0;
    options.node = 9;
    OK(saiban_snowflake_new(&options, &generator));
    OK(saiban_fill(generator, ids.data(), ids.size(), &written));
    CHECK(written == ids.size() && ids.front() < ids.back());
    OK(saiban_to_text(generator, ids[0], SAIBAN_ENCODING_CROCKFORD, &text[0], text.size(), &len));
    CHECK(len == 13);
    saiban_generator_free(generator);
}

static void wide_ids_are_generated_and_inspected_from_cpp()
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_inspect_options inspect_options = SAIBAN_INSPECT_OPTIONS_INIT;
    saiban_generator *generator = nullptr;
    saiban_candidates *found = nullptr;
    saiban_wide_parts parts;
    std::vector<std::uint8_t> ids(100 * SAIBAN_WIDE_ID_SIZE);
    std::size_t written = 0;
    OK(saiban_uuid_new(7, &options, &generator));
    OK(saiban_fill_wide(generator, ids.data(), 100, &written));
    CHECK(written == 100);
    OK(saiban_inspect_wide(ids.data(), 128, &inspect_options, &found));
    OK(saiban_candidates_parts(found, 0, &parts, sizeof parts));
    CHECK(parts.scheme == SAIBAN_SCHEME_UUID_V7);
    saiban_candidates_free(found);
    saiban_generator_free(generator);
}

int main()
{
    RUN(snowflake_ids_are_generated_from_cpp);
    RUN(wide_ids_are_generated_and_inspected_from_cpp);
    return close_tests();
}
