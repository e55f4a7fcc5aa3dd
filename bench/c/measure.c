#define _POSIX_C_SOURCE 200809L

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double CALIBRATING_FOR_NS = 5e6;
static const int64_t AT_MOST = INT64_C(1) << 40;

static double now_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        perror("clock_gettime");
        exit(1);
    }
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Returns the number of repetitions that take about this long. */
static int64_t calibrate(const bench_case *one, double wanted_ns) {
    for (int64_t times = 16;; times *= 2) {
        double begun = now_ns();
        int64_t made = one->run(times);
        double spent = now_ns() - begun;
        if (spent >= CALIBRATING_FOR_NS || times >= AT_MOST) {
            int64_t enough = (int64_t)((double)made * wanted_ns / spent);
            return enough > 0 ? enough : 1;
        }
    }
}

void measure(const bench_case *cases, size_t count, int rounds, int ms) {
    static double ns[MAX_CASES][MAX_ROUNDS];
    int64_t times[MAX_CASES];
    if (count > MAX_CASES || rounds < 1 || rounds > MAX_ROUNDS || ms < 1) {
        fprintf(stderr, "bench: too many cases, or rounds or ms out of range\n");
        exit(2);
    }
    for (size_t i = 0; i < count; i++) times[i] = calibrate(&cases[i], 1e6 * ms);
    for (int round = 0; round < rounds; round++) {
        for (size_t place = 0; place < count; place++) {
            size_t i = round % 2 == 0 ? place : count - 1 - place;
            double begun = now_ns();
            int64_t made = cases[i].run(times[i]);
            ns[i][round] = (now_ns() - begun) / (double)made;
        }
    }
    for (size_t i = 0; i < count; i++) {
        printf("{\"path\":\"%s\",\"who\":\"%s\",\"version\":\"%s\",\"ns\":[", cases[i].path, cases[i].who, cases[i].version);
        for (int round = 0; round < rounds; round++) printf("%s%.6g", round == 0 ? "" : ",", ns[i][round]);
        printf("]}\n");
    }
}
