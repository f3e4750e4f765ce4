/* What notify.c and notify_waves.c share: the sensors, the store, and the beginning of a line. */
#ifndef BEDSIDE_BENCH_NOTIFY_H
#define BEDSIDE_BENCH_NOTIFY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#define ECG_CONTROL "fb005c81-02e7-f387-1cad-8acd2d8df0c8"
#define ECG_DATA "fb005c82-02e7-f387-1cad-8acd2d8df0c8"
#define NONIN_VALUES "0aad7ea0-0d60-11e2-8e3c-0002a5d5c51b"
#define NONIN_PLETHYSMOGRAM "ec0a883a-4d24-11e7-b114-b2f933d5fe66"

typedef struct {
    char device[64];
    char address[18];
    char name[64];
} Device;

/* The samples of a wave that wait for their row, each as the difference to the one before. */
typedef struct {
    int64_t milliseconds;
    int32_t last;
    unsigned count;
    unsigned octet_count;
    uint8_t octets[2048];
} Row;

/* A characteristic that notifies; several may be of one device. */
typedef struct {
    char path[96];
    char uuid[37];
    const Device *device;
    /* Of a wave: the time of its last sample in nanoseconds by the sensor, and that of the program minus it. */
    int64_t last;
    int64_t offset;
    Row row;
} Characteristic;

extern Device devices[256];
extern sqlite3 *store;

void check_store(int code);
sqlite3_stmt *prepare(const char *sql);
void run(sqlite3_stmt *statement);

/* Prints the beginning of a line with a time in milliseconds since 1970 (0: the present one); answers it. */
int64_t print_time(int64_t milliseconds);

void open_wave_store(void);
/* Prints the samples of a notification, and keeps them for the store. */
void take_wave(Characteristic *characteristic, const uint8_t *octets, int count);
/* Whether a row has waited long enough at a time in milliseconds. */
bool must_write_waves(int64_t milliseconds);
/* Writes what waits, in the transaction that is open. */
void write_waves(void);

#endif
