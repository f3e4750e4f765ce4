/*
 * Waves in the bare minimum of notify.c: each notification is decoded, its samples get their times by the stamp or the
 * counter, one JSON line is printed for it, and about a second of samples becomes a row of the store, packed as Bedside
 * packs them. The earliest arrival tells the difference of the clocks; nothing is measured, lost or taken up again.
 */
#define _GNU_SOURCE
#include "notify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SAMPLES = 80, ECG_HEADER = 10, PLETHYSMOGRAM_SAMPLES = 25, ROW_SAMPLES = 146, MOST_ROWS = 512 };

static const double ECG_INTERVAL = 1e9 / 130, PLETHYSMOGRAM_INTERVAL = 1e9 / 75;

/* The rows that are complete and wait for the next transaction. */
typedef struct {
    Row row;
    long sensor;
    const char *kind;
} WaitingRow;

static WaitingRow *waiting;
static unsigned waiting_count;
static sqlite3_stmt *add_wave;

void open_wave_store(void) {
    waiting = calloc(MOST_ROWS, sizeof *waiting);
    if (waiting == NULL) exit(71);
    check_store(sqlite3_exec(
        store, "CREATE TABLE wave (ms, sensor, kind, count, samples, PRIMARY KEY (ms, sensor, kind)) WITHOUT ROWID;",
        NULL, NULL, NULL));
    add_wave = prepare("INSERT INTO wave VALUES (?1, ?2, ?3, ?4, ?5)");
}

bool must_write_waves(int64_t milliseconds) {
    return waiting_count > 0 && milliseconds - waiting[0].row.milliseconds > 2000;
}

void write_waves(void) {
    for (unsigned i = 0; i < waiting_count; i++) {
        const Row *row = &waiting[i].row;
        sqlite3_bind_int64(add_wave, 1, row->milliseconds);
        sqlite3_bind_int64(add_wave, 2, waiting[i].sensor);
        sqlite3_bind_text(add_wave, 3, waiting[i].kind, -1, SQLITE_STATIC);
        sqlite3_bind_int64(add_wave, 4, row->count);
        sqlite3_bind_blob(add_wave, 5, row->octets, (int)row->octet_count, SQLITE_STATIC);
        run(add_wave);
    }
    waiting_count = 0;
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Appends a number in decimal; answers the place behind it. */
static char *put_number(char *text, int32_t number) {
    char digits[12];
    unsigned count = 0;
    uint32_t rest = number < 0 ? 0U - (uint32_t)number : (uint32_t)number;
    if (number < 0) *text++ = '-';
    do digits[count++] = (char)('0' + rest % 10); while ((rest /= 10) != 0);
    while (count > 0) *text++ = digits[--count];
    return text;
}

static void print_wave(
    const Device *device, const char *kind, const char *wave, const char *unit, double hertz, int64_t milliseconds,
    const int32_t *samples, unsigned count) {
    char text[12 * MOST_SAMPLES], *end = text;
    for (unsigned i = 0; i < count; i++) {
        if (i > 0) *end++ = ',';
        end = put_number(end, samples[i]);
    }
    print_time(milliseconds);
    printf(
        "\"event\":\"wave\",\"sensor\":{\"address\":\"%s\",\"name\":\"%s\",\"kind\":\"%s\"},\"wave\":\"%s\",\"unit\":"
        "\"%s\",\"rate_hz\":%.2f,\"lost\":null,\"continues\":true,\"samples\":[%.*s]}\n",
        device->address, device->name, kind, wave, unit, hertz, (int)(end - text), text);
}

static void keep(Characteristic *characteristic, const char *kind, int64_t milliseconds, const int32_t *samples, unsigned count) {
    Row *row = &characteristic->row;
    if (row->count == 0) row->milliseconds = milliseconds;
    for (unsigned i = 0; i < count; i++) {
        int64_t difference = (int64_t)samples[i] - row->last;
        uint64_t rest = (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63);
        for (; rest >= 0x80; rest >>= 7) row->octets[row->octet_count++] = (uint8_t)(rest | 0x80);
        row->octets[row->octet_count++] = (uint8_t)rest;
        row->last = samples[i];
    }
    row->count += count;
    if (row->count + count <= ROW_SAMPLES || waiting_count == MOST_ROWS) return;
    waiting[waiting_count++] = (WaitingRow){*row, characteristic->device - devices, kind};
    row->count = row->octet_count = 0;
    row->last = 0;
}

/* The time of the first sample of a notification in milliseconds since 1970, by that of its last one. */
static int64_t first_time(Characteristic *characteristic, int64_t last, double interval, unsigned count) {
    int64_t monotonic = nanoseconds(CLOCK_MONOTONIC), wall = nanoseconds(CLOCK_REALTIME);
    int64_t first = characteristic->last != 0 ? characteristic->last + (int64_t)interval
                                              : last - (int64_t)(interval * (count - 1));
    if (characteristic->last == 0 || monotonic - last < characteristic->offset) characteristic->offset = monotonic - last;
    characteristic->last = last;
    return (wall - monotonic + first + characteristic->offset) / 1000000;
}

void take_wave(Characteristic *characteristic, const uint8_t *octets, int size) {
    int32_t samples[MOST_SAMPLES];
    unsigned count = 0;
    if (strcmp(characteristic->uuid, ECG_DATA) == 0 && size > ECG_HEADER && octets[0] == 0 && octets[9] == 0) {
        uint64_t stamp = 0;
        for (unsigned i = 0; i < 8; i++) stamp |= (uint64_t)octets[1 + i] << (8 * i);
        for (int place = ECG_HEADER; place + 3 <= size && count < MOST_SAMPLES; place += 3)
            samples[count++] = octets[place] | octets[place + 1] << 8 | (int8_t)octets[place + 2] * 65536;
        int64_t time = first_time(characteristic, (int64_t)stamp, ECG_INTERVAL, count);
        print_wave(characteristic->device, "heart_rate_strap", "ecg", "uV", 130, time, samples, count);
        if (store != NULL) keep(characteristic, "ecg", time, samples, count);
    } else if (strcmp(characteristic->uuid, NONIN_PLETHYSMOGRAM) == 0 && size >= 3 + 2 * PLETHYSMOGRAM_SAMPLES) {
        for (; count < PLETHYSMOGRAM_SAMPLES; count++) samples[count] = octets[1 + 2 * count] << 8 | octets[2 + 2 * count];
        int64_t number = (octets[size - 2] << 8 | octets[size - 1]) + INT64_C(1);
        int64_t last = (int64_t)((double)(number * PLETHYSMOGRAM_SAMPLES) * PLETHYSMOGRAM_INTERVAL);
        int64_t time = first_time(characteristic, last, PLETHYSMOGRAM_INTERVAL, count);
        print_wave(characteristic->device, "oximeter", "pleth", "steps", 75, time, samples, count);
        if (store != NULL) keep(characteristic, "pleth", time, samples, count);
    }
}
