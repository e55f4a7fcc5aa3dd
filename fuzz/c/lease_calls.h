/*
 * Calls of the functions for leases, with stores in memory. The fuzzer is built without the stores
 * in files and on servers. A part of calls.c.
 */

#ifndef LEASE_CALLS_H
#define LEASE_CALLS_H

#include "world.h"

static const char *store(world *w, size_t *len) {
    static const char *const known[] = {"memory:one", "memory:two", "file:///leases.db"};
    unsigned kind = (unsigned)take(&w->in, 1) % 4;
    if (kind == 3) return text(w, len);
    *len = rarely(&w->in) ? SAIBAN_NUL_TERMINATED : strlen(known[kind]);
    return memcpy(place(strlen(known[kind]) + 1), known[kind], strlen(known[kind]) + 1);
}

/* Returns any options, or NULL. */
static const saiban_lease_options *lease_options(world *w) {
    saiban_lease_options given = SAIBAN_LEASE_OPTIONS_INIT;
    bytes *in = &w->in;
    if (take(in, 1) % 2 == 0) return NULL;
    given.name_space = member(w);
    given.holder = member(w);
    if (take(in, 1) % 2 == 1) given.layout = w->layout[take(in, 1) % HANDLES];
    if (take(in, 1) % 4 == 1) {
        given.secret_len = rarely(in) ? take(in, 1) : SAIBAN_SECRET_SIZE;
        given.secret = memset(place(given.secret_len), (int)take(in, 1), given.secret_len);
    }
    given.nodes = option(in);
    given.ttl_s = option(in);
    given.scheme = take(in, 1) % 2 == 0 ? SAIBAN_NOT_GIVEN : enumerated(in);
    given.create = option(in);
    given.max_ttl_s = option(in);
    given.max_clock_skew_s = option(in);
    given.wait_s = option(in);
    size_t size = sizeof given;
    if (rarely(in)) {
        given.size = sizeof(size_t) * (take(in, 1) % (sizeof given / sizeof(size_t) + 3));
        if (given.size < size) size = given.size < sizeof(size_t) ? sizeof(size_t) : given.size;
    }
    return memcpy(place(size), &given, size);
}

static void are_nodes(int64_t first, int64_t end) { PROMISE(0 <= first && first < end); }

static void leases(world *w, unsigned function) {
    unsigned index = (unsigned)take(&w->in, 1) % HANDLES;
    saiban_lease *lease = w->lease[index];
    switch (function) {
        case 0:
        case 1: {
            size_t len;
            const char *url = store(w, &len);
            const saiban_lease_options *chosen = lease_options(w);
            saiban_lease **made = out(w, sizeof *made);
            if (succeeded(w, saiban_lease_acquire(url, len, chosen, made))) {
                saiban_lease_free(w->lease[index]);
                w->lease[index] = *made;
            }
            return;
        }
        case 2: {
            size_t size = sizeof(size_t) * (take(&w->in, 1) % (sizeof(saiban_lease_options) / sizeof(size_t) + 3));
            saiban_lease_options *left = out(w, size);
            if (succeeded(w, saiban_lease_options_init(left, size))) PROMISE(left->size == size);
            return;
        }
        default: break;
    }
    w->null = lease == NULL;
    switch (function) {
        case 3: {
            int64_t *first = out(w, sizeof *first), *end = out(w, sizeof *end);
            if (succeeded(w, saiban_lease_nodes(lease, first, end))) are_nodes(*first, *end);
            break;
        }
        case 4: {
            size_t size = rarely(&w->in) ? take(&w->in, 2) % 700 : sizeof(saiban_status);
            saiban_status *status = out(w, size);
            if (succeeded(w, saiban_lease_status(lease, status, size))) {
                PROMISE(size == sizeof *status && saiban_lease_state_name(status->state)[0] != '\0');
                PROMISE(memchr(status->why, '\0', sizeof status->why) != NULL);
                PROMISE((status->error == SAIBAN_OK) == (status->why[0] == '\0'));
                if (status->has_nodes) are_nodes(status->nodes_first, status->nodes_end);
                if (!status->has_nodes) PROMISE(status->nodes_first == 0 && status->nodes_end == 0 && status->end_ms == 0);
            }
            break;
        }
        case 5: succeeded(w, saiban_lease_renew(lease)); break;
        case 6: succeeded(w, saiban_lease_release(lease)); break;
        default: saiban_lease_free(lease), w->lease[index] = NULL; break;
    }
}

#endif
