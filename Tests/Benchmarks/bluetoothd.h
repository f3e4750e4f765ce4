/* A stand-in bluetoothd that costs next to nothing: its objects, its answers, and its signals. */
#ifndef BEDSIDE_BENCH_BLUETOOTHD_H
#define BEDSIDE_BENCH_BLUETOOTHD_H

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_ATTRIBUTES = 3 };

/* A characteristic that notifies, with the service that it is in and its flags. */
typedef struct {
    const char *service;
    const char *uuid;
    const char *flags[4];
} Attribute;

/* What a sensor is; the attributes of a service follow one another. */
typedef struct {
    const char *name;
    bool is_paired;
    Attribute attributes[MOST_ATTRIBUTES];
} Kind;

typedef struct {
    const Kind *kind;
    unsigned attribute_count;
    char name[32];
    char address[18];
    char device[64];
    char services[MOST_ATTRIBUTES][96];
    char characteristics[MOST_ATTRIBUTES][128];
    bool is_connected;
    bool is_resolved;
    /* A bit for each attribute. */
    unsigned notifying;
    /* Whether its wave was started. */
    bool is_streaming;
    /* How many values of each attribute were sent. */
    unsigned sent[MOST_ATTRIBUTES];
} Sensor;

extern DBusConnection *bus;
extern Sensor *sensors;
extern unsigned sensor_count;
extern bool is_discovering;

/* Nanoseconds by the monotonic clock. */
int64_t now(void);

/* Makes sensors of the kinds in turn. */
void make_sensors(unsigned count, const Kind *kinds, unsigned kind_count);

/* Takes the name org.bluez on the bus of DBUS_SYSTEM_BUS_ADDRESS; ends the program if that fails. */
void open_bus(void);

/* Serves the bus until a time (0: for ever) or until a descriptor (-1: none) can be read; answers whether it can. */
bool serve(int64_t until, int descriptor);

/* An attribute notifies. */
void value_changes(Sensor *sensor, unsigned attribute, const uint8_t *octets, int count);

/* A sensor is heard with a strength. */
void strength_changes(Sensor *sensor, dbus_int16_t strength);

/* What the user of this file decides: the octets of a read, up to 32 (-1: it cannot be read), and what a write does. */
int read_attribute(Sensor *sensor, unsigned attribute, uint8_t *octets);
void attribute_written(Sensor *sensor, unsigned attribute, const uint8_t *octets, int count);

#endif
