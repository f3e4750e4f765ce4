#include "decoders.h"

static uint16_t word16(const uint8_t *octets) { return (uint16_t)(octets[0] | octets[1] << 8); }

static uint32_t word24(const uint8_t *octets) { return word16(octets) | (uint32_t)octets[2] << 16; }

static uint32_t word32(const uint8_t *octets) { return word16(octets) | (uint32_t)word16(octets + 2) << 16; }

static struct number number(int32_t mantissa, int8_t exponent, int32_t greatest) {
    struct number number = {mantissa, exponent, A_NUMBER};
    if (exponent == 0) {
        if (mantissa == greatest)
            number.special = NOT_A_NUMBER;
        else if (mantissa == greatest - 1)
            number.special = POSITIVE_INFINITY;
        else if (mantissa == -greatest - 1)
            number.special = NOT_AT_THIS_RESOLUTION;
        else if (mantissa == -greatest)
            number.special = RESERVED;
        else if (mantissa == -greatest + 1)
            number.special = NEGATIVE_INFINITY;
    }
    return number;
}

static struct number float32(const uint8_t *octets) {
    const int32_t word = (int32_t)word32(octets);
    return number((int32_t)((uint32_t)word << 8) >> 8, (int8_t)(word >> 24), 0x7FFFFF);
}

static struct number float16(const uint8_t *octets) {
    const int16_t word = (int16_t)word16(octets);
    return number((int16_t)((uint16_t)word << 4) >> 4, (int8_t)(word >> 12), 0x7FF);
}

/* Steps over a field; returns where it begins, or NULL when it does not fit. */
static const uint8_t *take(const uint8_t *octets, size_t count, size_t *position, size_t size) {
    if (count - *position < size)
        return NULL;
    const uint8_t *field = octets + *position;
    *position += size;
    return field;
}

#define TAKE(size)                                      \
    do {                                                \
        field = take(octets, count, &position, (size)); \
        if (!field) {                                   \
            *offset = position;                         \
            return false;                               \
        }                                               \
    } while (0)

bool decode_temperature(const uint8_t *octets, size_t count, struct temperature_measurement *value, size_t *offset) {
    const uint8_t *field;
    size_t position = 0;
    TAKE(1);
    const uint8_t flags = *field;
    value->is_fahrenheit = flags & 1;
    value->has_timestamp = flags >> 1 & 1;
    value->has_type = flags >> 2 & 1;
    TAKE(4);
    value->temperature = float32(field);
    if (value->has_timestamp) {
        TAKE(7);
        value->timestamp = (struct date_time){word16(field), field[2], field[3], field[4], field[5], field[6]};
    }
    if (value->has_type) {
        TAKE(1);
        value->type = *field;
    }
    return true;
}

bool decode_heart_rate(const uint8_t *octets, size_t count, struct heart_rate_measurement *value, size_t *offset) {
    const uint8_t *field;
    size_t position = 0;
    TAKE(1);
    const uint8_t flags = *field;
    switch (flags >> 1 & 3) {
    case 3: value->contact = CONTACT_DETECTED; break;
    case 2: value->contact = CONTACT_NOT_DETECTED; break;
    default: value->contact = CONTACT_NOT_SUPPORTED;
    }
    if (flags & 1) {
        TAKE(2);
        value->heart_rate = word16(field);
    } else {
        TAKE(1);
        value->heart_rate = *field;
    }
    value->has_energy_expended = flags >> 3 & 1;
    if (value->has_energy_expended) {
        TAKE(2);
        value->energy_expended = word16(field);
    }
    value->has_rr_intervals = flags >> 4 & 1;
    value->rr_interval_count = 0;
    if (value->has_rr_intervals)
        for (; count - position >= 2 && value->rr_interval_count < 254; position += 2)
            value->rr_intervals[value->rr_interval_count++] = word16(octets + position);
    return true;
}

bool decode_oximeter(const uint8_t *octets, size_t count, struct oximeter_measurement *value, size_t *offset) {
    const uint8_t *field;
    size_t position = 0;
    TAKE(1);
    const uint8_t flags = *field;
    TAKE(2);
    value->normal.saturation = float16(field);
    TAKE(2);
    value->normal.rate = float16(field);
    value->has_fast = flags & 1;
    if (value->has_fast) {
        TAKE(2);
        value->fast.saturation = float16(field);
        TAKE(2);
        value->fast.rate = float16(field);
    }
    value->has_slow = flags >> 1 & 1;
    if (value->has_slow) {
        TAKE(2);
        value->slow.saturation = float16(field);
        TAKE(2);
        value->slow.rate = float16(field);
    }
    value->has_measurement_status = flags >> 2 & 1;
    if (value->has_measurement_status) {
        TAKE(2);
        value->measurement_status = word16(field);
    }
    value->has_device_status = flags >> 3 & 1;
    if (value->has_device_status) {
        TAKE(3);
        value->device_status = word24(field);
    }
    value->has_pulse_amplitude_index = flags >> 4 & 1;
    if (value->has_pulse_amplitude_index) {
        TAKE(2);
        value->pulse_amplitude_index = float16(field);
    }
    return true;
}
