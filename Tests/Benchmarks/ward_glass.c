/*
 * Looks at the screen of a ward as a person does, and says when what was drawn. The terminal is emulated by libvterm.
 *
 * Usage: ward_glass COLUMNS ROWS TERMINAL [SIGNAL MESSAGES]
 *   TERMINAL  the descriptor of the pseudo-terminal
 *   SIGNAL    a descriptor that gets an octet for each new value
 *   MESSAGES  a descriptor with lines of mosquitto_sub, each with a reading
 *
 * It prints, T being the monotonic time in microseconds at which the octets were there:
 *   header T TEXT    the first line of the screen, at each change
 *   begin T NUMBER   the log shows for the first time that the alarm with the text "Edge NUMBER" is active
 *   end T NUMBER     and that it has ended
 *   value T NUMBER   the first number beside "bed 0", at each change
 *   message T NUMBER the value of a line of mosquitto_sub
 *   octets T NUMBER  how many octets the terminal has got since its start, at most twice a second
 */
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#define MOST_EDGES 1000000

static int columns, rows;
static bool *is_dirty;
static char *has_begun, *has_ended;
static char header[1024];
static long shown_value = -1;
static int signal_descriptor = -1;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static int damaged(VTermRect area, void *unused) {
    (void)unused;
    for (int row = area.start_row; row < area.end_row && row < rows; row++) is_dirty[row] = true;
    return 1;
}

static void see_edge(const char *line, const char *change, const char *word, char *seen, long long moment) {
    const char *place = strstr(line, change);
    if (place == NULL) return;
    long number = atol(place + strlen(change));
    if (number <= 0 || number >= MOST_EDGES || seen[number]) return;
    seen[number] = 1;
    printf("%s %lld %ld\n", word, moment, number);
}

static void see(int row, const char *line, long long moment) {
    if (row == 0 && strcmp(line, header) != 0) {
        snprintf(header, sizeof header, "%s", line);
        printf("header %lld %s\n", moment, header);
    }
    see_edge(line, " active: Edge ", "begin", has_begun, moment);
    see_edge(line, " ended: Edge ", "end", has_ended, moment);
    const char *place = strstr(line, "bed 0 ");
    if (place == NULL) return;
    long value = atol(place + strlen("bed 0 "));
    if (value == 0 || value == shown_value) return;
    shown_value = value;
    printf("value %lld %ld\n", moment, value);
    if (signal_descriptor >= 0 && write(signal_descriptor, "!", 1) != 1) exit(74);
}

static void read_messages(int descriptor) {
    static char text[65536];
    static size_t used;
    ssize_t count = read(descriptor, text + used, sizeof text - 1 - used);
    if (count <= 0) exit(74);
    long long moment = now();
    used += (size_t)count;
    text[used] = 0;
    char *line = text, *end;
    while ((end = strchr(line, '\n')) != NULL) {
        *end = 0;
        const char *value = strstr(line, "\"value\":");
        if (value != NULL) printf("message %lld %ld\n", moment, atol(value + strlen("\"value\":")));
        line = end + 1;
    }
    used = strlen(line);
    memmove(text, line, used + 1);
    if (used == sizeof text - 1) exit(65);
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 6) {
        fprintf(stderr, "usage: ward_glass COLUMNS ROWS TERMINAL [SIGNAL MESSAGES]\n");
        return 64;
    }
    columns = atoi(argv[1]);
    rows = atoi(argv[2]);
    if (argc == 6) signal_descriptor = atoi(argv[4]);
    struct pollfd polled[2] = {
        {.fd = atoi(argv[3]), .events = POLLIN}, {.fd = argc == 6 ? atoi(argv[5]) : -1, .events = POLLIN}};
    is_dirty = calloc((size_t)rows, sizeof *is_dirty);
    has_begun = calloc(MOST_EDGES, 1);
    has_ended = calloc(MOST_EDGES, 1);
    char *line = malloc((size_t)columns * 8 + 1), *octets = malloc(1 << 20);
    if (is_dirty == NULL || has_begun == NULL || has_ended == NULL || line == NULL || octets == NULL) return 71;
    setvbuf(stdout, NULL, _IOLBF, 0);
    VTerm *terminal = vterm_new(rows, columns);
    vterm_set_utf8(terminal, 1);
    VTermScreen *screen = vterm_obtain_screen(terminal);
    VTermScreenCallbacks callbacks = {.damage = damaged};
    vterm_screen_set_callbacks(screen, &callbacks, NULL);
    vterm_screen_reset(screen, 1);
    long long total = 0, told = 0;
    for (;;) {
        if (poll(polled, 2, -1) < 0) continue;
        if (polled[1].revents != 0) read_messages(polled[1].fd);
        if (polled[0].revents == 0) continue;
        ssize_t count = read(polled[0].fd, octets, 1 << 20);
        if (count <= 0) break;
        long long moment = now();
        total += count;
        if (moment - told >= 500000) {
            told = moment;
            printf("octets %lld %lld\n", moment, total);
        }
        vterm_input_write(terminal, octets, (size_t)count);
        vterm_screen_flush_damage(screen);
        for (int row = 0; row < rows; row++) {
            if (!is_dirty[row]) continue;
            is_dirty[row] = false;
            VTermRect area = {.start_row = row, .end_row = row + 1, .start_col = 0, .end_col = columns};
            line[vterm_screen_get_text(screen, line, (size_t)columns * 8, area)] = 0;
            see(row, line, moment);
        }
    }
    return 0;
}
