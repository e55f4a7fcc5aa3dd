/*
 * Calls saiban's C functions in any order and with any arguments that the header allows. Pointers
 * are valid or NULL, and the fuzzer's bytes determine everything else. Each call is followed by a
 * check of the header's conventions.
 */

#define _DEFAULT_SOURCE
#include "world.h"

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

/* Returns a path that cannot exist, because /dev/null is not a folder. */
static const char *nowhere(world *w) {
    static const char folder[] = "/dev/null/";
    size_t more = take(&w->in, 1) % 64;
    char *path = place(sizeof folder + more);
    memcpy(path, folder, sizeof folder);
    for (size_t index = 0; index < more; index++) path[sizeof folder - 1 + index] = (char)take(&w->in, 1);
    path[sizeof folder - 1 + more] = '\0';
    return path;
}

/*
 * Returns a NUL-terminated namespace or holder, or NULL. There are few, because namespaces stay in
 * their store.
 */
static const char *member(world *w) {
    static const char *const known[] = {
        "default", "orders", "a", "a b", "", "\xff", "n.\xc3\xa9", "0123456789012345678901234567890123456789012345678901234567890123+",
    };
    unsigned kind = (unsigned)take(&w->in, 1);
    if (kind % 2 == 0) return NULL;
    const char *from = known[kind / 2 % (sizeof known / sizeof *known)];
    return memcpy(place(strlen(from) + 1), from, strlen(from) + 1);
}

/*
 * Returns any options, or NULL. With the system clock, options request no wait and few nodes,
 * because the process keeps a cursor for each range of nodes.
 */
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
    given.scope = option(in);
    if (rarely(in)) given.state = nowhere(w);
    if (rarely(in)) {
        static const char *const known[] = {"order", "sales_order", "", "Order", "_", "o\xff"};
        const char *from = known[(unsigned)take(in, 1) % (sizeof known / sizeof *known)];
        given.prefix = memcpy(place(strlen(from) + 1), from, strlen(from) + 1);
    }
    if (given.clock == NULL) {
        given.layout = NULL;
        given.node = given.node == SAIBAN_NOT_GIVEN ? SAIBAN_NOT_GIVEN : given.node & 3;
        given.nodes_first = given.nodes_end = given.window_start = given.window_end = SAIBAN_NOT_GIVEN;
        given.epoch_ms = SAIBAN_NOT_GIVEN;
        given.max_wait_ms = 0;
        /* Without `not_before`, the first ID waits for the next tick. */
        given.not_before = 0;
    }
    /* Only schemes that use a secret check its length. */
    w->endless = false;
    size_t size = sizeof given;
    if (rarely(in)) {
        given.size = sizeof(size_t) * (take(in, 1) % (sizeof given / sizeof(size_t) + 3));
        if (given.size < size) size = given.size < sizeof(size_t) ? sizeof(size_t) : given.size;
    } else if (rarely(in)) {
        static const char store[] = "memory:one";
        unsigned from = (unsigned)take(in, 1);
        if (from < 192 || from % 8 == 1) given.lease = w->lease[from % HANDLES];
        if (from >= 192) {
            if (from % 8 != 2) given.store = memcpy(place(sizeof store), store, sizeof store);
            given.name_space = member(w);
        }
        if (take(in, 1) % 4 != 1) given.node = given.nodes_first = given.nodes_end = given.not_before = SAIBAN_NOT_GIVEN;
    }
    return memcpy(place(size), &given, size);
}

static void generators(world *w, unsigned function) {
    unsigned index = take(&w->in, 1) % HANDLES;
    const saiban_options *chosen = options(w);
    saiban_generator **made = out(w, sizeof *made);
    saiban_error error;
    switch (function) {
        case 0: error = index % 2 == 0 ? saiban_snowflake_new(chosen, made) : saiban_tsid_new(chosen, made); break;
        case 1: error = saiban_randflake_new(chosen, made); break;
        default: error = saiban_ulid_flake_new(chosen, made); break;
    }
    if (succeeded(w, error)) {
        saiban_generator_free(w->generator[index]);
        w->generator[index] = *made;
    }
}

#include "id_calls.h"
#include "wide_calls.h"
#include "lease_calls.h"

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
        case 3:
            succeeded(w, any % 2 == 0 ? saiban_rollback_from_name(name, len, number_of)
                                      : saiban_scope_from_name(name, len, number_of));
            break;
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
            PROMISE(strlen(saiban_lease_state_name(any)) < 16);
            PROMISE(strlen(saiban_rollback_name(any)) < 16 && strlen(saiban_guarantee_name(any)) < 32);
            PROMISE(strlen(saiban_scope_name(any)) < 16);
            PROMISE(strlen(saiban_version()) > 0);
        }
    }
}

static void give_back(world *w, unsigned kind, unsigned index) {
    switch (kind % 4) {
        case 3: saiban_lease_free(w->lease[index]), w->lease[index] = NULL; break;
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
    for (int calls = 0; calls < MAX_CALLS && w.in.left > 0; calls++) {
        w.null = w.endless = false;
        w.result_count = memory.used = 0;
        unsigned byte = (unsigned)take(&w.in, 1), function = byte % 72;
        /* Leases have the values from 248, so that all other values keep their meaning. */
        if (byte >= 248) leases(&w, byte - 248);
        else if (function < 4) clocks(&w, function);
        else if (function < 8) layouts(&w, function - 4);
        else if (function < 11) generators(&w, function - 8);
        else if (function < 25) ids(&w, function - 11);
        else if (function < 27) encodings(&w, function - 25);
        else if (function < 29) inspection(&w, function == 28);
        else if (function < 36) names(&w, function - 29);
        else if (function < 40) give_back(&w, function % 3, (unsigned)take(&w.in, 1) % HANDLES);
        else if (function < 45) wide_generators(&w, function - 40);
        else if (function < 54) wide_ids(&w, function - 45);
        else if (function < 60) composed(&w, function - 54);
        else if (function < 62) layout_forms(&w, function == 61);
        else if (function < 66) layout_answers(&w, function - 62);
        else if (function < 68) wide_encodings(&w, function == 67);
        else wide_inspection(&w, function >= 70);
    }
    for (unsigned kind = 0; kind < 4; kind++) {
        for (unsigned index = 0; index < HANDLES; index++) give_back(&w, kind, index);
    }
}
