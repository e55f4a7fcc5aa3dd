/* saiban's C functions, called in any order and with any arguments that the header allows: pointers are valid or NULL, and all
 * else is whatever the fuzzer's bytes say. After each call the header's conventions are looked at. */

#define _DEFAULT_SOURCE
#include "calls.h"

#include "saiban.h"

enum { HANDLES = 3, MOST_CALLS = 64, MOST_IDS = 300 };

/* What the calls work on: NULL where nothing was made yet, or it was given back. */
typedef struct {
    bytes in;
    saiban_manual_clock *clock[HANDLES];
    saiban_layout *layout[HANDLES];
    saiban_generator *generator[HANDLES];
    /* Of this call: whether a pointer is NULL that may not be, and a length longer than any memory. */
    bool null, endless;
    /* Where results go. */
    struct {
        void *start;
        size_t size;
    } results[PLACES];
    int result_count;
} world;

static void *result(world *w, void *start, size_t size) {
    w->results[w->result_count].start = start;
    w->results[w->result_count++].size = size;
    return start;
}

/* A place for a result. */
static void *out(world *w, size_t size) {
    if (!rarely(&w->in)) return result(w, place(size), size);
    w->null = true;
    return NULL;
}

/* A place for a result that may be left out. */
static void *maybe_out(world *w, size_t size) {
    return take(&w->in, 1) % 4 == 1 ? NULL : result(w, place(size), size);
}

/* One of the handles there are. */
#define HANDLE(w, kind) handle((w), (void **)(w)->kind)

static void *handle(world *w, void **handles) {
    void *chosen = handles[take(&w->in, 1) % HANDLES];
    if (chosen == NULL) w->null = true;
    return chosen;
}

/* A number: anything, or such as mean something. */
static int64_t number(bytes *in) {
    switch (take(in, 1) % 8) {
        case 1: return SAIBAN_NOT_GIVEN;
        case 2: return INT64_C(1704067200000) + (int16_t)take(in, 2);
        case 3: return INT64_C(1704067200) + (int16_t)take(in, 2);
        case 4: return (int64_t)take(in, 8);
        case 5: return INT64_MAX - (int64_t)take(in, 1);
        case 6: return INT64_MIN + (int64_t)take(in, 1);
        default: return (int8_t)take(in, 1);
    }
}

/* An option: mostly not given. */
static int64_t option(bytes *in) { return take(in, 1) % 2 == 0 ? SAIBAN_NOT_GIVEN : number(in); }

static int32_t enumerated(bytes *in) { return rarely(in) ? (int32_t)take(in, 4) : (int32_t)(take(in, 1) % 15); }

/* The length of an array, now and then one that none can have. */
static size_t length(world *w, size_t right) {
    if (!rarely(&w->in)) return right;
    w->endless = true;
    return (size_t)PTRDIFF_MAX + 1 + (size_t)take(&w->in, 7);
}

/* Text: some of the fuzzer's bytes, or what one of the functions knows. */
static const char *text(world *w, size_t *len) {
    static const char *const known[] = {
        "twitter", "sonyflake_v2", "crockford", "base32hex", "ulid-flake", "timestamp", "00CMXB6TAK4SA", "3vgoe12ccb8gh",
        "-9223372036854775808", "1741610183685074944", "dffd6021bb2bd5b0af676290809ec3a5",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "507f191e810c19729de860ea",
        "0638996712000000000_0042", "timestamp:48 node.a:4 node.b:12 sequence:16", "timestamp:48 random:80",
        "timestamp:42 random:60,step=9", "timestamp:32@s node:4 sequence:8,start=random constant:4,value=3",
        "{\"fields\":[{\"kind\":\"timestamp\",\"bits\":64}]}", "{\"fields\":[{\"kind\":\"timestamp\",\"bits\":44}]}",
    };
    uint8_t kind = (uint8_t)take(&w->in, 1);
    size_t size = take(&w->in, 1) % 64;
    const void *from;
    if (rarely(&w->in)) {
        w->null = true;
        *len = size;
        return NULL;
    }
    if (kind % 2 == 1) {
        from = known[size % (sizeof known / sizeof *known)];
        size = strlen(from);
    } else {
        from = w->in.at;
        if (size > w->in.left) size = w->in.left;
        w->in.at += size;
        w->in.left -= size;
    }
    bool terminated = kind >= 128;
    char *copy = place(size + terminated);
    if (size > 0) memcpy(copy, from, size);
    if (terminated) copy[size] = '\0';
    *len = terminated ? SAIBAN_NUL_TERMINATED : length(w, size);
    /* That number has a meaning of its own. */
    if (!terminated && *len == SAIBAN_NUL_TERMINATED) *len -= 1;
    return copy;
}

/* Whether a call succeeded; what it promises in either case. */
static bool succeeded(world *w, saiban_error error) {
    PROMISE(error >= SAIBAN_OK && error <= SAIBAN_ERROR_LAST);
    PROMISE(error != SAIBAN_ERROR_INTERNAL && error != SAIBAN_ERROR_WRONG_TYPE);
    PROMISE(!w->null || error == SAIBAN_ERROR_INVALID_ARGUMENT);
    if (error == SAIBAN_OK) {
        PROMISE(!w->endless);
        return true;
    }
    for (int index = 0; index < w->result_count; index++) {
        PROMISE(untouched(w->results[index].start, w->results[index].size));
    }
    PROMISE(saiban_error_name(error)[0] != '\0' && saiban_error_meaning(error)[0] != '\0');
    memory.used = 0;
    char *message = place(SAIBAN_MESSAGE_CAPACITY);
    size_t len = 0;
    PROMISE(saiban_last_error_message(message, SAIBAN_MESSAGE_CAPACITY, &len) == SAIBAN_OK);
    PROMISE(len > 0 && message[len] == '\0' && strlen(message) == len);
    int64_t position = saiban_last_error_position();
    PROMISE(position == -1 || error == SAIBAN_ERROR_TEXT_CHARACTER || error == SAIBAN_ERROR_TEXT_NOT_CANONICAL ||
            error == SAIBAN_ERROR_INVALID_LAYOUT);
    PROMISE(position >= -1 && position < 128);
    return false;
}

static void clocks(world *w, unsigned function) {
    saiban_manual_clock *clock = HANDLE(w, clock);
    switch (function) {
        case 0: {
            unsigned index = take(&w->in, 1) % HANDLES;
            int64_t timestamp_ms = number(&w->in);
            w->null = false;
            saiban_manual_clock **made = out(w, sizeof *made);
            if (succeeded(w, saiban_manual_clock_new(timestamp_ms, made))) {
                saiban_manual_clock_free(w->clock[index]);
                w->clock[index] = *made;
            }
            break;
        }
        case 1: {
            int64_t timestamp_ms = number(&w->in);
            if (succeeded(w, saiban_manual_clock_set(clock, timestamp_ms))) {
                int64_t now_ms;
                PROMISE(saiban_manual_clock_now_ms(clock, &now_ms) == SAIBAN_OK && now_ms == timestamp_ms);
            }
            break;
        }
        case 2: succeeded(w, saiban_manual_clock_advance(clock, number(&w->in))); break;
        default: succeeded(w, saiban_manual_clock_now_ms(clock, out(w, sizeof(int64_t)))); break;
    }
}

static void layouts(world *w, unsigned function) {
    unsigned index = take(&w->in, 1) % HANDLES;
    saiban_layout **made = NULL;
    saiban_error error;
    switch (function) {
        case 0: {
            size_t len;
            const char *name = text(w, &len);
            made = out(w, sizeof(saiban_layout *));
            error = saiban_layout_preset(name, len, made);
            break;
        }
        case 1: {
            size_t count = take(&w->in, 1) % 10;
            saiban_field *fields = place(count * sizeof *fields);
            uint32_t left = 64;
            for (size_t field = 0; field < count; field++) {
                fields[field].kind = enumerated(&w->in);
                fields[field].bits = rarely(&w->in) ? (uint32_t)take(&w->in, 4) : (uint32_t)take(&w->in, 1) % 65;
                if (field + 1 == count && take(&w->in, 1) % 4 != 1) fields[field].bits = left;
                left -= fields[field].bits;
            }
            if (rarely(&w->in)) {
                fields = NULL;
                w->null = true;
            }
            int64_t epoch_ms = number(&w->in);
            uint64_t tick_us = take(&w->in, 1) % 2 == 0 ? 1000 : (uint64_t)number(&w->in);
            count = length(w, count);
            made = out(w, sizeof(saiban_layout *));
            error = saiban_layout_new(fields, count, epoch_ms, tick_us, made);
            break;
        }
        case 2: {
            saiban_layout *layout = HANDLE(w, layout);
            uint32_t bits = rarely(&w->in) ? (uint32_t)take(&w->in, 4) : (uint32_t)take(&w->in, 1) % 6;
            made = out(w, sizeof(saiban_layout *));
            error = saiban_layout_with_rollback_bits(layout, bits, made);
            break;
        }
        default: {
            saiban_layout *layout = HANDLE(w, layout);
            saiban_limits *limits = out(w, sizeof *limits);
            if (succeeded(w, saiban_layout_limits(layout, limits))) {
                PROMISE(limits->last_ms >= limits->epoch_ms && limits->tick_us > 0 && limits->max_rollback < 16);
                PROMISE(limits->name == NULL || strlen(limits->name) > 0);
            }
            return;
        }
    }
    if (succeeded(w, error)) {
        saiban_layout_free(w->layout[index]);
        w->layout[index] = *made;
    }
}

/* A path to what cannot be: /dev/null is no folder. */
static const char *nowhere(world *w) {
    static const char folder[] = "/dev/null/";
    size_t more = take(&w->in, 1) % 64;
    char *path = place(sizeof folder + more);
    memcpy(path, folder, sizeof folder);
    for (size_t index = 0; index < more; index++) path[sizeof folder - 1 + index] = (char)take(&w->in, 1);
    path[sizeof folder - 1 + more] = '\0';
    return path;
}

/* Any options; on the system's clock only such as wait for nothing, and of which there are few, for they are kept. */
static const saiban_options *options(world *w) {
    saiban_options given = SAIBAN_OPTIONS_INIT;
    bytes *in = &w->in;
    if (rarely(in)) {
        w->null = true;
        return NULL;
    }
    given.clock = w->clock[take(in, 1) % HANDLES];
    if (take(in, 1) % 2 == 1) given.layout = w->layout[take(in, 1) % HANDLES];
    if (take(in, 1) % 2 == 1) {
        given.secret_len = rarely(in) ? take(in, 1) : SAIBAN_SECRET_SIZE;
        uint8_t *secret = place(given.secret_len);
        for (size_t index = 0; index < given.secret_len; index++) secret[index] = (uint8_t)take(in, 1);
        given.secret = secret;
        given.secret_len = length(w, given.secret_len);
    }
    if (take(in, 1) % 4 != 1) {
        given.node = number(in);
    } else {
        given.node = option(in);
        given.nodes_first = option(in);
        given.nodes_end = option(in);
    }
    given.window_start = option(in);
    given.window_end = option(in);
    given.max_wait_ms = option(in);
    given.scalability = option(in);
    given.entropy_size = option(in);
    given.epoch_ms = option(in);
    given.allow_collisions = option(in);
    given.not_before = option(in);
    given.rollback = option(in);
    given.shards = option(in);
    given.max_jump_s = option(in);
    if (rarely(in)) given.state = nowhere(w);
    if (given.clock == NULL) {
        given.layout = NULL;
        given.node = given.node == SAIBAN_NOT_GIVEN ? SAIBAN_NOT_GIVEN : given.node & 3;
        given.nodes_first = given.nodes_end = given.window_start = given.window_end = SAIBAN_NOT_GIVEN;
        given.epoch_ms = SAIBAN_NOT_GIVEN;
        given.max_wait_ms = 0;
        /* Otherwise the first ID would have to be waited for. */
        given.not_before = 0;
    }
    /* An endless secret is refused only where a secret is looked at. */
    w->endless = false;
    size_t size = sizeof given;
    if (rarely(in)) {
        given.size = sizeof(size_t) * (take(in, 1) % (sizeof given / sizeof(size_t) + 3));
        if (given.size < size) size = given.size < sizeof(size_t) ? sizeof(size_t) : given.size;
    }
    return memcpy(place(size), &given, size);
}

static void generators(world *w, unsigned function) {
    unsigned index = take(&w->in, 1) % HANDLES;
    const saiban_options *chosen = options(w);
    saiban_generator **made = out(w, sizeof *made);
    saiban_error error;
    switch (function) {
        case 0: error = saiban_snowflake_new(chosen, made); break;
        case 1: error = saiban_randflake_new(chosen, made); break;
        default: error = saiban_ulid_flake_new(chosen, made); break;
    }
    if (succeeded(w, error)) {
        saiban_generator_free(w->generator[index]);
        w->generator[index] = *made;
    }
}

/* An ID that was made is taken apart, written and read again. */
static void is_id(const saiban_generator *ids, int64_t id) {
    saiban_parts parts;
    char written[SAIBAN_TEXT_CAPACITY];
    size_t len;
    int64_t read = 0;
    PROMISE(saiban_generator_inspect(ids, id, &parts) == SAIBAN_OK && parts.id == id);
    PROMISE(saiban_to_text(ids, id, SAIBAN_ENCODING_CANONICAL, written, sizeof written, &len) == SAIBAN_OK);
    PROMISE(written[len] == '\0' && saiban_from_text(ids, written, len, SAIBAN_STRICT, &read) == SAIBAN_OK && read == id);
    PROMISE(saiban_generator_inspect_text(ids, written, SAIBAN_NUL_TERMINATED, &parts) == SAIBAN_OK && parts.id == id);
}

static void ids(world *w, unsigned function) {
    saiban_generator *generator = HANDLE(w, generator);
    switch (function) {
        case 0: {
            int64_t *id = out(w, sizeof *id);
            if (succeeded(w, saiban_generate(generator, id))) is_id(generator, *id);
            break;
        }
        case 1: {
            bool *ready = out(w, sizeof *ready);
            int64_t *id = out(w, sizeof *id);
            uint64_t *wait_ns = maybe_out(w, sizeof *wait_ns);
            if (succeeded(w, saiban_try_generate(generator, ready, id, wait_ns))) {
                if (*ready) is_id(generator, *id);
                if (*ready) PROMISE(wait_ns == NULL || *wait_ns == 0);
                if (!*ready) PROMISE(untouched(id, sizeof *id));
            }
            break;
        }
        case 2: {
            size_t count = take(&w->in, 2) % MOST_IDS;
            int64_t *made = rarely(&w->in) ? NULL : place(count * sizeof *made);
            if (made == NULL) w->null = true;
            size_t given = length(w, count), *written = out(w, sizeof *written);
            if (succeeded(w, saiban_fill(generator, made, given, written))) {
                PROMISE(*written <= count && (*written > 0 || count == 0));
                PROMISE(untouched(made + *written, (count - *written) * sizeof *made));
                for (size_t index = 0; index < *written; index++) is_id(generator, made[index]);
            }
            break;
        }
        case 3:
        case 4: {
            int64_t id = number(&w->in);
            int32_t encoding = enumerated(&w->in);
            size_t size = take(&w->in, 1) % (SAIBAN_TEXT_CAPACITY + 1);
            char *buffer = out(w, size);
            size_t capacity = length(w, size), *len = maybe_out(w, sizeof *len);
            saiban_error error = function == 3 ? saiban_generate_text(generator, encoding, buffer, capacity, len)
                                               : saiban_to_text(generator, id, encoding, buffer, capacity, len);
            if (succeeded(w, error)) {
                size_t written = strlen(buffer);
                PROMISE(written < size && (len == NULL || *len == written));
                PROMISE(untouched(buffer + written + 1, size - written - 1));
            }
            PROMISE(error != SAIBAN_ERROR_BUFFER_TOO_SMALL || size < SAIBAN_TEXT_CAPACITY);
            break;
        }
        case 5: {
            size_t len;
            const char *given = text(w, &len);
            int32_t leniency = enumerated(&w->in);
            int64_t *id = out(w, sizeof *id);
            if (succeeded(w, saiban_from_text(generator, given, len, leniency, id))) is_id(generator, *id);
            break;
        }
        case 6: {
            size_t len;
            const char *given = text(w, &len);
            saiban_parts *parts = out(w, sizeof *parts);
            if (succeeded(w, saiban_generator_inspect_text(generator, given, len, parts))) is_id(generator, parts->id);
            break;
        }
        case 7: {
            int64_t id = number(&w->in);
            saiban_parts *parts = out(w, sizeof *parts);
            if (succeeded(w, saiban_generator_inspect(generator, id, parts))) is_id(generator, id);
            break;
        }
        case 8: succeeded(w, saiban_generator_scheme(generator, out(w, sizeof(int32_t)))); break;
        case 9: {
            size_t size = rarely(&w->in) ? take(&w->in, 1) % 64 : sizeof(saiban_stats);
            saiban_stats *stats = out(w, size);
            if (succeeded(w, saiban_generator_stats(generator, stats, size))) {
                PROMISE(size == sizeof *stats && saiban_guarantee_name(stats->guarantee)[0] != '\0');
            }
            break;
        }
        default: {
            int64_t timestamp_ms = number(&w->in), first = number(&w->in), second = number(&w->in), third = number(&w->in);
            int64_t *id = out(w, sizeof *id);
            saiban_error error;
            if (function == 10) {
                error = saiban_snowflake_compose(generator, timestamp_ms, first, second, id);
            } else if (function == 11) {
                error = saiban_snowflake_compose_rollback(generator, timestamp_ms, first, second, third, id);
            } else if (function == 12 && third % 2 != 0) {
                error = saiban_snowflake_compose_ns(generator, timestamp_ms, third, first, second, 0, id);
            } else if (function == 12) {
                error = saiban_randflake_compose(generator, timestamp_ms, first, second, id);
            } else {
                error = saiban_ulid_flake_compose(generator, timestamp_ms, first, second, id);
            }
            if (succeeded(w, error)) is_id(generator, *id);
            break;
        }
    }
}

#include "wide_calls.h"

static void encodings(world *w, unsigned function) {
    int32_t encoding = enumerated(&w->in);
    int64_t width = option(&w->in);
    if (function == 0) {
        int64_t value = number(&w->in);
        size_t size = take(&w->in, 1) % (SAIBAN_TEXT_CAPACITY + 1);
        char *buffer = out(w, size);
        size_t capacity = length(w, size), *len = maybe_out(w, sizeof *len);
        if (succeeded(w, saiban_encode(value, encoding, width, buffer, capacity, len))) {
            int64_t read = 0;
            PROMISE(strlen(buffer) < size && (len == NULL || *len == strlen(buffer)));
            PROMISE(saiban_decode(buffer, strlen(buffer), encoding, width, SAIBAN_STRICT, &read) == SAIBAN_OK);
            PROMISE(read == value);
        }
    } else {
        size_t len;
        const char *given = text(w, &len);
        int32_t leniency = enumerated(&w->in);
        int64_t *value = out(w, sizeof *value);
        if (succeeded(w, saiban_decode(given, len, encoding, width, leniency, value)) && leniency == SAIBAN_STRICT) {
            char written[SAIBAN_TEXT_CAPACITY];
            size_t size = len == SAIBAN_NUL_TERMINATED ? strlen(given) : len, again;
            PROMISE(saiban_encode(*value, encoding, width, written, sizeof written, &again) == SAIBAN_OK);
            PROMISE(again == size && memcmp(written, given, size) == 0);
        }
    }
}

static void inspection(world *w, bool of_text) {
    const uint8_t *secret = NULL, *old = NULL;
    size_t old_len = take(&w->in, 1) % (10 * SAIBAN_SECRET_SIZE);
    if (old_len % 2 == 1) old = place(old_len = rarely(&w->in) ? old_len : old_len / SAIBAN_SECRET_SIZE * SAIBAN_SECRET_SIZE);
    size_t secret_len = take(&w->in, 1), text_len = 0, capacity = take(&w->in, 1) % (SAIBAN_CANDIDATES_MAX + 1);
    if (secret_len % 2 == 1) {
        secret_len = rarely(&w->in) ? secret_len : SAIBAN_SECRET_SIZE;
        secret = place(secret_len);
    }
    int32_t scheme = enumerated(&w->in);
    int64_t id = number(&w->in);
    const char *given = of_text ? text(w, &text_len) : NULL;
    saiban_parts *parts = out(w, capacity * sizeof *parts);
    size_t *count = out(w, sizeof *count), room = length(w, capacity);
    saiban_error error =
        of_text ? saiban_inspect_text(given, text_len, scheme, secret, secret_len, old, old_len, parts, room, count)
                : saiban_inspect(id, scheme, secret, secret_len, old, old_len, parts, room, count);
    if (!succeeded(w, error)) return;
    PROMISE(*count <= capacity);
    PROMISE(untouched(parts + *count, (capacity - *count) * sizeof *parts));
    for (size_t index = 0; index < *count; index++) {
        PROMISE(of_text || parts[index].id == id);
        PROMISE(scheme == SAIBAN_SCHEME_ANY || parts[index].scheme == scheme);
        PROMISE(!parts[index].has_secret_index || parts[index].secret_index <= old_len / SAIBAN_SECRET_SIZE);
        PROMISE(parts[index].layout == NULL || strlen(parts[index].layout) > 0);
    }
}

static void names(world *w, unsigned function) {
    size_t len;
    const char *name = text(w, &len);
    int32_t *number_of = out(w, sizeof *number_of), any = (int32_t)take(&w->in, 4);
    switch (function) {
        case 0: succeeded(w, saiban_encoding_from_name(name, len, number_of)); break;
        case 1: succeeded(w, saiban_scheme_from_name(name, len, number_of)); break;
        case 2: succeeded(w, saiban_field_from_name(name, len, number_of)); break;
        case 3: succeeded(w, saiban_rollback_from_name(name, len, number_of)); break;
        case 4: {
            uint8_t *secret = out(w, SAIBAN_SECRET_SIZE);
            w->null = name == NULL || secret == NULL;
            succeeded(w, saiban_secret_from_hex(name, len, secret));
            break;
        }
        case 5: {
            size_t size = sizeof(size_t) * (take(&w->in, 1) % (sizeof(saiban_options) / sizeof(size_t) + 3));
            saiban_options *left = out(w, size);
            w->null = left == NULL;
            w->endless = false;
            if (succeeded(w, saiban_options_init(left, size))) PROMISE(left->size == size);
            break;
        }
        default: {
            size_t size = take(&w->in, 2) % (SAIBAN_MESSAGE_CAPACITY + 1);
            char *message = place(size);
            if (saiban_last_error_message(message, size, NULL) == SAIBAN_OK) {
                PROMISE(strlen(message) < size);
            } else {
                PROMISE(untouched(message, size) && size < SAIBAN_MESSAGE_CAPACITY);
            }
            PROMISE(strlen(saiban_error_name(any)) < 32 && strlen(saiban_error_meaning(any)) < 128);
            PROMISE(strlen(saiban_encoding_name(any)) < 16 && strlen(saiban_scheme_name(any)) < 16);
            PROMISE(strlen(saiban_rollback_name(any)) < 16 && strlen(saiban_guarantee_name(any)) < 32);
            PROMISE(strlen(saiban_version()) > 0);
        }
    }
}

static void give_back(world *w, unsigned kind, unsigned index) {
    switch (kind % 3) {
        case 0: saiban_manual_clock_free(w->clock[index]), w->clock[index] = NULL; break;
        case 1: saiban_layout_free(w->layout[index]), w->layout[index] = NULL; break;
        default: saiban_generator_free(w->generator[index]), w->generator[index] = NULL; break;
    }
}

void saiban_fuzz_calls(const uint8_t *data, size_t size) {
    static bool ready = false;
    if (!ready) open_memory();
    ready = true;

    world w = {.in = {data, size}};
    for (int calls = 0; calls < MOST_CALLS && w.in.left > 0; calls++) {
        w.null = w.endless = false;
        w.result_count = memory.used = 0;
        unsigned function = (unsigned)take(&w.in, 1) % 72;
        if (function < 4) clocks(&w, function);
        else if (function < 8) layouts(&w, function - 4);
        else if (function < 11) generators(&w, function - 8);
        else if (function < 25) ids(&w, function - 11);
        else if (function < 27) encodings(&w, function - 25);
        else if (function < 29) inspection(&w, function == 28);
        else if (function < 36) names(&w, function - 29);
        else if (function < 40) give_back(&w, function, (unsigned)take(&w.in, 1) % HANDLES);
        else if (function < 45) wide_generators(&w, function - 40);
        else if (function < 54) wide_ids(&w, function - 45);
        else if (function < 60) composed(&w, function - 54);
        else if (function < 62) layout_forms(&w, function == 61);
        else if (function < 66) layout_answers(&w, function - 62);
        else if (function < 68) wide_encodings(&w, function == 67);
        else wide_inspection(&w, function >= 70);
    }
    for (unsigned kind = 0; kind < 3; kind++) {
        for (unsigned index = 0; index < HANDLES; index++) give_back(&w, kind, index);
    }
}
