/* Interleaved rounds of cases, printed as lines of JSON. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>
#include <stdint.h>

enum { MAX_CASES = 32, MAX_ROUNDS = 1000 };

typedef struct {
    const char *path;
    const char *who;
    const char *version;
    /* Makes this many IDs, or a few more, and returns their number. */
    int64_t (*run)(int64_t times);
} bench_case;

/*
 * Measures all cases in each round, in reverse order every second round, and prints a line for
 * each.
 */
void measure(const bench_case *cases, size_t count, int rounds, int ms);

/* Keeps the compiler from removing code whose result is not used. */
static inline void keep(const void *value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}

#endif
