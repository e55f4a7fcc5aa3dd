/* orders show | emit | read FILE */

#include "ids.h"

#include <string.h>

static int run(const struct ids *ids, int argc, char **argv)
{
    FILE *lines;
    bool well;
    if (argc == 2 && strcmp(argv[1], "show") == 0) {
        return show_orders(ids) ? 0 : 1;
    }
    if (argc == 2 && strcmp(argv[1], "emit") == 0) {
        return emit_ids(ids) ? 0 : 1;
    }
    if (argc != 3 || strcmp(argv[1], "read") != 0) {
        fprintf(stderr, "usage: orders show | emit | read FILE\n");
        return 2;
    }
    lines = fopen(argv[2], "r");
    if (lines == NULL) {
        perror(argv[2]);
        return 1;
    }
    well = read_ids(ids, lines);
    fclose(lines);
    return well ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct ids ids;
    int status;
    if (!open_ids(&ids)) {
        return 1;
    }
    status = run(&ids, argc, argv);
    close_ids(&ids);
    return status;
}
