/*
 * Sets a server's clock ahead: LD_PRELOAD this, and SAIBAN_TEST_CLOCK names a file with the
 * seconds. The process reads the file when it starts. libfaketime does not work with jemalloc,
 * which Redis uses. Monotonic clocks do not change.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead_s;

__attribute__((constructor)) static void read_offset(void) {
    const char *path = getenv("SAIBAN_TEST_CLOCK");
    char text[32] = {0};
    int file = path ? open(path, O_RDONLY) : -1;
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0) ahead_s = atol(text);
        close(file);
    }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int done = (int)syscall(SYS_clock_gettime, clock, now);
    if (done == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead_s;
    return done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec time;
    (void)zone;
    int done = clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return done;
}

time_t time(time_t *now) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    if (now) *now = time.tv_sec;
    return time.tv_sec;
}
