/* Counters in forked processes: each process gets numbers of its own. Usage: counter_fork URL */

#define _POSIX_C_SOURCE 200809L
#include "counter.h"

#include <sys/types.h>
#include <sys/wait.h>

static void a_forked_child_gets_its_own_numbers(void)
{
    saiban_counter_options options = counter_options("fork");
    saiban_counter *counter, *in_memory = NULL;
    pid_t child;
    int status = 0;
    options.block_size = 10;
    counter = opened(&options);
    OK(saiban_counter_new(1, 1, &in_memory));
    CHECK(next_of(counter) == 1);
    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        bool is_memory = strncmp(url, "memory:", 7) == 0;
        int64_t number = -9;
        saiban_error error = saiban_counter_generate(counter, &number);
        bool all = is_memory ? error == SAIBAN_ERROR_FORKED : error == SAIBAN_OK && number == 11;
        all = all && saiban_counter_generate(in_memory, &number) == SAIBAN_ERROR_FORKED;
        _exit(all ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(next_of(counter) == 2);
    saiban_counter_free(counter);
    saiban_counter_free(in_memory);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: counter_fork URL\n");
        return 2;
    }
    url = argv[1];
    RUN(a_forked_child_gets_its_own_numbers);
    return close_tests();
}
