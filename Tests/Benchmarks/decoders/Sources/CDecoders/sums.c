#include "decoders.h"

/* A file of its own, so that decoders are called as another module calls them. */

static uint64_t sum_number(struct number number) {
    return number.special == A_NUMBER ? (uint64_t)((int64_t)number.mantissa + number.exponent) : 1;
}

static uint64_t sum_pair(struct saturation_and_rate pair) {
    return sum_number(pair.saturation) + sum_number(pair.rate);
}

uint64_t sum_temperatures(struct values values, size_t rounds) {
    uint64_t sum = 0;
    for (size_t round = 0; round < rounds; round++)
        for (size_t index = 0; index < values.number; index++) {
            struct temperature_measurement value;
            size_t offset;
            if (!decode_temperature(values.octets + index * values.stride, values.count, &value, &offset)) {
                sum += offset;
                continue;
            }
            sum += sum_number(value.temperature) + value.is_fahrenheit;
            if (value.has_timestamp)
                sum += value.timestamp.year + value.timestamp.minute;
            if (value.has_type)
                sum += value.type;
        }
    return sum;
}

uint64_t sum_heart_rates(struct values values, size_t rounds) {
    uint64_t sum = 0;
    for (size_t round = 0; round < rounds; round++)
        for (size_t index = 0; index < values.number; index++) {
            struct heart_rate_measurement value;
            size_t offset;
            if (!decode_heart_rate(values.octets + index * values.stride, values.count, &value, &offset)) {
                sum += offset;
                continue;
            }
            sum += value.heart_rate + (value.contact == CONTACT_DETECTED);
            if (value.has_energy_expended)
                sum += value.energy_expended;
            for (size_t place = 0; place < value.rr_interval_count; place++)
                sum += value.rr_intervals[place];
        }
    return sum;
}

uint64_t sum_oximeters(struct values values, size_t rounds) {
    uint64_t sum = 0;
    for (size_t round = 0; round < rounds; round++)
        for (size_t index = 0; index < values.number; index++) {
            struct oximeter_measurement value;
            size_t offset;
            if (!decode_oximeter(values.octets + index * values.stride, values.count, &value, &offset)) {
                sum += offset;
                continue;
            }
            sum += sum_pair(value.normal);
            if (value.has_fast)
                sum += sum_pair(value.fast);
            if (value.has_slow)
                sum += sum_pair(value.slow);
            if (value.has_measurement_status)
                sum += value.measurement_status;
            if (value.has_device_status)
                sum += value.device_status;
            if (value.has_pulse_amplitude_index)
                sum += sum_number(value.pulse_amplitude_index);
        }
    return sum;
}
