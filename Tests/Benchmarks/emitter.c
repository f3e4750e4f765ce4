/*
 * A stand-in bluetoothd that costs next to nothing: N sensors notify at a rate, or as fast as the bus takes it.
 *
 * Usage: emitter SENSORS HERTZ COUNT, emitter SENSORS latency COUNT TERMINAL, or emitter SENSORS advertise HERTZ COUNT
 *   SENSORS  how many; in turn a heart rate strap (2A37), a thermometer (2A1C), an oximeter (2A5F)
 *   HERTZ    notifications a second of each, evenly staggered; 0: flat out
 *   COUNT    notifications of each
 *   With "latency" the first sensor sends COUNT changes, one after another, and the time until the first octets arrive
 *   at the descriptor TERMINAL is printed for each, in microseconds, as "latency T".
 *
 *   With "advertise" nobody is waited for but a discovery; then each sensor is heard HERTZ times a second, COUNT times,
 *   with another signal strength each time.
 *
 * It takes the name org.bluez on the bus of DBUS_SYSTEM_BUS_ADDRESS, prints "serving", then "ready" when all sensors
 * notify, waits for a line on standard input, sends, prints "done", and serves until it is ended.
 */
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ADAPTER "/org/bluez/hci0"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define OBJECT_MANAGER "org.freedesktop.DBus.ObjectManager"
#define DEVICE "org.bluez.Device1"
#define SERVICE "org.bluez.GattService1"
#define CHARACTERISTIC "org.bluez.GattCharacteristic1"

typedef struct {
    const char *name;
    const char *service;
    const char *characteristic;
    const char *flag;
} Kind;

static const Kind kinds[] = {
    {"Strap", "0000180d-0000-1000-8000-00805f9b34fb", "00002a37-0000-1000-8000-00805f9b34fb", "notify"},
    {"Thermometer", "00001809-0000-1000-8000-00805f9b34fb", "00002a1c-0000-1000-8000-00805f9b34fb", "indicate"},
    {"Oximeter", "00001822-0000-1000-8000-00805f9b34fb", "00002a5f-0000-1000-8000-00805f9b34fb", "notify"},
};

typedef struct {
    const Kind *kind;
    char name[32];
    char address[18];
    char device[64];
    char service[80];
    char characteristic[96];
    bool connected;
    bool resolved;
    bool notifying;
    unsigned sent;
} Sensor;

static DBusConnection *bus;
static Sensor *sensors;
static unsigned sensor_count;
static bool discovering;
static dbus_int16_t strength = -60;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* ---- Values on the wire ---- */

static void append_variant(DBusMessageIter *to, int type, const void *value) {
    char signature[2] = {(char)type, 0};
    DBusMessageIter variant;
    dbus_message_iter_open_container(to, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_append_basic(&variant, type, value);
    dbus_message_iter_close_container(to, &variant);
}

static void property(DBusMessageIter *properties, const char *name, int type, const void *value) {
    DBusMessageIter entry;
    dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    append_variant(&entry, type, value);
    dbus_message_iter_close_container(properties, &entry);
}

static void text_property(DBusMessageIter *properties, const char *name, const char *text) {
    property(properties, name, DBUS_TYPE_STRING, &text);
}

static void path_property(DBusMessageIter *properties, const char *name, const char *path) {
    property(properties, name, DBUS_TYPE_OBJECT_PATH, &path);
}

static void flag_property(DBusMessageIter *properties, const char *name, bool flag) {
    dbus_bool_t value = flag;
    property(properties, name, DBUS_TYPE_BOOLEAN, &value);
}

static void list_property(DBusMessageIter *properties, const char *name, const char *text) {
    DBusMessageIter entry, variant, array;
    dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &array);
    if (text != NULL) dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, &text);
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(properties, &entry);
}

static void octets_property(DBusMessageIter *properties, const char *name, const uint8_t *octets, int count) {
    DBusMessageIter entry, variant, array;
    dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "ay", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &octets, count);
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(properties, &entry);
}

/* ---- Objects ---- */

static void adapter_properties(DBusMessageIter *properties) {
    text_property(properties, "Address", "00:00:5E:00:53:01");
    text_property(properties, "AddressType", "public");
    text_property(properties, "Name", "bench");
    text_property(properties, "Alias", "bench");
    flag_property(properties, "Powered", true);
    flag_property(properties, "Discoverable", false);
    flag_property(properties, "Pairable", false);
    flag_property(properties, "Discovering", discovering);
    list_property(properties, "Roles", "central");
    list_property(properties, "UUIDs", NULL);
}

static void device_properties(DBusMessageIter *properties, const Sensor *sensor) {
    text_property(properties, "Address", sensor->address);
    text_property(properties, "AddressType", "random");
    text_property(properties, "Name", sensor->name);
    text_property(properties, "Alias", sensor->name);
    flag_property(properties, "Paired", false);
    flag_property(properties, "Trusted", false);
    flag_property(properties, "Blocked", false);
    flag_property(properties, "LegacyPairing", false);
    flag_property(properties, "Connected", sensor->connected);
    flag_property(properties, "ServicesResolved", sensor->resolved);
    list_property(properties, "UUIDs", sensor->kind->service);
    path_property(properties, "Adapter", ADAPTER);
    property(properties, "RSSI", DBUS_TYPE_INT16, &strength);
}

static void service_properties(DBusMessageIter *properties, const Sensor *sensor) {
    text_property(properties, "UUID", sensor->kind->service);
    path_property(properties, "Device", sensor->device);
    flag_property(properties, "Primary", true);
}

static void characteristic_properties(DBusMessageIter *properties, const Sensor *sensor) {
    dbus_uint16_t mtu = 247;
    text_property(properties, "UUID", sensor->kind->characteristic);
    path_property(properties, "Service", sensor->service);
    octets_property(properties, "Value", (const uint8_t *)"", 0);
    flag_property(properties, "Notifying", sensor->notifying);
    list_property(properties, "Flags", sensor->kind->flag);
    property(properties, "MTU", DBUS_TYPE_UINT16, &mtu);
}

/* The interfaces of one object: a dictionary with one entry. */
static void append_interfaces(DBusMessageIter *to, const char *interface, const Sensor *sensor) {
    DBusMessageIter interfaces, entry, properties;
    dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "{sa{sv}}", &interfaces);
    dbus_message_iter_open_container(&interfaces, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_ARRAY, "{sv}", &properties);
    if (sensor == NULL)
        adapter_properties(&properties);
    else if (strcmp(interface, DEVICE) == 0)
        device_properties(&properties, sensor);
    else if (strcmp(interface, SERVICE) == 0)
        service_properties(&properties, sensor);
    else
        characteristic_properties(&properties, sensor);
    dbus_message_iter_close_container(&entry, &properties);
    dbus_message_iter_close_container(&interfaces, &entry);
    dbus_message_iter_close_container(to, &interfaces);
}

static void append_object(DBusMessageIter *objects, const char *path, const char *interface, const Sensor *sensor) {
    DBusMessageIter entry;
    dbus_message_iter_open_container(objects, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_OBJECT_PATH, &path);
    append_interfaces(&entry, interface, sensor);
    dbus_message_iter_close_container(objects, &entry);
}

static void append_all_objects(DBusMessageIter *to) {
    DBusMessageIter objects;
    dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &objects);
    append_object(&objects, ADAPTER, "org.bluez.Adapter1", NULL);
    for (unsigned i = 0; i < sensor_count; i++) {
        append_object(&objects, sensors[i].device, DEVICE, &sensors[i]);
        if (!sensors[i].resolved) continue;
        append_object(&objects, sensors[i].service, SERVICE, &sensors[i]);
        append_object(&objects, sensors[i].characteristic, CHARACTERISTIC, &sensors[i]);
    }
    dbus_message_iter_close_container(to, &objects);
}

/* ---- Signals ---- */

static void send_message(DBusMessage *message) {
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

static void object_appears(const char *path, const char *interface, const Sensor *sensor) {
    DBusMessage *signal = dbus_message_new_signal("/", OBJECT_MANAGER, "InterfacesAdded");
    DBusMessageIter arguments;
    dbus_message_iter_init_append(signal, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_OBJECT_PATH, &path);
    append_interfaces(&arguments, interface, sensor);
    send_message(signal);
}

/* A property has changed: a flag, the signal strength (-1 octets) or a value of some octets. */
static void property_changes(
    const char *path, const char *interface, const char *name, bool flag, const uint8_t *octets, int count) {
    DBusMessage *signal = dbus_message_new_signal(path, PROPERTIES, "PropertiesChanged");
    DBusMessageIter arguments, changed, invalidated;
    dbus_message_iter_init_append(signal, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &changed);
    if (count < 0) {
        property(&changed, name, DBUS_TYPE_INT16, &strength);
    } else if (count > 0) {
        octets_property(&changed, name, octets, count);
    } else {
        flag_property(&changed, name, flag);
    }
    dbus_message_iter_close_container(&arguments, &changed);
    dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "s", &invalidated);
    dbus_message_iter_close_container(&arguments, &invalidated);
    send_message(signal);
}

/* The next measurement; readers can tell by the values that none is missing, doubled or out of order. */
static void notify(Sensor *sensor) {
    unsigned number = sensor->sent++;
    uint8_t octets[5] = {0};
    int count = 5;
    if (sensor->kind == &kinds[0]) {
        octets[0] = 0x06; /* contact detected, 8-bit heart rate */
        octets[1] = (uint8_t)(60 + number % 40);
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
    property_changes(sensor->characteristic, CHARACTERISTIC, "Value", false, octets, count);
}

/* ---- Calls ---- */

static Sensor *sensor_at(const char *path) {
    for (unsigned i = 0; i < sensor_count; i++) {
        size_t length = strlen(sensors[i].device);
        if (strncmp(path, sensors[i].device, length) == 0 && (path[length] == 0 || path[length] == '/'))
            return &sensors[i];
    }
    return NULL;
}

static void set_connected(Sensor *sensor, bool connected) {
    sensor->connected = connected;
    property_changes(sensor->device, DEVICE, "Connected", connected, NULL, 0);
}

static void resolve_services(Sensor *sensor) {
    object_appears(sensor->service, SERVICE, sensor);
    object_appears(sensor->characteristic, CHARACTERISTIC, sensor);
    sensor->resolved = true;
    property_changes(sensor->device, DEVICE, "ServicesResolved", true, NULL, 0);
}

static DBusHandlerResult answer(DBusConnection *connection, DBusMessage *call, void *unused) {
    (void)connection;
    (void)unused;
    if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    const char *member = dbus_message_get_member(call);
    Sensor *sensor = sensor_at(dbus_message_get_path(call));
    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter arguments;
    dbus_message_iter_init_append(reply, &arguments);

    if (strcmp(member, "GetManagedObjects") == 0) {
        append_all_objects(&arguments);
    } else if (strcmp(member, "GetAll") == 0 || strcmp(member, "Get") == 0 || strcmp(member, "Introspect") == 0) {
        dbus_message_unref(reply);
        reply = dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, "not needed here");
    } else if (strcmp(member, "ReadValue") == 0) {
        dbus_message_unref(reply);
        reply = dbus_message_new_error(call, "org.bluez.Error.NotPermitted", "Read not permitted");
    } else if (strcmp(member, "Connect") == 0 && sensor != NULL && !sensor->connected) {
        set_connected(sensor, true);
    } else if (strcmp(member, "StartNotify") == 0 && sensor != NULL) {
        sensor->notifying = true;
        property_changes(sensor->characteristic, CHARACTERISTIC, "Notifying", true, NULL, 0);
    } else if (strcmp(member, "StartDiscovery") == 0) {
        discovering = true;
        property_changes(ADAPTER, "org.bluez.Adapter1", "Discovering", true, NULL, 0);
    } else if (strcmp(member, "StopDiscovery") == 0) {
        discovering = false;
        property_changes(ADAPTER, "org.bluez.Adapter1", "Discovering", false, NULL, 0);
    } else if (strcmp(member, "Disconnect") == 0 && sensor != NULL && sensor->connected) {
        sensor->notifying = false;
        sensor->resolved = false;
        property_changes(sensor->device, DEVICE, "ServicesResolved", false, NULL, 0);
    }
    send_message(reply);

    /* What bluetoothd signals after its answer. */
    if (strcmp(member, "Connect") == 0 && sensor != NULL && !sensor->resolved) resolve_services(sensor);
    if (strcmp(member, "Disconnect") == 0 && sensor != NULL && sensor->connected) set_connected(sensor, false);
    if (strcmp(member, "StartDiscovery") == 0)
        for (unsigned i = 0; i < sensor_count; i++)
            property_changes(sensors[i].device, DEVICE, "RSSI", false, NULL, -1);
    return DBUS_HANDLER_RESULT_HANDLED;
}

/* ---- Time ---- */

/* Serves the bus until a time (0: for ever) or until a descriptor (-1: none) can be read; answers whether it can. */
static bool serve(int64_t until, int descriptor) {
    struct pollfd polled[2] = {{.events = POLLIN}, {.fd = descriptor, .events = POLLIN}};
    dbus_connection_get_unix_fd(bus, &polled[0].fd);
    for (;;) {
        dbus_connection_flush(bus);
        while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {}
        dbus_connection_flush(bus);
        int64_t left = until - now();
        if (until != 0 && left <= 0) return false;
        struct timespec timeout = {.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
        if (ppoll(polled, 2, until == 0 ? NULL : &timeout, NULL) <= 0) continue;
        if (polled[0].revents != 0 && !dbus_connection_read_write(bus, 0)) exit(0);
        if (polled[1].revents != 0) return true;
    }
}

static bool all_notify(void) {
    for (unsigned i = 0; i < sensor_count; i++)
        if (!sensors[i].notifying) return false;
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
        strength = (dbus_int16_t)(-50 - number * 7 % 41);
        property_changes(sensors[number % sensor_count].device, DEVICE, "RSSI", false, NULL, -1);
        dbus_connection_flush(bus);
    }
}

static void measure_latency(unsigned count, int terminal) {
    static char drawn[65536];
    for (unsigned number = 0; number < count; number++) {
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
        printf("latency %.1f\n", (double)(now() - sent) / 1000);
    }
}

static void make_sensors(unsigned count) {
    sensor_count = count;
    sensors = calloc(count, sizeof *sensors);
    if (sensors == NULL) exit(71);
    for (unsigned i = 0; i < count; i++) {
        Sensor *sensor = &sensors[i];
        sensor->kind = &kinds[i % 3];
        snprintf(sensor->name, sizeof sensor->name, "%s %u", sensor->kind->name, i);
        snprintf(sensor->address, sizeof sensor->address, "C0:00:5E:00:53:%02X", i & 0xFF);
        snprintf(sensor->device, sizeof sensor->device, ADAPTER "/dev_C0_00_5E_00_53_%02X", i & 0xFF);
        snprintf(sensor->service, sizeof sensor->service, "%s/service0010", sensor->device);
        snprintf(sensor->characteristic, sizeof sensor->characteristic, "%s/char0011", sensor->service);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: emitter SENSORS HERTZ COUNT | SENSORS latency COUNT TERMINAL | SENSORS advertise HERTZ COUNT\n");
        return 64;
    }
    make_sensors((unsigned)atoi(argv[1]));
    setvbuf(stdout, NULL, _IOLBF, 0);

    DBusError error = DBUS_ERROR_INIT;
    bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error);
    if (bus == NULL || dbus_bus_request_name(bus, "org.bluez", 0, &error) < 0) {
        fprintf(stderr, "emitter: %s\n", error.message);
        return 69;
    }
    dbus_connection_set_exit_on_disconnect(bus, false);
    dbus_connection_add_filter(bus, answer, NULL, NULL);
    printf("serving\n");

    bool advertises = strcmp(argv[2], "advertise") == 0;
    while (advertises ? !discovering : !all_notify()) serve(now() + 10000000, -1);
    printf("ready\n");
    serve(0, 0);
    if (getchar() == EOF) return 0;

    unsigned count = (unsigned)atoi(argv[3]);
    double hertz = atof(argv[2]);
    if (advertises)
        advertise_at_rate((unsigned)atoi(argv[4]), atof(argv[3]));
    else if (argc == 5)
        measure_latency(count, atoi(argv[4]));
    else if (hertz > 0)
        send_at_rate(count, hertz);
    else
        send_flat_out(count);
    printf("done\n");
    serve(0, -1);
}
