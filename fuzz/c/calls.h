/* Arguments from the fuzzer's bytes, and memory in which an access past the end crashes. */

#ifndef CALLS_H
#define CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROMISE(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

/* The fuzzer's bytes, which are read from the front. `take` returns zeros after the last byte. */
typedef struct {
    const uint8_t *at;
    size_t left;
} bytes;

static inline uint64_t take(bytes *from, unsigned count) {
    uint64_t value = 0;
    while (count-- > 0) {
        value <<= 8;
        if (from->left > 0) {
            value |= *from->at++;
            from->left--;
        }
    }
    return value;
}

/* Returns true for one byte in 16, and false for 0. */
static inline bool rarely(bytes *from) { return take(from, 1) >= 240; }

/* The places for the arguments and results of a call. The page after each is not accessible. */
enum { PLACES = 12, PLACE_SIZE = 4096, UNTOUCHED = 0xA5 };

static struct {
    uint8_t *end[PLACES];
    int used;
} memory;

static inline void open_memory(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    PROMISE(page >= PLACE_SIZE);
    for (int index = 0; index < PLACES; index++) {
        uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        PROMISE(pages != MAP_FAILED);
        memory.end[index] = pages + page;
        PROMISE(mprotect(memory.end[index], page, PROT_NONE) == 0);
    }
}

/* Returns a place of this size, filled with UNTOUCHED. It is as aligned as its size is. */
static inline void *place(size_t size) {
    PROMISE(memory.used < PLACES && size <= PLACE_SIZE);
    return memset(memory.end[memory.used++] - size, UNTOUCHED, size);
}

static inline bool untouched(const void *start, size_t size) {
    const uint8_t *byte = start;
    for (size_t index = 0; index < size; index++) {
        if (byte[index] != UNTOUCHED) return false;
    }
    return true;
}

#endif
