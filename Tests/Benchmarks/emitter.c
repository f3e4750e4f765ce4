/*
 * N sensors of a stand-in bluetoothd notify at a rate, or as fast as the bus takes it.
 *
 * Usage: emitter SENSORS HERTZ COUNT, emitter SENSORS latency COUNT TERMINAL [WORD],
 *        emitter SENSORS advertise HERTZ COUNT, or emitter SENSORS waves SECONDS SAMPLES
 *   SENSORS  how many; in turn a heart rate strap (2A37), a thermometer (2A1C), an oximeter (2A5F)
 *   HERTZ    notifications a second of each, evenly staggered; 0: flat out
 *   COUNT    notifications of each
 *   With "latency" the first sensor sends COUNT changes, one after another, and the time until the first octets arrive
 *   at the descriptor TERMINAL is printed for each, in microseconds, as "latency T". With WORD every second change is
 *   a heart rate of 130 in place of 70 or so, and "alarm T W" is printed for it: W is the time until WORD has arrived.
 *
 *   With "advertise" nobody is waited for but a discovery; then each sensor is heard HERTZ times a second, COUNT times,
 *   with another signal strength each time.
 *
 *   With "waves" the sensors are in turn those of waves.c: a strap with an ECG, which must be started, and an oximeter
 *   with a plethysmogram. They send values once a second, and their waves: the ECG in notifications of SAMPLES samples.
 *   With 0 SAMPLES there are only the values, and no wave is waited for.
 *
 * It takes the name org.bluez on the bus of DBUS_SYSTEM_BUS_ADDRESS, prints "serving", then "ready" when all sensors
 * notify, waits for a line on standard input, sends, prints "done", and serves until it is ended.
 */
#define _GNU_SOURCE
#include "bluetoothd.h"
#include "waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Kind kinds[] = {
    {"Strap", false,
     {{"0000180d-0000-1000-8000-00805f9b34fb", "00002a37-0000-1000-8000-00805f9b34fb", {"notify"}}}},
    {"Thermometer", false,
     {{"00001809-0000-1000-8000-00805f9b34fb", "00002a1c-0000-1000-8000-00805f9b34fb", {"indicate"}}}},
    {"Oximeter", false,
     {{"00001822-0000-1000-8000-00805f9b34fb", "00002a5f-0000-1000-8000-00805f9b34fb", {"notify"}}}},
};

static uint8_t wanted_rate; /* 0: whatever comes */

/* The next measurement; readers can tell by the values that none is missing, doubled or out of order. */
static void notify(Sensor *sensor) {
    unsigned number = sensor->sent[0]++;
    uint8_t octets[5] = {0};
    int count = 5;
    if (sensor->kind == &kinds[0]) {
        octets[0] = 0x06; /* contact detected, 8-bit heart rate */
        octets[1] = wanted_rate != 0 ? wanted_rate : (uint8_t)(60 + number % 40);
        count = 2;
    } else if (sensor->kind == &kinds[1]) {
        unsigned tenths = 360 + number % 20; /* a FLOAT: 24-bit mantissa, exponent -1 */
        octets[1] = (uint8_t)tenths;
        octets[2] = (uint8_t)(tenths >> 8);
        octets[4] = 0xFF;
    } else {
        octets[1] = (uint8_t)(95 + number % 5); /* two SFLOATs */
        octets[3] = (uint8_t)(60 + number % 40);
    }
    value_changes(sensor, 0, octets, count);
}

/* ---- Time ---- */

static bool all_notify(void) {
    for (unsigned i = 0; i < sensor_count; i++)
        if (sensors[i].notifying == 0) return false;
    return true;
}

static void send_flat_out(unsigned count) {
    for (unsigned number = 0; number < count; number++) {
        for (unsigned i = 0; i < sensor_count; i++) notify(&sensors[i]);
        if (number % 16 == 0) dbus_connection_flush(bus);
    }
    dbus_connection_flush(bus);
}

static void send_at_rate(unsigned count, double hertz) {
    int64_t start = now() + 100000000;
    double step = 1e9 / hertz / sensor_count;
    for (int64_t number = 0; number < (int64_t)count * sensor_count; number++) {
        serve(start + (int64_t)(step * (double)number), -1);
        notify(&sensors[number % sensor_count]);
        dbus_connection_flush(bus);
    }
}

static void advertise_at_rate(unsigned count, double hertz) {
    int64_t start = now() + 100000000;
    double step = 1e9 / hertz / sensor_count;
    for (int64_t number = 0; number < (int64_t)count * sensor_count; number++) {
        serve(start + (int64_t)(step * (double)number), -1);
        strength_changes(&sensors[number % sensor_count], (dbus_int16_t)(-50 - number * 7 % 41));
        dbus_connection_flush(bus);
    }
}

/* Reads the terminal until a word has come after a time; answers when that was, or 0. */
static int64_t word_arrives(const char *word, int64_t sent, int terminal) {
    static char drawn[262144];
    size_t length = 0;
    while (serve(sent + 2000000000, terminal) && length < sizeof drawn) {
        ssize_t read_now = read(terminal, drawn + length, sizeof drawn - length);
        if (read_now <= 0) exit(0);
        length += (size_t)read_now;
        if (memmem(drawn, length, word, strlen(word)) != NULL) return now();
    }
    return 0;
}

static void measure_latency(unsigned count, int terminal, const char *word) {
    static char drawn[65536];
    for (unsigned number = 0; number < count; number++) {
        bool crosses = word != NULL && number % 2 == 1;
        if (word != NULL) wanted_rate = crosses ? 130 : (uint8_t)(60 + number / 2 % 20);
        /* Gaps of 200 to 300 ms that no regular tick keeps step with, and then a terminal that is at rest. */
        int64_t pause = now() + 200000000 + (number * 37 % 100) * 1000000LL;
        while (serve(pause, terminal))
            if (read(terminal, drawn, sizeof drawn) <= 0) exit(0);
        int64_t sent = now();
        notify(&sensors[0]);
        dbus_connection_flush(bus);
        if (!serve(sent + 2000000000, terminal)) {
            printf("latency none\n");
            continue;
        }
        int64_t first = now();
        int64_t whole = crosses ? word_arrives(word, sent, terminal) : first;
        if (whole == 0)
            printf("latency none\n");
        else if (crosses)
            printf("alarm %.1f %.1f\n", (double)(first - sent) / 1000, (double)(whole - sent) / 1000);
        else
            printf("latency %.1f\n", (double)(first - sent) / 1000);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(
            stderr,
            "usage: emitter SENSORS HERTZ COUNT | SENSORS latency COUNT TERMINAL [WORD] | SENSORS advertise HERTZ COUNT"
            " | SENSORS waves SECONDS SAMPLES\n");
        return 64;
    }
    unsigned sensor_count = (unsigned)atoi(argv[1]), count = (unsigned)atoi(argv[3]);
    const char *mode = argv[2];
    bool advertises = strcmp(mode, "advertise") == 0, sends_waves = strcmp(mode, "waves") == 0 && argc > 4;
    unsigned samples = sends_waves ? (unsigned)atoi(argv[4]) : 0;
    if (sends_waves)
        make_wave_sensors(sensor_count);
    else
        make_sensors(sensor_count, kinds, sizeof kinds / sizeof *kinds);
    setvbuf(stdout, NULL, _IOLBF, 0);
    open_bus();
    printf("serving\n");

    while (advertises ? !is_discovering : sends_waves ? !all_waves_ready(samples) : !all_notify())
        serve(now() + 10000000, -1);
    printf("ready\n");
    serve(0, 0);
    if (getchar() == EOF) return 0;

    double hertz = atof(mode);
    if (advertises)
        advertise_at_rate((unsigned)atoi(argv[4]), atof(argv[3]));
    else if (sends_waves)
        send_waves(count, samples);
    else if (strcmp(mode, "latency") == 0 && argc >= 5)
        measure_latency(count, atoi(argv[4]), argc > 5 ? argv[5] : NULL);
    else if (hertz > 0)
        send_at_rate(count, hertz);
    else
        send_flat_out(count);
    printf("done\n");
    serve(0, -1);
}
