/*
 * The common parts of the programs that run the vectors: access to JSON, and the loop over cases.
 */
#ifndef VECTORS_H
#define VECTORS_H

#include "check.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* How often a case may reach the end of a random field; see vectors/README.md. */
enum { TRIES = 3 };

/* Runs a case's operation: returns an error, or writes to `out`. */
typedef saiban_error (*case_runner)(const cJSON *configs, const cJSON *one, cJSON *out);

static const char *subject; /* the scheme or topic of the file */

static inline const cJSON *at(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static inline const char *text_at(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(at(object, name));
}

static inline int64_t integer(const char *text)
{
    return (int64_t)strtoimax(text, NULL, 10);
}

/* Returns the integer with this name, or SAIBAN_NOT_GIVEN. */
static inline int64_t integer_at(const cJSON *object, const char *name)
{
    const char *text = text_at(object, name);
    return text == NULL ? SAIBAN_NOT_GIVEN : integer(text);
}

/* Returns the integer with this name, which is a number in JSON. */
static inline int64_t small_at(const cJSON *object, const char *name)
{
    const cJSON *number = at(object, name);
    return number == NULL ? SAIBAN_NOT_GIVEN : (int64_t)number->valuedouble;
}

static inline void range_at(const cJSON *object, const char *name, int64_t *start, int64_t *end)
{
    const cJSON *range = at(object, name);
    if (range != NULL) {
        *start = integer(cJSON_GetArrayItem(range, 0)->valuestring);
        *end = integer(cJSON_GetArrayItem(range, 1)->valuestring);
    }
}

static inline int32_t leniency_at(const cJSON *given)
{
    return cJSON_IsTrue(at(given, "lenient")) ? SAIBAN_LENIENT : SAIBAN_STRICT;
}

/* Returns the member with this name in `given`, or else in `config`. */
static inline const cJSON *over(const cJSON *given, const cJSON *config, const char *name)
{
    const cJSON *found = at(given, name);
    return found != NULL ? found : at(config, name);
}

/* Converts hexadecimal digits to bytes; returns their number. */
static inline size_t bytes_of_hex(const char *digits, uint8_t *bytes)
{
    size_t count;
    for (count = 0; digits[2 * count] != '\0'; count++) {
        unsigned byte;
        if (sscanf(digits + 2 * count, "%2x", &byte) != 1) {
            abort();
        }
        bytes[count] = (uint8_t)byte;
    }
    return count;
}

static inline void put(cJSON *out, const char *name, int64_t number)
{
    char text[32];
    sprintf(text, "%" PRId64, number);
    cJSON_AddStringToObject(out, name, text);
}

/* Returns the expected result of the case, in this format. */
static inline cJSON *wanted_of(const cJSON *one)
{
    static const char *const NAMES[] = {"out", "error", "position"};
    cJSON *wanted = cJSON_CreateObject();
    for (size_t index = 0; index < sizeof NAMES / sizeof *NAMES; index++) {
        if (at(one, NAMES[index]) != NULL) {
            cJSON_AddItemToObject(wanted, NAMES[index], cJSON_Duplicate(at(one, NAMES[index]), 1));
        }
    }
    return wanted;
}

/* Returns whether two decimal numbers differ by at most this relative error. */
static inline bool is_near(const char *found, const char *wanted, double share)
{
    double one = strtod(found, NULL), other = strtod(wanted, NULL);
    return strcmp(found, wanted) == 0 || (other != 0 && one != 0 && other != 1 && fabs(one / other - 1) <= share);
}

/* Returns whether the result is the expected one, except for rounding of floating-point numbers. */
static inline bool same(cJSON *found, const cJSON *wanted)
{
    static const struct {
        const char *name;
        double share;
    } FLOATS[] = {{"per_node", 1e-12}, {"in_all", 1e-12}, {"odds", 1e-6}};
    for (size_t index = 0; index < sizeof FLOATS / sizeof *FLOATS; index++) {
        const char *name = FLOATS[index].name;
        const char *one = text_at(at(found, "out"), name), *other = text_at(at(wanted, "out"), name);
        if (one != NULL && other != NULL && is_near(one, other, FLOATS[index].share)) {
            cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(found, "out"), name,
                                                   cJSON_CreateString(other));
        }
    }
    return cJSON_Compare(found, wanted, 1);
}

/*
 * Returns whether the random part may have reached the end of its field, which depends on chance.
 * The clock may be behind then.
 */
static inline bool reached_the_end(const cJSON *found)
{
    char *text = cJSON_PrintUnformatted(found);
    bool reached = strstr(text, "WOULD_WAIT") != NULL || strstr(text, "CLOCK_BACKWARD") != NULL;
    cJSON_free(text);
    return reached;
}

/*
 * Returns the result of a case: an object with `out`, or with `error` (and `position` for a bad
 * character).
 */
static inline cJSON *result_of(case_runner run_case, const cJSON *configs, const cJSON *one)
{
    cJSON *result = cJSON_CreateObject(), *out = cJSON_CreateObject();
    saiban_error error = run_case(configs, one, out);
    if (error == SAIBAN_OK) {
        cJSON_AddItemToObject(result, "out", out);
        return result;
    }
    cJSON_Delete(out);
    cJSON_AddStringToObject(result, "error", saiban_error_name(error));
    if (error == SAIBAN_ERROR_TEXT_CHARACTER) {
        cJSON_AddNumberToObject(result, "position", (double)saiban_last_error_position());
    }
    return result;
}

static inline void check_case(const cJSON *configs, const cJSON *one, case_runner run_case,
                              bool (*may_reach_the_end)(void))
{
    cJSON *wanted = wanted_of(one), *found = result_of(run_case, configs, one);
    for (int tries = 1;
         tries < TRIES && !same(found, wanted) && may_reach_the_end() && reached_the_end(found);
         tries++) {
        cJSON_Delete(found);
        found = result_of(run_case, configs, one);
    }
    if (!same(found, wanted)) {
        char *found_text = cJSON_PrintUnformatted(found), *wanted_text = cJSON_PrintUnformatted(wanted);
        wrong(text_at(one, "id"), 0, "found %s, wanted %s", found_text, wanted_text);
        cJSON_free(found_text);
        cJSON_free(wanted_text);
    }
    cJSON_Delete(found);
    cJSON_Delete(wanted);
}

static inline char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size + 1);
        if (text != NULL) {
            text[fread(text, 1, (size_t)size, file)] = '\0';
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

/* Runs each operation in a file as one test. */
static inline void check_file(const char *folder, const char *name, const char *const *ops,
                              case_runner run_case, bool (*may_reach_the_end)(void))
{
    char path[4096];
    char *text;
    cJSON *document;
    const cJSON *one;
    size_t cases = 0, ran = 0;
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    text = read_file(path);
    document = cJSON_Parse(text);
    subject = name;
    failed_checks = 0;
    if (document == NULL) {
        wrong(path, 0, "cannot be read");
        finish(name, failed_checks);
        free(text);
        return;
    }
    cJSON_ArrayForEach(one, at(document, "cases"))
    {
        cases++;
    }
    for (; *ops != NULL; ops++) {
        size_t of_op = 0;
        char label[128];
        failed_checks = 0;
        cJSON_ArrayForEach(one, at(document, "cases"))
        {
            if (strcmp(text_at(one, "op"), *ops) == 0) {
                check_case(at(document, "configs"), one, run_case, may_reach_the_end);
                of_op++;
            }
        }
        CHECK(of_op > 0);
        ran += of_op;
        snprintf(label, sizeof label, "%s %s: %lu cases", name, *ops, (unsigned long)of_op);
        finish(label, failed_checks);
    }
    failed_checks = 0;
    if (ran != cases) {
        wrong(path, 0, "%lu cases have an operation that no test runs", (unsigned long)(cases - ran));
    }
    finish("every operation is tested", failed_checks);
    cJSON_Delete(document);
    free(text);
}

#endif
