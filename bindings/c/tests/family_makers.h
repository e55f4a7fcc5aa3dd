/* Builds generators as the configs of the vectors describe, and composes IDs. */
#ifndef FAMILY_MAKERS_H
#define FAMILY_MAKERS_H

#include "wide.h"

/* A generator, and how it was built. */
struct maker {
    saiban_generator *ids;
    saiban_layout *layout; /* the layout of a Flake, else NULL */
    const char *scheme;
    uint32_t bits;
};

static saiban_error options_of(const cJSON *given, const saiban_manual_clock *clock, saiban_options *options)
{
    options->clock = clock;
    options->node = integer_at(given, "node");
    range_at(given, "nodes", &options->nodes_first, &options->nodes_end);
    range_at(given, "window", &options->window_start, &options->window_end);
    options->max_wait_ms = integer_at(given, "max_wait_ms");
    options->not_before = integer_at(given, "not_before");
    if (at(given, "rollback") != NULL) {
        int32_t policy;
        saiban_error error = saiban_rollback_from_name(text_at(given, "rollback"), SAIBAN_NUL_TERMINATED, &policy);
        options->rollback = policy;
        return error;
    }
    return SAIBAN_OK;
}

static saiban_error new_other(const char *scheme, const cJSON *config, saiban_options options, saiban_generator **ids)
{
    uint8_t secret[SAIBAN_SECRET_SIZE];
    if (strcmp(scheme, "randflake") == 0) {
        options.secret = secret;
        options.secret_len = bytes_of_hex(text_at(config, "secret"), secret);
        return saiban_randflake_new(&options, ids);
    }
    options.scalability = cJSON_IsTrue(at(config, "scalable")) ? 0 : SAIBAN_NOT_GIVEN;
    options.node = SAIBAN_NOT_GIVEN;
    options.entropy_size = small_at(config, "entropy_size");
    options.epoch_ms = integer_at(config, "epoch_ms");
    return saiban_ulid_flake_new(&options, ids);
}

/* Builds the generator that a config and the `given` options describe. */
static saiban_error make(const cJSON *config, const cJSON *given, const saiban_manual_clock *clock, struct maker *maker)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_error error = options_of(given, clock, &options);
    const char *scheme = strcmp(subject, "range") == 0 ? text_at(config, "scheme") : subject;
    const cJSON *layout = over(given, config, "layout");
    if (strncmp(scheme, "flake", 5) == 0) {
        scheme = "flake"; /* flake-1 and flake-2 too */
    }
    maker->scheme = scheme;
    if (error == SAIBAN_OK && layout != NULL) {
        error = saiban_layout_from_text(layout->valuestring, strlen(layout->valuestring), &maker->layout);
        options.layout = maker->layout;
    }
    if (error != SAIBAN_OK) {
        return error;
    }
    if (strcmp(scheme, "flake") == 0) {
        error = saiban_flake_new(&options, &maker->ids);
    } else if (strcmp(scheme, "snowflake") == 0) {
        error = saiban_snowflake_new(&options, &maker->ids);
    } else if (strcmp(scheme, "tsid") == 0) {
        error = saiban_tsid_new(&options, &maker->ids);
    } else if (strcmp(scheme, "ulid") == 0) {
        error = saiban_ulid_new(&options, &maker->ids);
    } else if (strcmp(scheme, "uuid") == 0) {
        error = saiban_uuid_new((int32_t)over(given, config, "version")->valuedouble, &options, &maker->ids);
    } else if (strcmp(scheme, "objectid") == 0) {
        error = saiban_object_id_new(&options, &maker->ids);
    } else if (strcmp(scheme, "xid") == 0) {
        error = saiban_xid_new(&options, &maker->ids);
    } else if (strcmp(scheme, "tick-id") == 0) {
        bool ascending = strcmp(text_at(config, "order"), "ascending") == 0;
        error = saiban_tick_id_new(ascending ? SAIBAN_TICK_ORDER_ASCENDING : SAIBAN_TICK_ORDER_DESCENDING, &options,
                                   &maker->ids);
    } else {
        error = new_other(scheme, config, options, &maker->ids);
    }
    if (error == SAIBAN_OK) {
        OK(saiban_generator_bits(maker->ids, &maker->bits));
    }
    return error;
}

static void drop(struct maker *maker)
{
    saiban_generator_free(maker->ids);
    saiban_layout_free(maker->layout);
}

/* Builds a generator for reading and composing IDs, whose own node does not matter. */
static saiban_error make_reader(const cJSON *config, const saiban_manual_clock *clock,
                                struct maker *maker)
{
    cJSON *given = cJSON_CreateObject();
    const char *layout = text_at(config, "layout");
    saiban_error error;
    if ((layout != NULL && (strstr(layout, "node") != NULL || strchr(layout, ':') == NULL)) || at(config, "secret") != NULL) {
        /* The name of a preset does not show whether it has nodes; only Mastodon's has none. */
        if (layout == NULL || strcmp(layout, "mastodon") != 0) {
            cJSON_AddStringToObject(given, "node", "0");
        }
    }
    error = make(config, given, clock, maker);
    cJSON_Delete(given);
    return error;
}

/* Returns the node with these parts. */
static saiban_error node_of(const struct maker *maker, const cJSON *given, int64_t *node)
{
    saiban_node_part parts[SAIBAN_FIELDS_MAX];
    const cJSON *part;
    size_t count = 0;
    *node = at(given, "node") == NULL ? 0 : integer_at(given, "node");
    if (at(given, "node_parts") == NULL) {
        return SAIBAN_OK;
    }
    cJSON_ArrayForEach(part, at(given, "node_parts"))
    {
        snprintf(parts[count].name, sizeof parts[count].name, "%s", part->string);
        parts[count++].value = integer(part->valuestring);
    }
    return saiban_layout_node_of_parts(maker->layout, parts, count, node);
}

static int64_t nanoseconds(const cJSON *given)
{
    return at(given, "submillisecond_ns") == NULL ? 0 : integer_at(given, "submillisecond_ns");
}

static saiban_error compose_flake(const struct maker *maker, const cJSON *given, const uint8_t *random, uint8_t *id)
{
    const char *counted = text_at(given, "sequence");
    uint64_t sequence = counted == NULL ? 0 : (uint64_t)strtoumax(counted, NULL, 10);
    int64_t rollback = at(given, "rollback") == NULL ? 0 : integer_at(given, "rollback"), node, narrow;
    int64_t timestamp_ms = integer_at(given, "timestamp_ms"), submillisecond_ns = nanoseconds(given);
    saiban_error error = node_of(maker, given, &node);
    if (error != SAIBAN_OK) {
        return error;
    }
    if (maker->bits > 64) {
        return saiban_flake_compose_wide(maker->ids, timestamp_ms, submillisecond_ns, node, sequence, random, rollback, id);
    }
    error = saiban_flake_compose(maker->ids, timestamp_ms, submillisecond_ns, node, sequence,
                                 random == NULL ? 0 : low_of(random), rollback, &narrow);
    if (error == SAIBAN_OK) {
        char text[32];
        sprintf(text, "%" PRId64, narrow);
        wide_of(text, id);
    }
    return error;
}

static saiban_error compose(const struct maker *maker, const cJSON *given, uint8_t *id)
{
    int64_t timestamp_ms = integer_at(given, "timestamp_ms"), node = integer_at(given, "node");
    wide random_bytes;
    const uint8_t *random = at(given, "random") == NULL ? NULL : random_bytes;
    if (random != NULL && strcmp(maker->scheme, "tick-id") != 0) {
        wide_of(text_at(given, "random"), random_bytes);
    }
    if (strcmp(maker->scheme, "flake") == 0) {
        return compose_flake(maker, given, random, id);
    }
    if (strcmp(maker->scheme, "ulid") == 0) {
        return saiban_ulid_compose(maker->ids, timestamp_ms, random, id);
    }
    if (strcmp(maker->scheme, "uuid") == 0) {
        return saiban_uuid_compose(maker->ids, timestamp_ms, integer_at(given, "submillisecond_ns"), random,
                                   integer_at(given, "clock_sequence"), node, id);
    }
    if (strcmp(maker->scheme, "objectid") == 0) {
        return saiban_object_id_compose(maker->ids, timestamp_ms, node, integer_at(given, "sequence"), id);
    }
    if (strcmp(maker->scheme, "xid") == 0) {
        return saiban_xid_compose(maker->ids, timestamp_ms, node, integer_at(given, "sequence"), id);
    }
    return saiban_tick_id_compose(maker->ids, timestamp_ms, nanoseconds(given), integer_at(given, "random"), id);
}

#endif
