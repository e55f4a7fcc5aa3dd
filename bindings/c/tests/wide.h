/* Conversions between IDs of any width and decimal text. */
#ifndef WIDE_H
#define WIDE_H

#include "vectors.h"

typedef uint8_t wide[SAIBAN_WIDE_ID_SIZE];

/* Converts an unsigned number of any width, or a signed one of 64 bits, to bytes. */
static inline void wide_of(const char *decimal, uint8_t *id)
{
    if (decimal[0] != '-') {
        OK(saiban_decode_wide(decimal, SAIBAN_NUL_TERMINATED, 128, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN,
                              SAIBAN_STRICT, id));
        return;
    }
    uint64_t number = (uint64_t)integer(decimal);
    memset(id, 0, SAIBAN_WIDE_ID_SIZE);
    for (int index = 0; index < 8; index++) {
        id[8 + index] = (uint8_t)(number >> (56 - 8 * index));
    }
}

/* Returns the low 64 bits. */
static inline uint64_t low_of(const uint8_t *id)
{
    uint64_t number = 0;
    for (int index = 8; index < SAIBAN_WIDE_ID_SIZE; index++) {
        number = number << 8 | id[index];
    }
    return number;
}

/* Adds the ID as a number, signed if it has up to 64 bits. */
static inline void put_wide(cJSON *out, const char *name, const uint8_t *id, uint32_t bits)
{
    char text[SAIBAN_TEXT_CAPACITY] = "";
    if (bits <= 64) {
        put(out, name, (int64_t)low_of(id));
        return;
    }
    OK(saiban_encode_wide(id, 128, SAIBAN_ENCODING_DECIMAL, SAIBAN_NOT_GIVEN, text, sizeof text, NULL));
    cJSON_AddStringToObject(out, name, text);
}

static inline void put_unsigned(cJSON *out, const char *name, uint64_t number)
{
    char text[32];
    sprintf(text, "%" PRIu64, number);
    cJSON_AddStringToObject(out, name, text);
}

#endif
