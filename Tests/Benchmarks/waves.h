/* Sensors with waves, for a stand-in bluetoothd. */
#ifndef BEDSIDE_BENCH_WAVES_H
#define BEDSIDE_BENCH_WAVES_H

#include <stdbool.h>

/* Makes straps with an ECG and oximeters with a plethysmogram, in turn. */
void make_wave_sensors(unsigned count);

/* Whether all sensors notify, and send their waves if their notifications have samples at all. */
bool all_waves_ready(unsigned samples);

/* Sends values and waves for so many seconds, an ECG in notifications of so many samples, at most 73. */
void send_waves(unsigned seconds, unsigned samples);

#endif
