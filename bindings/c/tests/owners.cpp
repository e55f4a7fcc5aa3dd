// saiban.hpp: owners, exceptions and containers, as a C++ service uses them.

#include <saiban.hpp>

#include "check.h"

#include <cstdio>
#include <set>
#include <thread>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

static_assert(std::is_base_of_v<std::runtime_error, saiban::Error>);
static_assert(!std::is_copy_constructible_v<saiban::Generator> && !std::is_copy_assignable_v<saiban::Generator>);
static_assert(std::is_nothrow_move_constructible_v<saiban::Generator>);
static_assert(std::is_nothrow_move_assignable_v<saiban::Generator>);
static_assert(!std::is_copy_constructible_v<saiban::Lease> && std::is_nothrow_move_constructible_v<saiban::Lease>);

// Checks that the function throws an Error of this code, with its name and a message.
template <class Function> static void throws(int line, saiban_error code, Function function)
{
    try {
        function();
        wrong(__FILE__, line, "no %s", saiban_error_name(code));
    } catch (const saiban::Error &error) {
        if (error.code() != code || error.name() != std::string(saiban_error_name(code)) || error.what()[0] == '\0') {
            wrong(__FILE__, line, "%s (%s), not %s", error.name(), error.what(), saiban_error_name(code));
        }
    }
}

#define THROWS(code, expression) throws(__LINE__, code, [&] { (void)(expression); })

template <class Id> static bool ascends(const std::vector<Id> &ids)
{
    for (std::size_t at = 1; at < ids.size(); at++) {
        if (!(ids[at - 1] < ids[at])) return false;
    }
    return true;
}

static saiban::Generator snowflake(std::int64_t node)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.node = node;
    return saiban::Generator(saiban_snowflake_new, &options);
}

static void the_header_s_example_runs()
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.node = 7;                                // node 7, which no other machine has
    saiban::Generator ids(saiban_snowflake_new, &options);
    std::int64_t id = ids.generate();
    std::string text = ids.to_text(id);              // for JSON: many readers round above 2^53
    std::int64_t again = ids.from_text(text);
    CHECK(again == id);
}

static void the_readme_s_example_runs()
{
    try {
        saiban_options options = SAIBAN_OPTIONS_INIT;
        options.node = 7;                                // node 7, which no other machine has
        saiban::Generator ids(saiban_snowflake_new, &options);
        std::vector<std::int64_t> batch(100);
        batch.resize(ids.fill(batch));
        std::printf("{\"id\": \"%s\"}\n", ids.to_text(batch.front()).c_str());
        ids.from_text("order 7");
    } catch (const saiban::Error &error) {
        std::fprintf(stderr, "%s: %s\n", error.name(), error.what());  // TEXT_CHARACTER: …
    }
}

static void an_id_above_2_to_53_becomes_text_and_an_id_again()
{
    const auto ids = snowflake(21);
    const std::int64_t id = ids.generate();
    CHECK(id > (std::int64_t{1} << 53));
    CHECK(ids.to_text(id) == std::to_string(id) && ids.from_text(std::to_string(id)) == id);
    CHECK(ids.to_text(id, SAIBAN_ENCODING_CROCKFORD).size() == 13);
    CHECK(ids.inspect(id).node == 21 && ids.inspect(id).scheme == SAIBAN_SCHEME_SNOWFLAKE);
}

static void errors_are_exceptions_with_code_name_and_message()
{
    const auto ids = snowflake(21);
    saiban_options options = SAIBAN_OPTIONS_INIT;
    THROWS(SAIBAN_ERROR_NODE_REQUIRED, saiban::Generator(saiban_snowflake_new, &options));
    THROWS(SAIBAN_ERROR_NODE_OUT_OF_RANGE, snowflake(1024));
    THROWS(SAIBAN_ERROR_TEXT_CHARACTER, ids.from_text("12x"));
    THROWS(SAIBAN_ERROR_TEXT_LENGTH, ids.from_text(""));
    THROWS(SAIBAN_ERROR_ID_OUT_OF_RANGE, ids.to_text(-1));
    THROWS(SAIBAN_ERROR_ID_OUT_OF_RANGE, ids.inspect(-1));
    THROWS(SAIBAN_ERROR_UNKNOWN_NAME, ids.to_text(1, 99));
    THROWS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban::Lease::acquire("nothing:here"));
    try {
        snowflake(1024);
    } catch (const std::runtime_error &error) {
        CHECK(std::string(error.what()).find("1024") != std::string::npos);
    }
}

static void an_owner_that_was_moved_from_throws()
{
    auto ids = snowflake(21);
    auto others = std::move(ids);
    CHECK(others.generate() > 0 && ids.get() == nullptr);
    THROWS(SAIBAN_ERROR_INVALID_ARGUMENT, ids.generate());
    THROWS(SAIBAN_ERROR_INVALID_ARGUMENT, ids.lease());
    ids = std::move(others);
    CHECK(ids.generate() > 0);
    auto lease = saiban::Lease::acquire("memory:owners-moved");
    const auto other_lease = std::move(lease);
    THROWS(SAIBAN_ERROR_INVALID_ARGUMENT, lease.release());
    other_lease.release();
}

static void containers_are_filled()
{
    const auto ids = snowflake(21);
    std::vector<std::int64_t> vector(1000);
    std::array<std::int64_t, 3> array{};
    std::int64_t plain[2] = {0, 0};
    CHECK(ids.fill(vector) == 1000 && ascends(vector) && vector.front() > 0);
    CHECK(ids.fill(array) == 3 && array.front() > vector.back());
    CHECK(ids.fill(std::vector<std::int64_t>()) == 0);
    CHECK(ids.fill(plain) == 2 && plain[0] > array.back() && plain[1] > plain[0]);
#if __cplusplus >= 202002L
    CHECK(ids.fill(std::span(vector).first(500)) == 500 && vector[0] > plain[1] && vector[499] > vector[500]);
#endif
}

static void threads_share_a_generator()
{
    const auto ids = snowflake(21);
    std::vector<std::vector<std::int64_t>> made(8, std::vector<std::int64_t>(1000));
    std::vector<std::thread> threads;
    for (auto &mine : made) {
        threads.emplace_back([&ids, &mine] {
            for (auto &id : mine) id = ids.generate();
        });
    }
    for (auto &thread : threads) thread.join();
    std::set<std::int64_t> different;
    for (const auto &mine : made) different.insert(mine.begin(), mine.end());
    CHECK(different.size() == 8000);
}

static void wide_ids_are_values()
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    const saiban::WideGenerator ids(saiban_uuid_new, 7, &options);
    std::vector<saiban::WideId> made(100);
    CHECK(ids.fill(made) == 100 && ascends(made));
    const saiban::WideId id = ids.generate();
    CHECK(made.back() < id && ids.to_text(id).size() == 36 && ids.from_text(ids.to_text(id)) == id);
    CHECK(ids.inspect(id).scheme == SAIBAN_SCHEME_UUID_V7 && ids.inspect(id).bits == 128);
    CHECK(ids.try_generate().has_value() && !ids.lease().has_value());
    THROWS(SAIBAN_ERROR_TEXT_LENGTH, ids.from_text("0"));
    THROWS(SAIBAN_ERROR_INVALID_ARGUMENT, saiban::Generator(saiban_uuid_new, 7, &options).generate());
}

static void layouts_clocks_and_counters_have_owners()
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    const auto layout = saiban::make<saiban::Layout>(
        saiban_layout_from_text, "unused:1 timestamp:41@ms,epoch=2020-01-01 node:20 sequence:2", SAIBAN_NUL_TERMINATED);
    const auto clock = saiban::make<saiban::ManualClock>(saiban_manual_clock_new, 1700000000000);
    options.layout = layout.get();
    options.clock = clock.get();
    options.node = 1;
    const saiban::Generator ids(saiban_flake_new, &options);
    for (int id = 0; id < 4; id++) CHECK(ids.try_generate().has_value());
    CHECK(!ids.try_generate().has_value());
    THROWS(SAIBAN_ERROR_WOULD_WAIT, ids.generate());
    saiban::check(saiban_manual_clock_advance(clock.get(), 1));
    CHECK(ids.inspect(ids.generate()).timestamp_ms == 1700000000001);

    const auto counter = saiban::make<saiban::Counter>(saiban_counter_new, 7, 2);
    std::int64_t number = 0;
    saiban::check(saiban_counter_generate(counter.get(), &number));
    CHECK(number == 7);
}

static void a_lease_gives_nodes_to_generators()
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    const auto lease = saiban::Lease::acquire("memory:owners");
    std::int64_t first = -1, end = -1;
    saiban::check(saiban_lease_nodes(lease.get(), &first, &end));
    options.lease = lease.get();
    const saiban::Generator ids(saiban_snowflake_new, &options);
    CHECK(ids.inspect(ids.generate()).node == static_cast<std::uint64_t>(first) && end == first + 1);
    lease.release();
    THROWS(SAIBAN_ERROR_LEASE_LOST, ids.generate());

    saiban_options own = SAIBAN_OPTIONS_INIT;
    own.store = "memory:owners-own";
    const saiban::Generator others(saiban_snowflake_new, &own);
    CHECK(others.generate() > 0);
    others.lease().value().release();
    THROWS(SAIBAN_ERROR_LEASE_LOST, others.generate());
    CHECK(!snowflake(21).lease().has_value());
}

int main()
{
    RUN(the_header_s_example_runs);
    RUN(the_readme_s_example_runs);
    RUN(an_id_above_2_to_53_becomes_text_and_an_id_again);
    RUN(errors_are_exceptions_with_code_name_and_message);
    RUN(an_owner_that_was_moved_from_throws);
    RUN(containers_are_filled);
    RUN(threads_share_a_generator);
    RUN(wide_ids_are_values);
    RUN(layouts_clocks_and_counters_have_owners);
    RUN(a_lease_gives_nodes_to_generators);
    return close_tests();
}
