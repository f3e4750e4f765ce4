/*
 * The bare minimum in C on libdbus that `bedside watch --json --connect all` is measured against: it connects every
 * sensor, starts notifications and prints one JSON line for each reading, flushed at each notification.
 *
 * Usage: notify [--waves] [STORE]
 *
 * No alarms, no reconnection, no checks: what is not needed for the lines is left out, so that it is hard to beat.
 *
 * With the path of a file it also records, by the same rules as Bedside and with as little as they need: a transaction of
 * SQLite a second at most, which the disk has when it ends; each reading, and the extremes of its minute. With --waves it
 * does the same with waves (notify_waves.c).
 */
#define _GNU_SOURCE
#include "notify.h"

#include <dbus/dbus.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROPERTIES "org.freedesktop.DBus.Properties"
#define OBJECT_MANAGER "org.freedesktop.DBus.ObjectManager"

static DBusConnection *bus;
static bool wants_waves;

Device devices[256];
static unsigned device_count;
static Characteristic characteristics[256];
static unsigned characteristic_count;

/* ---- Store ---- */

/* How long readings wait, in milliseconds: with three values a second, the third is written with the two before. */
enum { BATCH = 600 };

sqlite3 *store;
static sqlite3_stmt *begin, *add_reading, *add_minute, *note_time, *commit;

typedef struct {
    int64_t milliseconds;
    long sensor;
    const char *vital;
    double value;
} Reading;

/* The readings that wait; more are written at once. */
static Reading waiting[256];
static unsigned waiting_count;

void check_store(int code) {
    if (code == SQLITE_OK || code == SQLITE_DONE) return;
    fprintf(stderr, "notify: %s\n", sqlite3_errmsg(store));
    exit(73);
}

sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    check_store(sqlite3_prepare_v3(store, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

static void open_store(const char *path) {
    check_store(sqlite3_open(path, &store));
    check_store(sqlite3_exec(
        store,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE reading (ms, sensor, vital, value, PRIMARY KEY (ms, sensor, vital)) WITHOUT ROWID;"
        "CREATE TABLE minute (minute, sensor, vital, low, high, count, PRIMARY KEY (minute, sensor, vital)) WITHOUT ROWID;"
        "CREATE TABLE run (id INTEGER PRIMARY KEY, last_ms); INSERT INTO run VALUES (1, 0);",
        NULL, NULL, NULL));
    begin = prepare("BEGIN IMMEDIATE");
    add_reading = prepare("INSERT INTO reading VALUES (?1, ?2, ?3, ?4)");
    add_minute = prepare(
        "INSERT INTO minute VALUES (?1, ?2, ?3, ?4, ?4, 1) "
        "ON CONFLICT DO UPDATE SET low = min(low, ?4), high = max(high, ?4), count = count + 1");
    note_time = prepare("UPDATE run SET last_ms = ?1 WHERE id = 1");
    commit = prepare("COMMIT");
    if (wants_waves) open_wave_store();
}

void run(sqlite3_stmt *statement) {
    check_store(sqlite3_step(statement));
    check_store(sqlite3_reset(statement));
}

static void bind_reading(sqlite3_stmt *statement, int64_t time, const Reading *reading) {
    sqlite3_bind_int64(statement, 1, time);
    sqlite3_bind_int64(statement, 2, reading->sensor);
    sqlite3_bind_text(statement, 3, reading->vital, -1, SQLITE_STATIC);
    sqlite3_bind_double(statement, 4, reading->value);
    run(statement);
}

static void write_batch(void) {
    if (waiting_count == 0) return;
    int64_t last = waiting[waiting_count - 1].milliseconds;
    if (last - waiting[0].milliseconds < BATCH && waiting_count < 200 && !must_write_waves(last)) return;
    run(begin);
    write_waves();
    for (unsigned i = 0; i < waiting_count; i++) {
        bind_reading(add_reading, waiting[i].milliseconds, &waiting[i]);
        bind_reading(add_minute, waiting[i].milliseconds / 60000, &waiting[i]);
    }
    sqlite3_bind_int64(note_time, 1, last);
    run(note_time);
    run(commit);
    waiting_count = 0;
}

/* ---- Lines ---- */

int64_t print_time(int64_t milliseconds) {
    struct tm utc;
    char text[32];
    if (milliseconds == 0) {
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        milliseconds = time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
    }
    time_t seconds = milliseconds / 1000;
    gmtime_r(&seconds, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    printf("{\"v\":1,\"t\":\"%s.%03dZ\",", text, (int)(milliseconds % 1000));
    return milliseconds;
}

static void print_reading(const Device *device, const char *kind, const char *vital, const char *value, const char *unit) {
    int64_t milliseconds = print_time(0);
    if (store != NULL && waiting_count < 256)
        waiting[waiting_count++] = (Reading){milliseconds, device - devices, vital, strtod(value, NULL)};
    printf(
        "\"event\":\"reading\",\"sensor\":{\"address\":\"%s\",\"name\":\"%s\",\"kind\":\"%s\"},\"vital\":\"%s\","
        "\"state\":\"measured\",\"value\":%s,\"unit\":\"%s\",\"quality\":\"good\"}\n",
        device->address, device->name, kind, vital, value, unit);
}

static double sfloat(const uint8_t *octets) {
    int code = octets[0] | octets[1] << 8;
    int mantissa = code & 0xFFF, exponent = code >> 12;
    return (mantissa < 0x800 ? mantissa : mantissa - 0x1000) * pow(10, exponent < 8 ? exponent : exponent - 16);
}

static void print_oximetry(const Device *device, int saturation, int rate) {
    char value[32];
    snprintf(value, sizeof value, "%d", saturation);
    print_reading(device, "oximeter", "spo2", value, "%");
    snprintf(value, sizeof value, "%d", rate);
    print_reading(device, "oximeter", "pulse_rate", value, "/min");
}

static void print_measurement(Characteristic *characteristic, const uint8_t *octets, int count) {
    char value[32];
    if (strncmp(characteristic->uuid + 4, "2a37", 4) == 0 && count >= 2) {
        int rate = octets[0] & 1 && count >= 3 ? octets[1] | octets[2] << 8 : octets[1];
        snprintf(value, sizeof value, "%d", rate);
        print_reading(characteristic->device, "heart_rate_strap", "heart_rate", value, "/min");
    } else if (strncmp(characteristic->uuid + 4, "2a1c", 4) == 0 && count >= 5) {
        int mantissa = octets[1] | octets[2] << 8 | (int8_t)octets[3] * 65536;
        snprintf(value, sizeof value, "%.10g", mantissa * pow(10, (int8_t)octets[4]));
        print_reading(characteristic->device, "thermometer", "body_temperature", value, "Cel");
    } else if (strncmp(characteristic->uuid + 4, "2a5f", 4) == 0 && count >= 5) {
        snprintf(value, sizeof value, "%.10g", sfloat(octets + 1));
        print_reading(characteristic->device, "oximeter", "spo2", value, "%");
        snprintf(value, sizeof value, "%.10g", sfloat(octets + 3));
        print_reading(characteristic->device, "oximeter", "pulse_rate", value, "/min");
    } else if (strcmp(characteristic->uuid, NONIN_VALUES) == 0 && count >= 10) {
        print_oximetry(characteristic->device, octets[7], octets[8] << 8 | octets[9]);
    } else if (wants_waves) {
        take_wave(characteristic, octets, count);
    }
    fflush(stdout);
}

/* ---- Objects ---- */

static void call(const char *path, const char *interface, const char *member) {
    DBusMessage *message = dbus_message_new_method_call("org.bluez", path, interface, member);
    dbus_message_set_no_reply(message, true);
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

/* Starts the ECG: 130 samples a second of 14 bits. */
static void start_ecg(const char *path) {
    static const uint8_t start[] = {2, 0, 0, 1, 130, 0, 1, 1, 14, 0}, *octets = start;
    DBusMessage *message = dbus_message_new_method_call("org.bluez", path, "org.bluez.GattCharacteristic1", "WriteValue");
    DBusMessageIter arguments, options;
    dbus_message_append_args(message, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &octets, (int)sizeof start, DBUS_TYPE_INVALID);
    dbus_message_iter_init_append(message, &arguments);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
    dbus_message_iter_close_container(&arguments, &options);
    dbus_message_set_no_reply(message, true);
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

static const char *text_in(DBusMessageIter *variant) {
    DBusMessageIter value;
    const char *text = "";
    dbus_message_iter_recurse(variant, &value);
    int type = dbus_message_iter_get_arg_type(&value);
    if (type == DBUS_TYPE_STRING || type == DBUS_TYPE_OBJECT_PATH) dbus_message_iter_get_basic(&value, &text);
    return text;
}

static void take_object(const char *path, const char *interface, DBusMessageIter *properties) {
    const char *address = "", *name = "", *uuid = "";
    for (; dbus_message_iter_get_arg_type(properties) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(properties)) {
        DBusMessageIter entry;
        const char *key;
        dbus_message_iter_recurse(properties, &entry);
        dbus_message_iter_get_basic(&entry, &key);
        dbus_message_iter_next(&entry);
        if (strcmp(key, "Address") == 0) address = text_in(&entry);
        if (strcmp(key, "Name") == 0) name = text_in(&entry);
        if (strcmp(key, "UUID") == 0) uuid = text_in(&entry);
    }
    if (strcmp(interface, "org.bluez.Device1") == 0 && device_count < 256) {
        Device *device = &devices[device_count++];
        snprintf(device->device, sizeof device->device, "%s", path);
        snprintf(device->address, sizeof device->address, "%s", address);
        snprintf(device->name, sizeof device->name, "%s", name);
        call(path, interface, "Connect");
    } else if (strcmp(interface, "org.bluez.GattCharacteristic1") == 0 && characteristic_count < 256) {
        Characteristic *characteristic = &characteristics[characteristic_count++];
        snprintf(characteristic->path, sizeof characteristic->path, "%s", path);
        snprintf(characteristic->uuid, sizeof characteristic->uuid, "%s", uuid);
        for (unsigned i = 0; i < device_count; i++)
            if (strncmp(path, devices[i].device, strlen(devices[i].device)) == 0)
                characteristic->device = &devices[i];
        call(path, interface, "StartNotify");
        if (wants_waves && strcmp(uuid, ECG_CONTROL) == 0) start_ecg(path);
    }
}

static void take_interfaces(const char *path, DBusMessageIter *interfaces) {
    for (; dbus_message_iter_get_arg_type(interfaces) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(interfaces)) {
        DBusMessageIter entry, properties;
        const char *interface;
        dbus_message_iter_recurse(interfaces, &entry);
        dbus_message_iter_get_basic(&entry, &interface);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &properties);
        take_object(path, interface, &properties);
    }
}

static void take_all_objects(DBusMessage *reply) {
    DBusMessageIter arguments, objects;
    dbus_message_iter_init(reply, &arguments);
    dbus_message_iter_recurse(&arguments, &objects);
    for (; dbus_message_iter_get_arg_type(&objects) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&objects)) {
        DBusMessageIter entry, interfaces;
        const char *path;
        dbus_message_iter_recurse(&objects, &entry);
        dbus_message_iter_get_basic(&entry, &path);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &interfaces);
        take_interfaces(path, &interfaces);
    }
}

/* ---- Signals ---- */

static void take_change(const char *path, DBusMessageIter *arguments) {
    const char *interface;
    DBusMessageIter changed;
    dbus_message_iter_get_basic(arguments, &interface);
    if (strcmp(interface, "org.bluez.GattCharacteristic1") != 0) return;
    dbus_message_iter_next(arguments);
    dbus_message_iter_recurse(arguments, &changed);
    for (; dbus_message_iter_get_arg_type(&changed) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&changed)) {
        DBusMessageIter entry, variant, array;
        const char *key;
        dbus_message_iter_recurse(&changed, &entry);
        dbus_message_iter_get_basic(&entry, &key);
        if (strcmp(key, "Value") != 0) continue;
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        dbus_message_iter_recurse(&variant, &array);
        const uint8_t *octets = NULL;
        int count = 0;
        dbus_message_iter_get_fixed_array(&array, &octets, &count);
        for (unsigned i = 0; i < characteristic_count; i++) {
            if (strcmp(characteristics[i].path, path) != 0) continue;
            print_measurement(&characteristics[i], octets, count);
            break;
        }
    }
}

static void take(DBusMessage *message) {
    DBusMessageIter arguments;
    if (dbus_message_is_signal(message, PROPERTIES, "PropertiesChanged")) {
        dbus_message_iter_init(message, &arguments);
        take_change(dbus_message_get_path(message), &arguments);
    } else if (dbus_message_is_signal(message, OBJECT_MANAGER, "InterfacesAdded")) {
        DBusMessageIter interfaces;
        const char *path;
        dbus_message_iter_init(message, &arguments);
        dbus_message_iter_get_basic(&arguments, &path);
        dbus_message_iter_next(&arguments);
        dbus_message_iter_recurse(&arguments, &interfaces);
        take_interfaces(path, &interfaces);
    }
}

int main(int count, char *arguments[]) {
    wants_waves = count > 1 && strcmp(arguments[1], "--waves") == 0;
    if (count > 1 + wants_waves) open_store(arguments[1 + wants_waves]);
    DBusError error = DBUS_ERROR_INIT;
    bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error);
    if (bus == NULL) {
        fprintf(stderr, "notify: %s\n", error.message);
        return 69;
    }
    dbus_bus_add_match(bus, "type='signal',sender='org.bluez'", &error);
    DBusMessage *request = dbus_message_new_method_call("org.bluez", "/", OBJECT_MANAGER, "GetManagedObjects");
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, request, 10000, &error);
    if (reply == NULL) {
        fprintf(stderr, "notify: %s\n", error.message);
        return 69;
    }
    take_all_objects(reply);
    dbus_message_unref(reply);
    dbus_message_unref(request);

    while (dbus_connection_read_write(bus, -1)) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus)) != NULL) {
            take(message);
            dbus_message_unref(message);
        }
        write_batch();
    }
}
