/*
 * The worker of tests/chaos/run in C, without leases. tests/chaos/run describes the input and the
 * files written.
 */

#define _XOPEN_SOURCE 700

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <saiban.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The number of IDs a call. */
#define BLOCK 256
/* The pause after an error. */
#define PAUSE_MS 5

typedef struct {
    int ids;
    int events;
    bool is_child;
    int64_t count;
    char last_error[64];
} record;

static void fail(const char *what)
{
    char message[512] = "";
    (void)saiban_last_error_message(message, sizeof message, NULL);
    (void)fprintf(stderr, "%s: %s %s\n", what, message, errno != 0 ? strerror(errno) : "");
    exit(1);
}

static int64_t now_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        fail("no clock");
    }
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void nap(void)
{
    (void)poll(NULL, 0, PAUSE_MS);
}

static void write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0) {
            fail("cannot write");
        }
        bytes += written;
        count -= (size_t)written;
    }
}

/* Creates a file that is written without a buffer, so that no line is lost on a kill. */
static int create(const char *path, const char *end, bool is_child)
{
    char name[4096];
    char child[32] = "";
    if (is_child) {
        (void)snprintf(child, sizeof child, "-%ld", (long)getpid());
    }
    (void)snprintf(name, sizeof name, "%s%s%s", path, child, end);
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        fail(name);
    }
    return file;
}

static void tell(const record *to, cJSON *event)
{
    char *text = cJSON_PrintUnformatted(event);
    if (text == NULL) {
        fail("no memory");
    }
    write_all(to->events, text, strlen(text));
    write_all(to->events, "\n", 1);
    free(text);
    cJSON_Delete(event);
}

static record begin(const char *path, long parent)
{
    record made = {.is_child = parent != 0};
    made.ids = create(path, ".ids", made.is_child);
    made.events = create(path, ".events", made.is_child);
    cJSON *event = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(event, "event", "start");
    (void)cJSON_AddNumberToObject(event, "at", (double)now_ns());
    (void)cJSON_AddNumberToObject(event, "pid", (double)getpid());
    (void)(made.is_child ? cJSON_AddNumberToObject(event, "parent", (double)parent) : cJSON_AddNullToObject(event, "parent"));
    tell(&made, event);
    return made;
}

static void add_ids(record *to, const int64_t *ids, size_t count)
{
    write_all(to->ids, (const char *)ids, count * sizeof *ids);
    if (to->count == 0) {
        cJSON *event = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(event, "event", "first");
        tell(to, event);
    }
    to->count += (int64_t)count;
    to->last_error[0] = '\0';
}

/* Records the first error of each kind since the last ID. */
static void failed(record *to, saiban_error error)
{
    const char *kind = saiban_error_name(error);
    if (strcmp(kind, to->last_error) != 0) {
        char message[512] = "";
        (void)saiban_last_error_message(message, sizeof message, NULL);
        cJSON *event = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(event, "event", "error");
        (void)cJSON_AddStringToObject(event, "kind", kind);
        (void)cJSON_AddStringToObject(event, "message", message);
        tell(to, event);
        (void)snprintf(to->last_error, sizeof to->last_error, "%s", kind);
    }
}

int main(int argc, char **argv)
{
    cJSON *plan = argc == 2 ? cJSON_Parse(argv[1]) : NULL;
    const char *path = cJSON_GetStringValue(cJSON_GetObjectItem(plan, "record"));
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(plan, "layout"));
    const cJSON *nodes = cJSON_GetObjectItem(plan, "nodes");
    saiban_layout *layout = NULL;
    if (path == NULL || text == NULL || cJSON_GetArraySize(nodes) != 2) {
        fail("usage: worker PLAN, a JSON object with nodes");
    }
    if (saiban_layout_from_text(text, SAIBAN_NUL_TERMINATED, &layout) != SAIBAN_OK ||
        signal(SIGCHLD, SIG_IGN) == SIG_ERR) {
        fail("cannot begin");
    }
    saiban_options options = SAIBAN_OPTIONS_INIT;
    options.layout = layout;
    options.nodes_first = (int64_t)cJSON_GetNumberValue(cJSON_GetArrayItem(nodes, 0));
    options.nodes_end = (int64_t)cJSON_GetNumberValue(cJSON_GetArrayItem(nodes, 1));
    record to = begin(path, 0);
    saiban_generator *ids = NULL;
    for (;;) {
        struct pollfd told = {.fd = 0, .events = to.is_child ? 0 : POLLIN};
        if (poll(&told, 1, 0) > 0) {
            char word = '\0';
            if (to.is_child || read(0, &word, 1) != 1 || word != 'f') {
                break;
            }
            long parent = (long)getpid();
            pid_t child = fork();
            if (child < 0) {
                fail("cannot fork");
            }
            if (child == 0) {
                to = begin(path, parent);
            }
        }
        int64_t block[BLOCK];
        size_t made = 0;
        saiban_error error = ids == NULL ? saiban_flake_new(&options, &ids) : SAIBAN_OK;
        if (error == SAIBAN_OK) {
            error = saiban_fill(ids, block, BLOCK, &made);
        }
        if (error == SAIBAN_OK) {
            add_ids(&to, block, made);
        } else {
            failed(&to, error);
            nap();
        }
    }
    cJSON *event = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(event, "event", "end");
    (void)cJSON_AddNumberToObject(event, "ids", (double)to.count);
    tell(&to, event);
    saiban_generator_free(ids);
    saiban_layout_free(layout);
    cJSON_Delete(plan);
    return 0;
}
