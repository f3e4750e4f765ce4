/*
 * The strap is a Polar H10: heart rate (2A37), and Polar Measurement Data with 130 samples a second, each three octets.
 * The oximeter is a Nonin: ten octets of values, and its plethysmogram with 75 samples a second in lumps of 25.
 *
 * The n-th sample of each wave is the same in all runs (bench_waves.py), so that a reader can tell that none is missing,
 * doubled or out of order.
 */
#define _GNU_SOURCE
#include "waves.h"

#include <string.h>

#include "bluetoothd.h"

#define POLAR "fb005c80-02e7-f387-1cad-8acd2d8df0c8"
#define NONIN "46a970e0-0d5f-11e2-8b5e-0002a5d5c51b"

static const Kind kinds[] = {
    {"Polar H10", false,
     {{"0000180d-0000-1000-8000-00805f9b34fb", "00002a37-0000-1000-8000-00805f9b34fb", {"notify"}},
      {POLAR, "fb005c81-02e7-f387-1cad-8acd2d8df0c8", {"read", "write", "indicate"}},
      {POLAR, "fb005c82-02e7-f387-1cad-8acd2d8df0c8", {"notify"}}}},
    {"Nonin3230", true,
     {{NONIN, "0aad7ea0-0d60-11e2-8e3c-0002a5d5c51b", {"notify"}},
      {NONIN, "ec0a883a-4d24-11e7-b114-b2f933d5fe66", {"notify"}}}},
};

enum { VALUES, CONTROL, DATA, PLETHYSMOGRAM = 1 };
enum { ECG_HERTZ = 130, PLETHYSMOGRAM_HERTZ = 75, PLETHYSMOGRAM_SAMPLES = 25, MOST_SAMPLES = 73 };

static bool has_ecg(const Sensor *sensor) { return sensor->kind == &kinds[0]; }

void make_wave_sensors(unsigned count) { make_sensors(count, kinds, sizeof kinds / sizeof *kinds); }

bool all_waves_ready(unsigned samples) {
    for (unsigned i = 0; i < sensor_count; i++) {
        const Sensor *sensor = &sensors[i];
        unsigned wanted = samples == 0 ? 1 : (1U << sensor->attribute_count) - 1;
        if ((sensor->notifying & wanted) != wanted) return false;
        if (samples != 0 && has_ecg(sensor) && !sensor->is_streaming) return false;
    }
    return true;
}

int read_attribute(Sensor *sensor, unsigned attribute, uint8_t *octets) {
    if (!has_ecg(sensor) || attribute != CONTROL) return -1;
    memset(octets, 0, 17);
    octets[0] = 0x0F; /* the streams that there are */
    octets[1] = 0x01; /* ECG alone */
    return 17;
}

/* The control point answers a question for settings, a start and a stop. */
void attribute_written(Sensor *sensor, unsigned attribute, const uint8_t *octets, int count) {
    if (!has_ecg(sensor) || attribute != CONTROL || count < 2) return;
    uint8_t answer[] = {0xF0, octets[0], octets[1], 0, 0, 0x00, 0x01, 0x82, 0x00, 0x01, 0x01, 0x0E, 0x00};
    if (octets[0] == 2 || octets[0] == 3) sensor->is_streaming = octets[0] == 2;
    value_changes(sensor, CONTROL, answer, octets[0] == 1 ? (int)sizeof answer : 5);
}

/* A beat in 0.8 s, with some noise, in µV; never twice the same value in a row. */
static int32_t ecg_sample(unsigned number) {
    unsigned phase = number % 104;
    int32_t noise = (int32_t)(number * 7 % 13);
    if (phase >= 20 && phase < 32) return 90 + noise;
    if (phase >= 40 && phase < 46) return (const int32_t[]){-80, 400, 1100, 700, -250, -120}[phase - 40] + noise;
    if (phase >= 62 && phase < 78) return 240 + noise;
    return noise;
}

/* A pulse in 0.8 s that rises fast and falls slowly, in the sensor's steps. */
static unsigned plethysmogram_sample(unsigned number) {
    unsigned phase = number % 60;
    return 20000 + number * 5 % 11 + (phase < 12 ? phase * 400 : (60 - phase) * 100);
}

static void send_values(Sensor *sensor) {
    unsigned number = sensor->sent[VALUES]++;
    uint8_t rate = (uint8_t)(60 + number % 40);
    if (has_ecg(sensor)) {
        value_changes(sensor, VALUES, (const uint8_t[]){0x06, rate}, 2);
    } else {
        /* The sensor is attached; a perfusion index of 2.5 %; then saturation and pulse. */
        const uint8_t octets[] = {10, 0x10, 0, 0, 250, (uint8_t)(number >> 8), (uint8_t)number, 97, 0, rate};
        value_changes(sensor, VALUES, octets, sizeof octets);
    }
}

static void send_ecg(Sensor *sensor, unsigned samples) {
    uint8_t octets[10 + 3 * MOST_SAMPLES] = {0};
    unsigned first = sensor->sent[DATA];
    sensor->sent[DATA] += samples;
    /* By a clock that counts from 2000: the time of the last sample. */
    uint64_t stamp = 800000000000000000 + (uint64_t)(first + samples - 1) * 1000000000 / ECG_HERTZ;
    for (unsigned i = 0; i < 8; i++) octets[1 + i] = (uint8_t)(stamp >> (8 * i));
    for (unsigned i = 0; i < samples; i++)
        for (unsigned place = 0; place < 3; place++)
            octets[10 + 3 * i + place] = (uint8_t)((uint32_t)ecg_sample(first + i) >> (8 * place));
    value_changes(sensor, DATA, octets, (int)(10 + 3 * samples));
}

static void send_plethysmogram(Sensor *sensor) {
    uint8_t octets[3 + 2 * PLETHYSMOGRAM_SAMPLES] = {sizeof octets};
    unsigned number = sensor->sent[PLETHYSMOGRAM]++;
    for (unsigned i = 0; i < PLETHYSMOGRAM_SAMPLES; i++) {
        unsigned sample = plethysmogram_sample(number * PLETHYSMOGRAM_SAMPLES + i);
        octets[1 + 2 * i] = (uint8_t)(sample >> 8);
        octets[2 + 2 * i] = (uint8_t)sample;
    }
    octets[sizeof octets - 2] = (uint8_t)(number >> 8);
    octets[sizeof octets - 1] = (uint8_t)number;
    value_changes(sensor, PLETHYSMOGRAM, octets, sizeof octets);
}

/* When a sensor sends its next values, and its next piece of a wave, in nanoseconds from the beginning. */
static double values_due(unsigned place) {
    return (sensors[place].sent[VALUES] + (place + 0.5) / sensor_count) * 1e9;
}

static double wave_due(unsigned place, unsigned samples) {
    const Sensor *sensor = &sensors[place];
    double share = (double)place / sensor_count;
    if (has_ecg(sensor)) return (sensor->sent[DATA] + share * samples) * 1e9 / ECG_HERTZ;
    return (sensor->sent[PLETHYSMOGRAM] + share) * 1e9 * PLETHYSMOGRAM_SAMPLES / PLETHYSMOGRAM_HERTZ;
}

void send_waves(unsigned seconds, unsigned samples) {
    if (samples > MOST_SAMPLES) samples = MOST_SAMPLES;
    int64_t start = now() + 100000000;
    for (;;) {
        unsigned next = 0;
        bool is_wave = false;
        double due = values_due(0);
        for (unsigned place = 0; place < sensor_count; place++) {
            double values = values_due(place), wave = samples == 0 ? values : wave_due(place, samples);
            if (values < due) (next = place, is_wave = false, due = values);
            if (wave < due) (next = place, is_wave = true, due = wave);
        }
        if (due >= seconds * 1e9) return;
        serve(start + (int64_t)due, -1);
        if (!is_wave)
            send_values(&sensors[next]);
        else if (has_ecg(&sensors[next]))
            send_ecg(&sensors[next], samples);
        else
            send_plethysmogram(&sensors[next]);
        dbus_connection_flush(bus);
    }
}
