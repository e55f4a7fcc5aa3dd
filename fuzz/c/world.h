/* The state that the calls use, and the conventions that all of them keep. */

#ifndef WORLD_H
#define WORLD_H

#include "calls.h"

#include "saiban.h"

enum { HANDLES = 3, MAX_CALLS = 64, MAX_IDS = 300 };

/* The state of one run. A handle is NULL before it is made and after it is released. */
typedef struct {
    bytes in;
    saiban_manual_clock *clock[HANDLES];
    saiban_layout *layout[HANDLES];
    saiban_generator *generator[HANDLES];
    saiban_lease *lease[HANDLES];
    /* The current call has a NULL that is not allowed, or a length greater than any memory. */
    bool null, endless;
    /* The places for results of the current call. */
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

/* Returns a place for a result, or rarely a NULL that is not allowed. */
static void *out(world *w, size_t size) {
    if (!rarely(&w->in)) return result(w, place(size), size);
    w->null = true;
    return NULL;
}

/* Returns a place for an optional result, or NULL. */
static void *maybe_out(world *w, size_t size) {
    return take(&w->in, 1) % 4 == 1 ? NULL : result(w, place(size), size);
}

/* Chooses one of the handles of this kind. */
#define HANDLE(w, kind) handle((w), (void **)(w)->kind)

static void *handle(world *w, void **handles) {
    void *chosen = handles[take(&w->in, 1) % HANDLES];
    if (chosen == NULL) w->null = true;
    return chosen;
}

/* Returns a number: small, at a limit, close to 2024-01-01, SAIBAN_NOT_GIVEN, or any other. */
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

/* Returns an option, which is not given in at least half of the cases. */
static int64_t option(bytes *in) { return take(in, 1) % 2 == 0 ? SAIBAN_NOT_GIVEN : number(in); }

static int32_t enumerated(bytes *in) { return rarely(in) ? (int32_t)take(in, 4) : (int32_t)(take(in, 1) % 15); }

/* Returns the length of an array, or rarely one that no array can have. */
static size_t length(world *w, size_t right) {
    if (!rarely(&w->in)) return right;
    w->endless = true;
    return (size_t)PTRDIFF_MAX + 1 + (size_t)take(&w->in, 7);
}

/* Returns text: some of the fuzzer's bytes, or an example for one of the functions. */
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
    /* SAIBAN_NUL_TERMINATED is not a length. */
    if (!terminated && *len == SAIBAN_NUL_TERMINATED) *len -= 1;
    return copy;
}

/* Returns whether a call succeeded, and checks the header's promises for either case. */
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

#endif
