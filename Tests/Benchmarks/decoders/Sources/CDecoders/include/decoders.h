/* The three decoders that run many times a second, as one writes them in C: every field checked and kept. */
#ifndef DECODERS_H
#define DECODERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A FLOAT or SFLOAT: mantissa x 10^exponent, or one of the specials that stand for no number. */
struct number {
    int32_t mantissa;
    int8_t exponent;
    uint8_t special;
};

enum special { A_NUMBER, NOT_A_NUMBER, POSITIVE_INFINITY, NEGATIVE_INFINITY, NOT_AT_THIS_RESOLUTION, RESERVED };

struct date_time {
    uint16_t year;
    uint8_t month, day, hour, minute, second;
};

struct temperature_measurement {
    struct number temperature;
    bool is_fahrenheit, has_timestamp, has_type;
    uint8_t type;
    struct date_time timestamp;
};

enum sensor_contact { CONTACT_NOT_SUPPORTED, CONTACT_NOT_DETECTED, CONTACT_DETECTED };

struct heart_rate_measurement {
    uint16_t heart_rate, energy_expended;
    bool has_energy_expended, has_rr_intervals;
    uint8_t contact, rr_interval_count;
    uint16_t rr_intervals[254];
};

struct saturation_and_rate {
    struct number saturation, rate;
};

struct oximeter_measurement {
    struct saturation_and_rate normal, fast, slow;
    struct number pulse_amplitude_index;
    uint16_t measurement_status;
    uint32_t device_status;
    bool has_fast, has_slow, has_measurement_status, has_device_status, has_pulse_amplitude_index;
};

/* Each says whether the octets are a value; if not, *offset is that of the field that does not fit. */
bool decode_temperature(const uint8_t *octets, size_t count, struct temperature_measurement *value, size_t *offset);
bool decode_heart_rate(const uint8_t *octets, size_t count, struct heart_rate_measurement *value, size_t *offset);
bool decode_oximeter(const uint8_t *octets, size_t count, struct oximeter_measurement *value, size_t *offset);

/* Values one after the other, each of `stride` octets of which `count` belong to it. */
struct values {
    const uint8_t *octets;
    size_t stride, count, number;
};

/* Decodes all values `rounds` times; returns a sum over every field, so that nothing can be left out. */
uint64_t sum_temperatures(struct values values, size_t rounds);
uint64_t sum_heart_rates(struct values values, size_t rounds);
uint64_t sum_oximeters(struct values values, size_t rounds);

/* How often this process has asked for memory. */
uint64_t allocation_count(void);

/* The processor time of this process in nanoseconds. */
uint64_t processor_nanoseconds(void);

#endif
