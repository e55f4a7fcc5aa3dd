/* One of several processes with one node: see tests/faults/processes.py. Usage: serve SCHEME */

#define _POSIX_C_SOURCE 200809L

#include <saiban.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NODE = 7 };

static const uint8_t SECRET[SAIBAN_SECRET_SIZE] = {0xdf, 0xfd, 0x60, 0x21, 0xbb, 0x2b, 0xd5, 0xb0,
                                                   0xaf, 0x67, 0x62, 0x90, 0x80, 0x9e, 0xc3, 0xa5};

static saiban_error open_generator(const char *scheme, saiban_generator **ids)
{
    saiban_options options = SAIBAN_OPTIONS_INIT;
    if (strcmp(scheme, "snowflake") == 0) {
        options.node = NODE;
        return saiban_snowflake_new(&options, ids);
    }
    if (strcmp(scheme, "randflake") == 0) {
        options.node = NODE;
        options.secret = SECRET;
        options.secret_len = sizeof SECRET;
        return saiban_randflake_new(&options, ids);
    }
    if (strcmp(scheme, "ulid-flake") == 0) {
        return saiban_ulid_flake_new(&options, ids);
    }
    if (strcmp(scheme, "ulid-flake-scalable") == 0) {
        options.scalability = NODE;
        return saiban_ulid_flake_new(&options, ids);
    }
    if (strcmp(scheme, "flake") == 0) {
        saiban_layout *layout = NULL;
        saiban_error error = saiban_layout_from_text("unused:1 timestamp:41@ms,epoch=2025-01-01 node:10 sequence:12",
                                                     SAIBAN_NUL_TERMINATED, &layout);
        if (error == SAIBAN_OK) {
            options.layout = layout;
            options.node = 0;
            error = saiban_flake_new(&options, ids);
        }
        saiban_layout_free(layout);
        return error;
    }
    return SAIBAN_ERROR_UNKNOWN_NAME;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
    char line[32];
    saiban_generator *ids = NULL;
    if (argc != 2 || open_generator(argv[1], &ids) != SAIBAN_OK) {
        char message[SAIBAN_MESSAGE_CAPACITY] = "usage: serve SCHEME";
        (void)saiban_last_error_message(message, sizeof message, NULL);
        fprintf(stderr, "serve: %s\n", message);
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *rest = line;
        size_t count = strtoul(rest, &rest, 10), written = 0;
        int64_t end = now_ms() + strtol(rest, NULL, 10);
        int64_t head[2] = {0, 0};
        int64_t *made = calloc(count, sizeof *made);
        if (made == NULL) {
            return 1;
        }
        while (written < count && (head[1] == 0 || now_ms() < end)) {
            size_t more = 0;
            if (saiban_fill(ids, made + written, count - written, &more) == SAIBAN_OK) {
                written += more;
            } else {
                head[1]++;
            }
        }
        head[0] = (int64_t)written;
        if (fwrite(head, sizeof head, 1, stdout) != 1 || fwrite(made, sizeof *made, written, stdout) != written ||
            fflush(stdout) != 0) {
            return 1;
        }
        free(made);
    }
    saiban_generator_free(ids);
    return 0;
}
