/* Rounds of cases, interleaved, and the lines of JSON that tell them. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>
#include <stdint.h>

enum { MAX_CASES = 32, MAX_ROUNDS = 1000 };

typedef struct {
    const char *path;
    const char *who;
    const char *version;
    /* Makes this many IDs, or a few more: returns how many. */
    int64_t (*run)(int64_t times);
} bench_case;

/*
 * Measures all cases in each round, every second round the other way around, and prints a line for
 * each.
 */
void measure(const bench_case *cases, size_t count, int rounds, int ms);

/* Lets the compiler believe that somebody reads what is there. */
static inline void keep(const void *value) {
    __asm__ volatile("" : : "r"(value) : "memory");
}

#endif
