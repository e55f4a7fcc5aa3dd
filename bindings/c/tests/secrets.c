/*
 * No output of the library contains a secret in any notation, and neither does the memory that it
 * frees. Given several secrets, inspection finds the right one.
 */

#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {0xde, 0xad, 0xbe, 0xef, 0x5a, 0xc3, 0x7e, 0x91,
                                                   0xf3, 0xc8, 0xa7, 0xb2, 0xd1, 0xe6, 0x9c, 0x84};
static const int64_t NOW_MS = 1763700000000;

static saiban_manual_clock *the_clock;

/* All output so far. */
static char shown[1 << 16];
static size_t shown_len;

static void show(const void *bytes, size_t len)
{
    CHECK(shown_len + len <= sizeof shown);
    memcpy(shown + shown_len, bytes, len);
    shown_len += len;
}

/* Checks that the call fails, and records its message. */
#define REFUSED(code, call)                                                                                            \
    do {                                                                                                               \
        char text_[SAIBAN_MESSAGE_CAPACITY];                                                                           \
        size_t len_ = 0;                                                                                               \
        FAILS(code, call);                                                                                             \
        OK(saiban_last_error_message(text_, sizeof text_, &len_));                                                     \
        CHECK(len_ > 0);                                                                                               \
        show(text_, len_);                                                                                             \
    } while (0)

static bool was_shown(const void *bytes, size_t len)
{
    for (size_t at = 0; at + len <= shown_len; at++) {
        if (memcmp(shown + at, bytes, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Formats bytes as text with a separator. */
static void text_of(const char *format, const char *between, size_t len, char *text)
{
    *text = '\0';
    for (size_t index = 0; index < len; index++) {
        text += sprintf(text, "%s", index == 0 ? "" : between);
        text += sprintf(text, format, SECRET[index]);
    }
}

/* Encodes the first bytes as base64, three at a time. */
static void base64_of(size_t len, char *text)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t index = 0; index + 3 <= len; index += 3) {
        unsigned three = (unsigned)SECRET[index] << 16 | (unsigned)SECRET[index + 1] << 8 | SECRET[index + 2];
        for (int shift = 18; shift >= 0; shift -= 6) {
            *text++ = DIGITS[three >> shift & 63];
        }
    }
    *text = '\0';
}

/* The number of leading bytes that would reveal a secret. */
enum { ENOUGH = 6 };

static void check_secret_not_shown(void)
{
    static const char *const FORMATS[][2] = {
        {"%02x", ""}, {"%02X", ""}, {"%02x", " "}, {"%02x", ":"}, {"\\x%02x", ""}, {"0x%02x", ", "},
        {"%d", ", "}, {"%d", ","},  {"%d", " "},   {"\\%o", ""},
    };
    char text[128];
    CHECK(shown_len > 1000);
    CHECK(!was_shown(SECRET, ENOUGH));
    for (size_t index = 0; index < sizeof FORMATS / sizeof *FORMATS; index++) {
        text_of(FORMATS[index][0], FORMATS[index][1], ENOUGH, text);
        CHECK(!was_shown(text, strlen(text)));
    }
    base64_of(ENOUGH, text);
    CHECK(strlen(text) == 8 && !was_shown(text, strlen(text)));
    /* Checks that the search itself works. */
    show(SECRET, sizeof SECRET);
    CHECK(was_shown(SECRET, ENOUGH));
}

static saiban_generator *randflake(const uint8_t *secret)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *generator = NULL;
    options.clock = the_clock;
    options.node = 42;
    options.secret = secret;
    options.secret_len = SAIBAN_SECRET_SIZE;
    OK(saiban_randflake_new(&options, &generator));
    return generator;
}

static void no_output_contains_the_secret(void)
{
    saiban_generator *generator = randflake(SECRET);
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *none = NULL;
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    saiban_stats stats;
    uint8_t read[SAIBAN_SECRET_SIZE];
    char text[SAIBAN_TEXT_CAPACITY], digits[2 * SAIBAN_SECRET_SIZE + 2];
    size_t len, count;
    int64_t id = 0;

    OK(saiban_generate(generator, &id));
    show(&id, sizeof id);
    OK(saiban_generator_inspect(generator, id, parts));
    show(parts, sizeof *parts);
    OK(saiban_generator_stats(generator, &stats, sizeof stats));
    show(&stats, sizeof stats);
    for (int32_t encoding = SAIBAN_ENCODING_CANONICAL; encoding <= SAIBAN_ENCODING_BASE64URL; encoding++) {
        OK(saiban_generate_text(generator, encoding, text, sizeof text, &len));
        show(text, len);
    }
    OK(saiban_inspect(id, SAIBAN_SCHEME_ANY, SECRET, sizeof SECRET, SECRET, sizeof SECRET, parts, SAIBAN_CANDIDATES_MAX,
                      &count));
    CHECK(count > 0);
    show(parts, count * sizeof *parts);

    /* Bad input. */
    text_of("%02x", "", sizeof SECRET, digits);
    digits[31] = 'g';
    REFUSED(SAIBAN_ERROR_INVALID_SECRET, saiban_secret_from_hex(digits, 32, read));
    REFUSED(SAIBAN_ERROR_INVALID_SECRET, saiban_secret_from_hex(digits, 30, read));
    REFUSED(SAIBAN_ERROR_INVALID_SECRET, saiban_secret_from_hex((const char *)SECRET, sizeof SECRET, read));
    REFUSED(SAIBAN_ERROR_UNKNOWN_NAME, saiban_inspect(id, 99, SECRET, sizeof SECRET, NULL, 0, parts, 1, &count));
    REFUSED(SAIBAN_ERROR_INVALID_SECRET, saiban_inspect(id, 0, SECRET, 15, NULL, 0, parts, 1, &count));
    REFUSED(SAIBAN_ERROR_INVALID_SECRET, saiban_inspect(id, 0, SECRET, 16, SECRET, 15, parts, 1, &count));
    REFUSED(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_inspect(id, 0, NULL, 0, SECRET, 16, parts, 1, &count));
    REFUSED(SAIBAN_ERROR_TEXT_CHARACTER,
            saiban_inspect_text("!", 1, 0, SECRET, sizeof SECRET, NULL, 0, parts, 1, &count));
    options.clock = the_clock;
    options.secret = SECRET;
    options.secret_len = sizeof SECRET;
    REFUSED(SAIBAN_ERROR_NODE_REQUIRED, saiban_randflake_new(&options, &none));
    options.node = 131072;
    REFUSED(SAIBAN_ERROR_NODE_OUT_OF_RANGE, saiban_randflake_new(&options, &none));
    REFUSED(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_snowflake_new(&options, &none));
    REFUSED(SAIBAN_ERROR_INVALID_ARGUMENT, saiban_ulid_flake_new(&options, &none));
    options.node = 1;
    options.rollback = 99;
    REFUSED(SAIBAN_ERROR_UNKNOWN_NAME, saiban_randflake_new(&options, &none));
    options.rollback = SAIBAN_ROLLBACK_BITS;
    REFUSED(SAIBAN_ERROR_INVALID_LAYOUT, saiban_randflake_new(&options, &none));
    options.secret_len = sizeof SECRET - 1;
    REFUSED(SAIBAN_ERROR_INVALID_SECRET, saiban_randflake_new(&options, &none));
    REFUSED(SAIBAN_ERROR_SEQUENCE_OUT_OF_RANGE, saiban_randflake_compose(generator, NOW_MS, 0, 131072, &id));
    REFUSED(SAIBAN_ERROR_TEXT_NOT_CANONICAL, saiban_from_text(generator, "00", 2, SAIBAN_STRICT, &id));
    OK(saiban_manual_clock_set(the_clock, 0));
    REFUSED(SAIBAN_ERROR_TIMESTAMP_BEFORE_EPOCH, saiban_generate(generator, &id));
    OK(saiban_manual_clock_set(the_clock, NOW_MS));
    CHECK(none == NULL);
    check_secret_not_shown();
    saiban_generator_free(generator);
}

/*
 * Returns how often the heap contains the beginning of the secret, as bytes or as the first subkey
 * of the cipher, in words of 16 bits.
 */
static int count_on_heap(void)
{
    enum { BEGINNING = 12 };
    static unsigned char page[1 << 12];
    char line[512];
    unsigned char window[BEGINNING] = {0}, words[BEGINNING];
    unsigned long begin = 0, end = 0;
    int found = 0, memory = open("/proc/self/mem", O_RDONLY);
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps != NULL && memory >= 0);
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "[heap]") != NULL) {
            CHECK(sscanf(line, "%lx-%lx", &begin, &end) == 2);
        }
    }
    CHECK(begin < end);
    for (size_t index = 0; index < sizeof words; index++) {
        words[index] = SECRET[index ^ 1];
    }
    for (; begin < end; begin += sizeof page) {
        CHECK(pread(memory, page, sizeof page, (off_t)begin) == (ssize_t)sizeof page);
        for (size_t index = 0; index < sizeof page; index++) {
            memmove(window, window + 1, sizeof window - 1);
            window[sizeof window - 1] = page[index];
            found += memcmp(window, SECRET, sizeof window) == 0 || memcmp(window, words, sizeof window) == 0;
        }
    }
    fclose(maps);
    close(memory);
    return found;
}

static void a_freed_generator_leaves_no_secret_on_the_heap(void)
{
    saiban_generator *generator = randflake(SECRET);
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    size_t count;
    int64_t id;
    OK(saiban_generate(generator, &id));
    OK(saiban_inspect(id, SAIBAN_SCHEME_ANY, SECRET, sizeof SECRET, SECRET, sizeof SECRET, parts, SAIBAN_CANDIDATES_MAX,
                      &count));
    CHECK(count_on_heap() > 0); /* Checks that the search itself works. */
    saiban_generator_free(generator);
    CHECK(count_on_heap() == 0);
}

static void inspection_returns_the_index_of_the_matching_secret(void)
{
    uint8_t secrets[3][SAIBAN_SECRET_SIZE];
    saiban_parts parts[SAIBAN_CANDIDATES_MAX];
    size_t count;
    for (size_t index = 0; index < 3; index++) {
        memset(secrets[index], (int)index + 1, sizeof secrets[index]);
    }
    for (uint64_t index = 0; index < 3; index++) {
        saiban_generator *generator = randflake(secrets[index]);
        char text[SAIBAN_TEXT_CAPACITY];
        int64_t id;
        OK(saiban_randflake_compose(generator, NOW_MS, 42, 7, &id));
        OK(saiban_inspect(id, SAIBAN_SCHEME_RANDFLAKE, secrets[0], SAIBAN_SECRET_SIZE, secrets[1], 2 * SAIBAN_SECRET_SIZE,
                          parts, SAIBAN_CANDIDATES_MAX, &count));
        CHECK(count == 3 && parts[0].has_secret_index && parts[0].secret_index == index);
        CHECK(parts[0].timestamp_ms == NOW_MS && parts[0].node == 42 && parts[0].sequence == 7);
        OK(saiban_to_text(generator, id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL));
        OK(saiban_inspect_text(text, SAIBAN_NUL_TERMINATED, SAIBAN_SCHEME_RANDFLAKE, secrets[0], SAIBAN_SECRET_SIZE,
                               secrets[1], 2 * SAIBAN_SECRET_SIZE, parts, SAIBAN_CANDIDATES_MAX, &count));
        CHECK(parts[0].has_secret_index && parts[0].secret_index == index && parts[0].timestamp_ms == NOW_MS);
        OK(saiban_inspect(id, SAIBAN_SCHEME_RANDFLAKE, secrets[index], SAIBAN_SECRET_SIZE, NULL, 0, parts,
                          SAIBAN_CANDIDATES_MAX, &count));
        CHECK(count == 1 && !parts[0].has_secret_index && parts[0].secret_index == 0 && parts[0].node == 42);
        saiban_generator_free(generator);
    }
}

int main(void)
{
    if (saiban_manual_clock_new(NOW_MS, &the_clock) != SAIBAN_OK) {
        return 1;
    }
    RUN(no_output_contains_the_secret);
    RUN(a_freed_generator_leaves_no_secret_on_the_heap);
    RUN(inspection_returns_the_index_of_the_matching_secret);
    saiban_manual_clock_free(the_clock);
    return close_tests();
}
