/*
 * Calls of the functions for IDs of any width, for custom layouts, and for inspection with reasons.
 * A part of calls.c.
 */

#ifndef WIDE_CALLS_H
#define WIDE_CALLS_H

enum { WIDE = SAIBAN_WIDE_ID_SIZE };

/* Returns a number of 16 bytes. Returns NULL in half of the cases if it may, else rarely. */
static const uint8_t *wide_number(world *w, bool may_be_null) {
    uint8_t kind = (uint8_t)take(&w->in, 1);
    if (may_be_null && kind % 2 == 1) return NULL;
    if (!may_be_null && rarely(&w->in)) {
        w->null = true;
        return NULL;
    }
    uint8_t *bytes_of = place(WIDE);
    memset(bytes_of, 0, WIDE);
    for (size_t index = kind % (WIDE + 1); index < WIDE; index++) bytes_of[index] = (uint8_t)take(&w->in, 1);
    return bytes_of;
}

static void wide_generators(world *w, unsigned function) {
    unsigned index = take(&w->in, 1) % HANDLES;
    int32_t kind = enumerated(&w->in);
    const saiban_options *chosen = options(w);
    saiban_generator **made = out(w, sizeof *made);
    saiban_error error;
    switch (function) {
        case 0: error = saiban_flake_new(chosen, made); break;
        case 1: error = saiban_ulid_new(chosen, made); break;
        case 2: error = saiban_uuid_new(kind, chosen, made); break;
        case 3: error = kind % 2 == 0 ? saiban_object_id_new(chosen, made) : saiban_xid_new(chosen, made); break;
        default: error = saiban_tick_id_new(kind, chosen, made); break;
    }
    if (succeeded(w, error)) {
        saiban_generator_free(w->generator[index]);
        w->generator[index] = *made;
    }
}

/* Checks that an ID can be inspected, written and read again. */
static void is_wide_id(const saiban_generator *ids, const uint8_t *id) {
    saiban_wide_parts parts;
    char written[SAIBAN_TEXT_CAPACITY];
    uint8_t read[WIDE];
    size_t len;
    PROMISE(saiban_generator_inspect_wide(ids, id, &parts, sizeof parts) == SAIBAN_OK);
    PROMISE(memcmp(parts.id, id, WIDE) == 0 && parts.bits >= 16 && parts.bits <= 128);
    PROMISE(parts.layout == NULL || strlen(parts.layout) > 0);
    PROMISE(saiban_to_text_wide(ids, id, SAIBAN_ENCODING_CANONICAL, written, sizeof written, &len) == SAIBAN_OK);
    PROMISE(written[len] == '\0');
    PROMISE(saiban_from_text_wide(ids, written, len, SAIBAN_STRICT, read) == SAIBAN_OK && memcmp(read, id, WIDE) == 0);
}

static void wide_ids(world *w, unsigned function) {
    saiban_generator *generator = HANDLE(w, generator);
    switch (function) {
        case 0: {
            uint8_t *id = out(w, WIDE);
            if (succeeded(w, saiban_generate_wide(generator, id))) is_wide_id(generator, id);
            break;
        }
        case 1: {
            bool *ready = out(w, sizeof *ready);
            uint8_t *id = out(w, WIDE);
            uint64_t *wait_ns = maybe_out(w, sizeof *wait_ns);
            if (succeeded(w, saiban_try_generate_wide(generator, ready, id, wait_ns))) {
                if (*ready) is_wide_id(generator, id);
                if (!*ready) PROMISE(untouched(id, WIDE));
            }
            break;
        }
        case 2: {
            size_t count = take(&w->in, 1) % (PLACE_SIZE / WIDE);
            uint8_t *made = rarely(&w->in) ? NULL : place(count * WIDE);
            if (made == NULL) w->null = true;
            size_t given = length(w, count), *written = out(w, sizeof *written);
            if (succeeded(w, saiban_fill_wide(generator, made, given, written))) {
                PROMISE(*written <= count && (*written > 0 || count == 0));
                PROMISE(untouched(made + *written * WIDE, (count - *written) * WIDE));
                for (size_t index = 0; index < *written; index++) is_wide_id(generator, made + index * WIDE);
            }
            break;
        }
        case 3: {
            const uint8_t *id = wide_number(w, false);
            int32_t encoding = enumerated(&w->in);
            size_t size = take(&w->in, 1) % (SAIBAN_TEXT_CAPACITY + 1);
            char *buffer = out(w, size);
            size_t capacity = length(w, size), *len = maybe_out(w, sizeof *len);
            if (succeeded(w, saiban_to_text_wide(generator, id, encoding, buffer, capacity, len))) {
                PROMISE(strlen(buffer) < size && (len == NULL || *len == strlen(buffer)));
                is_wide_id(generator, id);
            }
            break;
        }
        case 4: {
            size_t len;
            const char *given = text(w, &len);
            int32_t leniency = enumerated(&w->in);
            uint8_t *id = out(w, WIDE);
            if (succeeded(w, saiban_from_text_wide(generator, given, len, leniency, id))) is_wide_id(generator, id);
            break;
        }
        case 5: {
            size_t len, size = rarely(&w->in) ? take(&w->in, 1) : sizeof(saiban_wide_parts);
            const char *given = text(w, &len);
            saiban_wide_parts *parts = out(w, size);
            if (succeeded(w, saiban_generator_inspect_text_wide(generator, given, len, parts, size))) {
                is_wide_id(generator, parts->id);
            }
            break;
        }
        case 6: {
            const uint8_t *id = wide_number(w, false);
            size_t size = rarely(&w->in) ? take(&w->in, 1) : sizeof(saiban_wide_parts);
            saiban_wide_parts *parts = out(w, size);
            if (succeeded(w, saiban_generator_inspect_wide(generator, id, parts, size))) is_wide_id(generator, id);
            break;
        }
        case 7: {
            int64_t start_ms = number(&w->in), end_ms = number(&w->in);
            uint8_t *first = out(w, WIDE), *last = out(w, WIDE);
            if (succeeded(w, saiban_range_wide(generator, start_ms, end_ms, first, last))) {
                is_wide_id(generator, first);
                is_wide_id(generator, last);
            }
            break;
        }
        default: {
            int64_t start_ms = number(&w->in), end_ms = number(&w->in);
            int64_t *first = out(w, sizeof *first), *last = out(w, sizeof *last);
            uint32_t bits = 0;
            if (succeeded(w, saiban_range(generator, start_ms, end_ms, first, last))) {
                PROMISE(*first <= *last && saiban_generator_bits(generator, &bits) == SAIBAN_OK && bits <= 64);
                is_id(generator, *first);
                is_id(generator, *last);
            }
            break;
        }
    }
}

static void composed(world *w, unsigned function) {
    saiban_generator *generator = HANDLE(w, generator);
    int64_t timestamp_ms = number(&w->in), first = option(&w->in), second = option(&w->in), third = number(&w->in);
    saiban_error error;
    if (function == 0) {
        int64_t *id = out(w, sizeof *id);
        uint64_t random = take(&w->in, 8);
        error = saiban_flake_compose(generator, timestamp_ms, (int64_t)(random % 1000001), first, (uint64_t)second, random, third, id);
        if (succeeded(w, error)) is_id(generator, *id);
        return;
    }
    const uint8_t *random = wide_number(w, function != 2);
    uint8_t *id = out(w, WIDE);
    switch (function) {
        case 1:
            error = saiban_flake_compose_wide(generator, timestamp_ms, timestamp_ms % 1000001, first, (uint64_t)second, random,
                                              third, id);
            break;
        case 2: error = saiban_ulid_compose(generator, timestamp_ms, random, id); break;
        case 3: error = saiban_uuid_compose(generator, timestamp_ms, third, random, first, second, id); break;
        case 4:
            error = third % 2 == 0 ? saiban_object_id_compose(generator, timestamp_ms, first, second, id)
                                   : saiban_xid_compose(generator, timestamp_ms, first, second, id);
            break;
        default: error = saiban_tick_id_compose(generator, timestamp_ms, third, first, id); break;
    }
    if (succeeded(w, error)) is_wide_id(generator, id);
}

/* Reads a layout from text or JSON, and checks that its JSON is read as an equal layout. */
static void layout_forms(world *w, bool json) {
    unsigned index = take(&w->in, 1) % HANDLES;
    size_t len;
    const char *given = text(w, &len);
    saiban_layout **made = out(w, sizeof *made);
    if (!succeeded(w, json ? saiban_layout_from_json(given, len, made) : saiban_layout_from_text(given, len, made))) return;
    char form[SAIBAN_LAYOUT_JSON_CAPACITY], again[SAIBAN_LAYOUT_JSON_CAPACITY];
    saiban_layout *read = NULL;
    PROMISE(saiban_layout_to_json(*made, form, sizeof form, &len) == SAIBAN_OK);
    PROMISE(saiban_layout_from_json(form, len, &read) == SAIBAN_OK);
    PROMISE(saiban_layout_to_text(*made, form, SAIBAN_LAYOUT_TEXT_CAPACITY, &len) == SAIBAN_OK);
    PROMISE(saiban_layout_to_text(read, again, sizeof again, NULL) == SAIBAN_OK && strcmp(form, again) == 0);
    saiban_layout_free(read);
    saiban_layout_free(w->layout[index]);
    w->layout[index] = *made;
}

static void layout_answers(world *w, unsigned function) {
    const saiban_layout *layout = HANDLE(w, layout);
    switch (function) {
        case 0: {
            size_t size = rarely(&w->in) ? take(&w->in, 1) : sizeof(saiban_properties);
            saiban_properties *answers = out(w, size);
            if (succeeded(w, saiban_layout_properties(layout, answers, size))) {
                PROMISE(answers->last_ms >= answers->first_ms && answers->bits <= answers->size_bits);
                PROMISE(answers->size_bits >= 16 && answers->size_bits <= 128 && answers->fields <= SAIBAN_FIELDS_MAX);
                PROMISE(answers->ids_per_second_per_node > 0 &&
                        answers->ids_per_second_in_all >= answers->ids_per_second_per_node);
            }
            break;
        }
        case 1: {
            size_t capacity = take(&w->in, 1) % (SAIBAN_FIELDS_MAX + 1);
            saiban_place *places = out(w, capacity * sizeof *places);
            size_t *count = out(w, sizeof *count), room = length(w, capacity);
            if (succeeded(w, saiban_layout_places(layout, places, room, count))) {
                PROMISE(*count <= capacity && untouched(places + *count, (capacity - *count) * sizeof *places));
                for (size_t index = 0; index < *count; index++) {
                    PROMISE(saiban_field_name(places[index].kind)[0] != '\0' && strlen(places[index].name) <= 16);
                    PROMISE(places[index].bits > 0 && places[index].shift + places[index].bits <= 128);
                }
            }
            break;
        }
        case 2: {
            size_t capacity = take(&w->in, 1) % (SAIBAN_FIELDS_MAX + 1);
            uint64_t node = take(&w->in, 8);
            saiban_node_part *parts = out(w, capacity * sizeof *parts);
            size_t *count = out(w, sizeof *count), room = length(w, capacity);
            if (succeeded(w, saiban_layout_node_parts(layout, node, parts, room, count))) {
                PROMISE(*count <= capacity && untouched(parts + *count, (capacity - *count) * sizeof *parts));
                for (size_t index = 0; index < *count; index++) PROMISE(parts[index].value >= 0);
            }
            break;
        }
        default: {
            size_t count = take(&w->in, 1) % 4;
            saiban_node_part *parts = place(count * sizeof *parts);
            for (size_t index = 0; index < count; index++) {
                for (size_t at = 0; at < sizeof parts->name; at++) parts[index].name[at] = (char)take(&w->in, 1);
                parts[index].value = number(&w->in);
            }
            size_t given = length(w, count);
            int64_t *node = out(w, sizeof *node);
            if (succeeded(w, saiban_layout_node_of_parts(layout, parts, given, node))) PROMISE(*node >= 0);
            /* Any bytes: the rates can be negative, infinite or NaN. */
            double rates[2], odds = -1;
            for (size_t index = 0; index < 2; index++) {
                uint64_t bits = take(&w->in, 8);
                memcpy(&rates[index], &bits, sizeof bits);
            }
            if (layout != NULL) {
                /* NaN fails this comparison, and is an invalid argument. */
                saiban_error error = saiban_layout_collision_odds(layout, rates[0], rates[1], &odds);
                if (rates[0] >= 0 && rates[1] >= 0) {
                    PROMISE(error == SAIBAN_OK && odds >= 0 && odds <= 1);
                } else {
                    PROMISE(error == SAIBAN_ERROR_INVALID_ARGUMENT && odds == -1);
                }
            }
            break;
        }
    }
}

static void wide_encodings(world *w, bool decodes) {
    int32_t encoding = enumerated(&w->in);
    int64_t width = option(&w->in);
    uint32_t bits = rarely(&w->in) ? (uint32_t)take(&w->in, 4) : 16 + (uint32_t)take(&w->in, 1) % 113;
    if (decodes) {
        size_t len;
        const char *given = text(w, &len);
        int32_t leniency = enumerated(&w->in);
        uint8_t *value = out(w, WIDE);
        saiban_error error = saiban_decode_wide(given, len, bits, encoding, width, leniency, value);
        if (succeeded(w, error) && leniency == SAIBAN_STRICT) {
            char written[SAIBAN_TEXT_CAPACITY];
            size_t size = len == SAIBAN_NUL_TERMINATED ? strlen(given) : len, again;
            PROMISE(saiban_encode_wide(value, bits, encoding, width, written, sizeof written, &again) == SAIBAN_OK);
            PROMISE(again == size && memcmp(written, given, size) == 0);
        }
        return;
    }
    const uint8_t *value = wide_number(w, false);
    size_t size = take(&w->in, 1) % (SAIBAN_TEXT_CAPACITY + 1);
    char *buffer = out(w, size);
    size_t capacity = length(w, size), *len = maybe_out(w, sizeof *len);
    if (succeeded(w, saiban_encode_wide(value, bits, encoding, width, buffer, capacity, len))) {
        uint8_t read[WIDE], guid[WIDE];
        PROMISE(strlen(buffer) < size && (len == NULL || *len == strlen(buffer)));
        PROMISE(saiban_decode_wide(buffer, strlen(buffer), bits, encoding, width, SAIBAN_STRICT, read) == SAIBAN_OK);
        PROMISE(memcmp(read, value, WIDE) == 0);
        PROMISE(saiban_uuid_to_guid_bytes(value, guid) == SAIBAN_OK);
        PROMISE(saiban_uuid_from_guid_bytes(guid, read) == SAIBAN_OK && memcmp(read, value, WIDE) == 0);
    }
}

static void wide_inspection(world *w, bool of_text) {
    saiban_inspect_options given = SAIBAN_INSPECT_OPTIONS_INIT;
    const saiban_layout *layouts[HANDLES];
    bool has_null = false;
    size_t text_len = 0;
    given.scheme = enumerated(&w->in);
    given.epoch_ms = option(&w->in);
    if (take(&w->in, 1) % 2 == 1) {
        given.secret_len = rarely(&w->in) ? take(&w->in, 1) : SAIBAN_SECRET_SIZE;
        given.secret = place(given.secret_len);
    }
    for (unsigned index = 0; index < HANDLES; index++) layouts[index] = w->layout[index];
    given.layouts_len = take(&w->in, 1) % (HANDLES + 1);
    for (size_t index = 0; index < given.layouts_len; index++) has_null = has_null || layouts[index] == NULL;
    given.layouts = layouts;
    if (rarely(&w->in)) given.size = take(&w->in, 1);
    uint32_t bits = rarely(&w->in) ? (uint32_t)take(&w->in, 4) : 16 + (uint32_t)take(&w->in, 1) % 113;
    const char *chars = of_text ? text(w, &text_len) : NULL;
    const uint8_t *id = of_text ? NULL : wide_number(w, false);
    saiban_candidates **found = out(w, sizeof *found);
    saiban_error error = of_text ? saiban_inspect_text_wide(chars, text_len, &given, found)
                                 : saiban_inspect_wide(id, bits, &given, found);
    PROMISE(!has_null || error != SAIBAN_OK);
    if (!succeeded(w, error)) return;
    size_t count = 0;
    PROMISE(saiban_candidates_count(*found, &count) == SAIBAN_OK && count <= SAIBAN_CANDIDATES_MAX);
    for (size_t index = 0; index < count; index++) {
        saiban_wide_parts parts;
        char why[SAIBAN_REASONS_CAPACITY], canonical[SAIBAN_TEXT_CAPACITY];
        int32_t score;
        int64_t layout_index;
        PROMISE(saiban_candidates_parts(*found, index, &parts, sizeof parts) == SAIBAN_OK);
        PROMISE(parts.scheme != SAIBAN_SCHEME_ANY && saiban_scheme_name(parts.scheme)[0] != '\0');
        PROMISE(saiban_candidates_score(*found, index, &score, NULL, &layout_index) == SAIBAN_OK);
        PROMISE(layout_index >= -1 && layout_index < (int64_t)given.layouts_len);
        PROMISE(saiban_candidates_why(*found, index, why, sizeof why, NULL) == SAIBAN_OK && why[0] != '\0');
        PROMISE(saiban_candidates_reasons(*found, index, why, sizeof why, NULL) == SAIBAN_OK && why[0] != '\0');
        PROMISE(saiban_candidates_text(*found, index, canonical, sizeof canonical, NULL) == SAIBAN_OK);
    }
    saiban_candidates_free(*found);
}

#endif
