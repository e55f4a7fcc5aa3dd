/* saiban for C++17: RAII classes for the objects of saiban.h, and exceptions for its error codes.
 *
 *     saiban_options options = SAIBAN_OPTIONS_INIT;
 *     options.node = 7;                                // node 7, which no other machine has
 *     saiban::Generator ids(saiban_snowflake_new, &options);
 *     std::int64_t id = ids.generate();
 *     std::string text = ids.to_text(id);              // for JSON: many readers round above 2^53
 *     std::int64_t again = ids.from_text(text);
 *
 * Options, constants and rules are those of saiban.h. Functions throw saiban::Error, for the errors
 * that saiban.h lists. Each class owns an object and frees it. It can be moved, not copied; after a
 * move, functions of the source throw INVALID_ARGUMENT. Threads may share an instance, until one of
 * them moves or destroys it. For what is not here, pass get() to a function of saiban.h:
 * saiban::check(saiban_generator_stats(ids.get(), &stats, sizeof stats)).
 */
#ifndef SAIBAN_HPP
#define SAIBAN_HPP

#include "saiban.h"

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace saiban {

/// The last error of this thread; what() is its message.
class Error : public std::runtime_error {
public:
    explicit Error(saiban_error code) : std::runtime_error(message()), code_(code) {}
    saiban_error code() const noexcept { return code_; }                    ///< One of SAIBAN_ERROR_….
    const char *name() const noexcept { return saiban_error_name(code_); }  ///< "CLOCK_BACKWARD".

private:
    static std::string message() {
        char text[SAIBAN_MESSAGE_CAPACITY] = "";
        (void)saiban_last_error_message(text, sizeof text, nullptr);
        return text;
    }
    saiban_error code_;
};

/// Throws an Error unless the code that a function of saiban.h returned is SAIBAN_OK.
inline void check(saiban_error code) { if (code != SAIBAN_OK) throw Error(code); }

template <class T, auto Free> struct Deleter { void operator()(T *object) const noexcept { Free(object); } };
template <class T, auto Free> using Owner = std::unique_ptr<T, Deleter<T, Free>>;
using Layout = Owner<saiban_layout, saiban_layout_free>;
using Counter = Owner<saiban_counter, saiban_counter_free>;
using Daily = Owner<saiban_daily, saiban_daily_free>;
using Candidates = Owner<saiban_candidates, saiban_candidates_free>;
using ManualClock = Owner<saiban_manual_clock, saiban_manual_clock_free>;
using LeaseOwner = Owner<saiban_lease, saiban_lease_free>;

/// Calls a function of saiban.h that makes an object, with its arguments except for the last:
/// make<Layout>(saiban_layout_preset, "discord", SAIBAN_NUL_TERMINATED).
template <class Owned, class Make, class... Arguments> Owned make(Make function, const Arguments &...arguments) {
    typename Owned::pointer object = nullptr;
    check(function(arguments..., &object));
    return Owned(object);
}

/// A lease of nodes, which is released in the background when it and its generators are destroyed.
class Lease {
    LeaseOwner owner_;

public:
    explicit Lease(LeaseOwner owner) : owner_(std::move(owner)) {}
    static Lease acquire(std::string_view url, const saiban_lease_options *options = nullptr) {
        return Lease(make<LeaseOwner>(saiban_lease_acquire, url.data(), url.size(), options));
    }
    /// Ends the generators and waits for the store. Call it before the program exits.
    void release() const { check(saiban_lease_release(get())); }
    saiban_lease *get() const noexcept { return owner_.get(); }
};

/// An ID of any width, highest byte first. The operators == and < compare IDs.
using WideId = std::array<std::uint8_t, SAIBAN_WIDE_ID_SIZE>;

/// A generator: see Generator and WideGenerator below.
template <class Id> class BasicGenerator {
    static constexpr bool is_wide = std::is_same_v<Id, WideId>;
    template <class Narrow, class Wide> static auto pick(Narrow narrow, Wide wide) {
        return std::get<is_wide>(std::pair(narrow, wide));
    }
    static auto in(const Id &id) { if constexpr (is_wide) return id.data(); else return id; }
    static auto out(Id &id) { if constexpr (is_wide) return id.data(); else return &id; }
    template <class Write, class... Arguments> static std::string text(Write write, Arguments... arguments) {
        char buffer[SAIBAN_TEXT_CAPACITY];
        std::size_t len = 0;
        check(write(arguments..., buffer, sizeof buffer, &len));
        return std::string(buffer, len);
    }
    Owner<saiban_generator, saiban_generator_free> owner_;

public:
    /// Calls a function of saiban.h that makes a generator, with its arguments except for the last.
    template <class Make, class... Arguments> explicit BasicGenerator(Make function, const Arguments &...arguments)
        : owner_(make<decltype(owner_)>(function, arguments...)) {}
    Id generate() const {  ///< Waits for at most max_wait_ms.
        Id id{};
        check(pick(saiban_generate, saiban_generate_wide)(get(), out(id)));
        return id;
    }
    std::optional<Id> try_generate() const {  ///< Returns no ID if a wait is needed.
        Id id{};
        bool ready = false;
        check(pick(saiban_try_generate, saiban_try_generate_wide)(get(), &ready, out(id), nullptr));
        return ready ? std::optional<Id>(id) : std::nullopt;
    }
    /// Fills a std::vector, std::array or std::span. Returns how many IDs were available.
    template <class Container> std::size_t fill(Container &&ids) const {
        Id *first = std::data(ids);
        std::size_t written = 0;
        if (std::size(ids) == 0) return 0;  // The pointer may be null.
        auto to = reinterpret_cast<decltype(out(*first))>(first);
        check(pick(saiban_fill, saiban_fill_wide)(get(), to, std::size(ids), &written));
        return written;
    }
    std::string to_text(const Id &id, std::int32_t encoding = SAIBAN_ENCODING_CANONICAL) const {
        return text(pick(saiban_to_text, saiban_to_text_wide), get(), in(id), encoding);
    }
    Id from_text(std::string_view text, std::int32_t leniency = SAIBAN_STRICT) const {
        Id id{};
        check(pick(saiban_from_text, saiban_from_text_wide)(get(), text.data(), text.size(), leniency, out(id)));
        return id;
    }
    auto inspect(const Id &id) const {  ///< Returns saiban_parts or saiban_wide_parts.
        std::conditional_t<is_wide, saiban_wide_parts, saiban_parts> parts;
        if constexpr (is_wide) check(saiban_generator_inspect_wide(get(), id.data(), &parts, sizeof parts));
        else check(saiban_generator_inspect(get(), id, &parts));
        return parts;
    }
    std::optional<Lease> lease() const {  ///< The lease of options.lease or options.store.
        auto owner = make<LeaseOwner>(saiban_generator_lease, get());
        return owner ? std::optional<Lease>(std::move(owner)) : std::nullopt;
    }
    saiban_generator *get() const noexcept { return owner_.get(); }
};
using Generator = BasicGenerator<std::int64_t>;  ///< IDs of up to 64 bits: (saiban_snowflake_new, &options).
using WideGenerator = BasicGenerator<WideId>;    ///< IDs of any width: (saiban_uuid_new, 7, &options).

}  // namespace saiban

#endif
