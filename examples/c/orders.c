/*
 * The story: orders whose numbers came from their own database get IDs. Internally, the key of an
 * order is a Snowflake, which sorts by time. Customers see a Randflake, which reveals nothing.
 */

#include "ids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct order {
    int64_t key;
    int64_t public_id;
    const char *what;
};

enum { ORDERS = 3, MANY = 100000 };

/* Prints a Unix time in a readable form. */
static void print_time(int64_t timestamp_ms)
{
    time_t seconds = (time_t)(timestamp_ms / 1000);
    struct tm *utc = gmtime(&seconds);
    char text[32] = "?";
    if (utc != NULL) {
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", utc);
    }
    printf("%s.%03dZ", text, (int)(timestamp_ms % 1000));
}

static bool print_order(const struct ids *ids, const struct order *order)
{
    char text[SAIBAN_TEXT_CAPACITY];
    saiban_parts parts;
    saiban_error error =
        saiban_to_text(ids->of[RANDFLAKE], order->public_id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL);
    if (error == SAIBAN_OK) {
        error = saiban_generator_inspect(ids->of[SNOWFLAKE], order->key, &parts);
    }
    if (error != SAIBAN_OK) {
        return failed(order->what, error);
    }
    printf("  %-10s key %" PRId64 "   /orders/%-13s   made ", order->what, order->key, text);
    print_time(parts.timestamp_ms);
    printf(" by node %" PRIu64 "\n", parts.node);
    return true;
}

/* Finds the order with this text in a URL, as a request handler would. */
static const struct order *find(const struct ids *ids, const struct order *orders, const char *text)
{
    int64_t public_id;
    saiban_error error = saiban_from_text(ids->of[RANDFLAKE], text, strlen(text), SAIBAN_STRICT, &public_id);
    if (error == SAIBAN_ERROR_TEXT_CHARACTER) {
        printf("  GET /orders/%s: 400, a bad character at position %" PRId64 "\n", text, saiban_last_error_position());
        return NULL;
    }
    if (error != SAIBAN_OK) {
        printf("  GET /orders/%s: 400, %s\n", text, saiban_error_name(error));
        return NULL;
    }
    for (int index = 0; index < ORDERS; index++) {
        if (orders[index].public_id == public_id) {
            printf("  GET /orders/%s: 200, %s\n", text, orders[index].what);
            return &orders[index];
        }
    }
    printf("  GET /orders/%s: 404\n", text);
    return NULL;
}

/* A block of IDs for a bulk load: filled in one call, all different and in order. */
static bool load_in_bulk(const struct ids *ids)
{
    int64_t *keys = malloc(MANY * sizeof *keys);
    size_t made = 0;
    if (keys == NULL) {
        return false;
    }
    while (made < MANY) {
        size_t written = 0;
        saiban_error error = saiban_fill(ids->of[SNOWFLAKE], keys + made, MANY - made, &written);
        if (error != SAIBAN_OK) {
            free(keys);
            return failed("the bulk load", error);
        }
        made += written;
    }
    for (size_t index = 1; index < made; index++) {
        if (keys[index] <= keys[index - 1]) {
            free(keys);
            fprintf(stderr, "the bulk load: two keys are not in order\n");
            return false;
        }
    }
    printf("  %lu keys in one block, all different, all in order\n", (unsigned long)made);
    free(keys);
    return true;
}

/*
 * Prints IDs for other programs: a ULID that traces a request, and the number of an invoice, with a
 * layout of the service's own whose parts everyone in the company can read.
 */
static bool hand_out(void)
{
    static const char *const INVOICES = "unused:1 timestamp:35@100ms,epoch=2025-01-01 node.branch:6 node.till:6 sequence:16";
    saiban_node_part here[] = {{"branch", 12}, {"till", 3}}, parts[SAIBAN_FIELDS_MAX];
    saiban_options options = SAIBAN_OPTIONS_INIT;
    saiban_generator *requests = NULL, *invoices = NULL;
    saiban_layout *layout = NULL;
    saiban_parts invoice;
    char text[SAIBAN_TEXT_CAPACITY];
    int64_t number;
    size_t count;
    saiban_error error = saiban_ulid_new(&options, &requests);
    if (error == SAIBAN_OK) {
        error = saiban_generate_text(requests, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL);
    }
    if (error == SAIBAN_OK) {
        printf("  request %s\n", text);
        error = saiban_layout_from_text(INVOICES, SAIBAN_NUL_TERMINATED, &layout);
    }
    if (error == SAIBAN_OK) {
        error = saiban_layout_node_of_parts(layout, here, 2, &options.node);
    }
    options.layout = layout;
    if (error == SAIBAN_OK) {
        error = saiban_flake_new(&options, &invoices);
    }
    if (error == SAIBAN_OK) {
        error = saiban_generate(invoices, &number);
    }
    if (error == SAIBAN_OK) {
        error = saiban_generator_inspect(invoices, number, &invoice);
    }
    if (error == SAIBAN_OK) {
        error = saiban_layout_node_parts(layout, invoice.node, parts, SAIBAN_FIELDS_MAX, &count);
    }
    if (error == SAIBAN_OK) {
        printf("  invoice %" PRId64 ", of", number);
        for (size_t index = 0; index < count; index++) {
            printf(" %s %" PRId64, parts[index].name, parts[index].value);
        }
        printf("\n");
    }
    saiban_generator_free(requests);
    saiban_generator_free(invoices);
    saiban_layout_free(layout);
    return error == SAIBAN_OK || failed("what is handed out", error);
}

bool show_orders(const struct ids *ids)
{
    static const char *const WHAT[ORDERS] = {"teapot", "kettle", "two cups"};
    struct order orders[ORDERS];
    char text[SAIBAN_TEXT_CAPACITY], bad[SAIBAN_TEXT_CAPACITY];
    saiban_error error;
    printf("saiban %s, in a service written in C\n", saiban_version());
    for (int index = 0; index < ORDERS; index++) {
        orders[index].what = WHAT[index];
        error = saiban_generate(ids->of[SNOWFLAKE], &orders[index].key);
        if (error == SAIBAN_OK) {
            error = saiban_generate(ids->of[RANDFLAKE], &orders[index].public_id);
        }
        if (error != SAIBAN_OK) {
            return failed(WHAT[index], error);
        }
        if (!print_order(ids, &orders[index])) {
            return false;
        }
    }
    error = saiban_to_text(ids->of[RANDFLAKE], orders[1].public_id, SAIBAN_ENCODING_CANONICAL, text, sizeof text, NULL);
    if (error != SAIBAN_OK) {
        return failed(WHAT[1], error);
    }
    strcpy(bad, text);
    bad[4] = '!';
    return find(ids, orders, text) == &orders[1] && find(ids, orders, bad) == NULL && find(ids, orders, "0") == NULL &&
           load_in_bulk(ids) && hand_out();
}
