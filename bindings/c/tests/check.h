/*
 * The common parts of the test programs: counts of passed and failed tests, and checks that print
 * what they find.
 */
#ifndef CHECK_H
#define CHECK_H

#include <saiban.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int passed_tests, failed_tests, failed_checks;

/* Prints what is wrong, and fails the running test. */
static void wrong(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    failed_checks++;
    printf("  %s:%d: ", file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) wrong(__FILE__, __LINE__, "check failed: %s", #condition);                                   \
    } while (0)

/* Checks that the call succeeds. */
#define OK(call) FAILS(SAIBAN_OK, call)

/* Checks that the call returns this code. */
#define FAILS(code, call)                                                                                              \
    do {                                                                                                               \
        saiban_error found_ = (call);                                                                                  \
        if (found_ != (code)) {                                                                                        \
            char message_[SAIBAN_MESSAGE_CAPACITY] = "";                                                               \
            (void)saiban_last_error_message(message_, sizeof message_, NULL);                                          \
            wrong(__FILE__, __LINE__, "%s: %s (%s), not %s", #call, saiban_error_name(found_), message_,               \
                  saiban_error_name(code));                                                                            \
        }                                                                                                              \
    } while (0)

/* Runs a test, a function whose name states the property. */
#define RUN(test) finish(#test, (failed_checks = 0, test(), failed_checks))

static void finish(const char *name, int failures)
{
    printf("%s %s\n", failures == 0 ? "ok    " : "FAILED", name);
    if (failures == 0) {
        passed_tests++;
    } else {
        failed_tests++;
    }
}

static int close_tests(void)
{
    printf("%d passed, %d failed, 0 skipped\n", passed_tests, failed_tests);
    return failed_tests == 0 && passed_tests > 0 ? 0 : 1;
}

#endif
