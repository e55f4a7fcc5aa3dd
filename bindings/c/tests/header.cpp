// The header is C++17 too, and its macros and constants work there.

#include "check.h"

#include <string>
#include <vector>

static void an_id_is_made_from_cpp()
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

int main()
{
    RUN(an_id_is_made_from_cpp);
    return close_tests();
}
