/* Calls of the functions for IDs of up to 64 bits. */

#ifndef ID_CALLS_H
#define ID_CALLS_H

#include "world.h"

/* Checks that an ID can be inspected, written and read again. */
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
            size_t count = take(&w->in, 2) % MAX_IDS;
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
        case 8: {
            saiban_lease *lease = NULL;
            succeeded(w, saiban_generator_scheme(generator, out(w, sizeof(int32_t))));
            if (generator == NULL || saiban_generator_lease(generator, &lease) != SAIBAN_OK || lease == NULL) break;
            saiban_lease_free(w->lease[0]);
            w->lease[0] = lease;
            break;
        }
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
            if (function == 10 && third % 2 != 0) {
                error = saiban_tsid_compose(generator, timestamp_ms, first, second, id);
            } else if (function == 10) {
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

#endif
