#define _GNU_SOURCE
#include "bluetoothd.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ADAPTER "/org/bluez/hci0"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define OBJECT_MANAGER "org.freedesktop.DBus.ObjectManager"
#define DEVICE "org.bluez.Device1"
#define SERVICE "org.bluez.GattService1"
#define CHARACTERISTIC "org.bluez.GattCharacteristic1"

DBusConnection *bus;
Sensor *sensors;
unsigned sensor_count;
bool is_discovering;

int64_t now(void) {
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

static void flag_property(DBusMessageIter *properties, const char *name, bool flag) {
    dbus_bool_t value = flag;
    property(properties, name, DBUS_TYPE_BOOLEAN, &value);
}

/* A list of texts, some of which may be NULL. */
static void list_property(DBusMessageIter *properties, const char *name, const char *const *texts, unsigned count) {
    DBusMessageIter entry, variant, array;
    dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &array);
    for (unsigned i = 0; i < count; i++)
        if (texts[i] != NULL) dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, &texts[i]);
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(properties, &entry);
}

static void append_octets(DBusMessageIter *to, const uint8_t *octets, int count) {
    DBusMessageIter array;
    dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &octets, count);
    dbus_message_iter_close_container(to, &array);
}

static void octets_property(DBusMessageIter *properties, const char *name, const uint8_t *octets, int count) {
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "ay", &variant);
    append_octets(&variant, octets, count);
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
    flag_property(properties, "Discovering", is_discovering);
    list_property(properties, "Roles", (const char *[]){"central"}, 1);
    list_property(properties, "UUIDs", NULL, 0);
}

/* Whether an attribute is the first one of its service. */
static bool begins_service(const Sensor *sensor, unsigned attribute) {
    const Attribute *attributes = sensor->kind->attributes;
    return attribute == 0 || strcmp(attributes[attribute].service, attributes[attribute - 1].service) != 0;
}

static void device_properties(DBusMessageIter *properties, const Sensor *sensor) {
    const char *services[MOST_ATTRIBUTES] = {NULL};
    for (unsigned i = 0; i < sensor->attribute_count; i++)
        if (begins_service(sensor, i)) services[i] = sensor->kind->attributes[i].service;
    dbus_int16_t strength = -60;
    text_property(properties, "Address", sensor->address);
    text_property(properties, "AddressType", "random");
    text_property(properties, "Name", sensor->name);
    text_property(properties, "Alias", sensor->name);
    flag_property(properties, "Paired", sensor->kind->is_paired);
    flag_property(properties, "Trusted", false);
    flag_property(properties, "Blocked", false);
    flag_property(properties, "LegacyPairing", false);
    flag_property(properties, "Connected", sensor->is_connected);
    flag_property(properties, "ServicesResolved", sensor->is_resolved);
    list_property(properties, "UUIDs", services, sensor->attribute_count);
    property(properties, "Adapter", DBUS_TYPE_OBJECT_PATH, &(const char *){ADAPTER});
    property(properties, "RSSI", DBUS_TYPE_INT16, &strength);
}

static void service_properties(DBusMessageIter *properties, const Sensor *sensor, unsigned attribute) {
    text_property(properties, "UUID", sensor->kind->attributes[attribute].service);
    property(properties, "Device", DBUS_TYPE_OBJECT_PATH, &(const char *){sensor->device});
    flag_property(properties, "Primary", true);
}

static void characteristic_properties(DBusMessageIter *properties, const Sensor *sensor, unsigned attribute) {
    dbus_uint16_t mtu = 247;
    text_property(properties, "UUID", sensor->kind->attributes[attribute].uuid);
    property(properties, "Service", DBUS_TYPE_OBJECT_PATH, &(const char *){sensor->services[attribute]});
    octets_property(properties, "Value", (const uint8_t *)"", 0);
    flag_property(properties, "Notifying", sensor->notifying >> attribute & 1);
    list_property(properties, "Flags", sensor->kind->attributes[attribute].flags, 4);
    property(properties, "MTU", DBUS_TYPE_UINT16, &mtu);
}

/* The interfaces of one object: a dictionary with one entry. */
static void append_interfaces(DBusMessageIter *to, const char *interface, const Sensor *sensor, unsigned attribute) {
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
        service_properties(&properties, sensor, attribute);
    else
        characteristic_properties(&properties, sensor, attribute);
    dbus_message_iter_close_container(&entry, &properties);
    dbus_message_iter_close_container(&interfaces, &entry);
    dbus_message_iter_close_container(to, &interfaces);
}

/* Passes each object of a sensor's services to a function. */
static void for_each_object(
    const Sensor *sensor, void *context,
    void (*take)(void *context, const char *path, const char *interface, const Sensor *sensor, unsigned attribute)) {
    for (unsigned i = 0; i < sensor->attribute_count; i++) {
        if (begins_service(sensor, i)) take(context, sensor->services[i], SERVICE, sensor, i);
        take(context, sensor->characteristics[i], CHARACTERISTIC, sensor, i);
    }
}

static void append_object(
    void *objects, const char *path, const char *interface, const Sensor *sensor, unsigned attribute) {
    DBusMessageIter entry;
    dbus_message_iter_open_container(objects, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_OBJECT_PATH, &path);
    append_interfaces(&entry, interface, sensor, attribute);
    dbus_message_iter_close_container(objects, &entry);
}

static void append_all_objects(DBusMessageIter *to) {
    DBusMessageIter objects;
    dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &objects);
    append_object(&objects, ADAPTER, "org.bluez.Adapter1", NULL, 0);
    for (unsigned i = 0; i < sensor_count; i++) {
        append_object(&objects, sensors[i].device, DEVICE, &sensors[i], 0);
        if (sensors[i].is_resolved) for_each_object(&sensors[i], &objects, append_object);
    }
    dbus_message_iter_close_container(to, &objects);
}

/* ---- Signals ---- */

static void send_message(DBusMessage *message) {
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

static void object_appears(
    void *unused, const char *path, const char *interface, const Sensor *sensor, unsigned attribute) {
    (void)unused;
    DBusMessage *signal = dbus_message_new_signal("/", OBJECT_MANAGER, "InterfacesAdded");
    DBusMessageIter arguments;
    dbus_message_iter_init_append(signal, &arguments);
    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_OBJECT_PATH, &path);
    append_interfaces(&arguments, interface, sensor, attribute);
    send_message(signal);
}

/* The beginning and the end of the signal of a property that has changed. */
static DBusMessage *begin_change(
    const char *path, const char *interface, DBusMessageIter *arguments, DBusMessageIter *changed) {
    DBusMessage *signal = dbus_message_new_signal(path, PROPERTIES, "PropertiesChanged");
    dbus_message_iter_init_append(signal, arguments);
    dbus_message_iter_append_basic(arguments, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "{sv}", changed);
    return signal;
}

static void end_change(DBusMessage *signal, DBusMessageIter *arguments, DBusMessageIter *changed) {
    DBusMessageIter invalidated;
    dbus_message_iter_close_container(arguments, changed);
    dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "s", &invalidated);
    dbus_message_iter_close_container(arguments, &invalidated);
    send_message(signal);
}

static void flag_changes(const char *path, const char *interface, const char *name, bool flag) {
    DBusMessageIter arguments, changed;
    DBusMessage *signal = begin_change(path, interface, &arguments, &changed);
    flag_property(&changed, name, flag);
    end_change(signal, &arguments, &changed);
}

void strength_changes(Sensor *sensor, dbus_int16_t strength) {
    DBusMessageIter arguments, changed;
    DBusMessage *signal = begin_change(sensor->device, DEVICE, &arguments, &changed);
    property(&changed, "RSSI", DBUS_TYPE_INT16, &strength);
    end_change(signal, &arguments, &changed);
}

void value_changes(Sensor *sensor, unsigned attribute, const uint8_t *octets, int count) {
    DBusMessageIter arguments, changed;
    DBusMessage *signal = begin_change(sensor->characteristics[attribute], CHARACTERISTIC, &arguments, &changed);
    octets_property(&changed, "Value", octets, count);
    end_change(signal, &arguments, &changed);
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

/* The attribute of a sensor at a path; as many as it has for none. */
static unsigned attribute_at(const Sensor *sensor, const char *path) {
    unsigned place = 0;
    while (place < sensor->attribute_count && strcmp(path, sensor->characteristics[place]) != 0) place++;
    return place;
}

static void set_connected(Sensor *sensor, bool connected) {
    sensor->is_connected = connected;
    flag_changes(sensor->device, DEVICE, "Connected", connected);
}

static void resolve_services(Sensor *sensor) {
    for_each_object(sensor, NULL, object_appears);
    sensor->is_resolved = true;
    flag_changes(sensor->device, DEVICE, "ServicesResolved", true);
}

/* The answer to a call that concerns an attribute; NULL for another call. */
static DBusMessage *attribute_answer(DBusMessage *call, const char *member, Sensor *sensor) {
    unsigned place = attribute_at(sensor, dbus_message_get_path(call));
    if (place == sensor->attribute_count) return NULL;
    if (strcmp(member, "ReadValue") == 0) {
        uint8_t octets[32];
        int count = read_attribute(sensor, place, octets);
        if (count < 0) return dbus_message_new_error(call, "org.bluez.Error.NotPermitted", "Read not permitted");
        DBusMessage *reply = dbus_message_new_method_return(call);
        DBusMessageIter arguments;
        dbus_message_iter_init_append(reply, &arguments);
        append_octets(&arguments, octets, count);
        return reply;
    }
    if (strcmp(member, "StartNotify") == 0) {
        sensor->notifying |= 1U << place;
        flag_changes(sensor->characteristics[place], CHARACTERISTIC, "Notifying", true);
    }
    return NULL;
}

/* Passes a write on, after its answer. */
static void take_write(DBusMessage *call, Sensor *sensor) {
    unsigned place = attribute_at(sensor, dbus_message_get_path(call));
    DBusMessageIter arguments, array;
    const uint8_t *octets = NULL;
    int count = 0;
    if (place == sensor->attribute_count || !dbus_message_iter_init(call, &arguments)) return;
    dbus_message_iter_recurse(&arguments, &array);
    dbus_message_iter_get_fixed_array(&array, &octets, &count);
    attribute_written(sensor, place, octets, count);
}

static DBusHandlerResult answer(DBusConnection *connection, DBusMessage *call, void *unused) {
    (void)connection;
    (void)unused;
    if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    const char *member = dbus_message_get_member(call);
    Sensor *sensor = sensor_at(dbus_message_get_path(call));
    DBusMessage *reply = sensor == NULL ? NULL : attribute_answer(call, member, sensor);
    if (reply == NULL) reply = dbus_message_new_method_return(call);

    if (strcmp(member, "GetManagedObjects") == 0) {
        DBusMessageIter arguments;
        dbus_message_iter_init_append(reply, &arguments);
        append_all_objects(&arguments);
    } else if (strcmp(member, "GetAll") == 0 || strcmp(member, "Get") == 0 || strcmp(member, "Introspect") == 0) {
        dbus_message_unref(reply);
        reply = dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, "not needed here");
    } else if (strcmp(member, "Connect") == 0 && sensor != NULL && !sensor->is_connected) {
        set_connected(sensor, true);
    } else if (strcmp(member, "StartDiscovery") == 0 || strcmp(member, "StopDiscovery") == 0) {
        is_discovering = member[2] == 'a';
        flag_changes(ADAPTER, "org.bluez.Adapter1", "Discovering", is_discovering);
    } else if (strcmp(member, "Disconnect") == 0 && sensor != NULL && sensor->is_connected) {
        sensor->notifying = 0;
        sensor->is_resolved = sensor->is_streaming = false;
        flag_changes(sensor->device, DEVICE, "ServicesResolved", false);
    }
    send_message(reply);

    /* What bluetoothd signals after its answer. */
    if (strcmp(member, "WriteValue") == 0 && sensor != NULL) take_write(call, sensor);
    if (strcmp(member, "Connect") == 0 && sensor != NULL && !sensor->is_resolved) resolve_services(sensor);
    if (strcmp(member, "Disconnect") == 0 && sensor != NULL && sensor->is_connected) set_connected(sensor, false);
    if (strcmp(member, "StartDiscovery") == 0)
        for (unsigned i = 0; i < sensor_count; i++) strength_changes(&sensors[i], -60);
    return DBUS_HANDLER_RESULT_HANDLED;
}

bool serve(int64_t until, int descriptor) {
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

/* ---- Beginning ---- */

void make_sensors(unsigned count, const Kind *kinds, unsigned kind_count) {
    sensor_count = count;
    sensors = calloc(count, sizeof *sensors);
    if (sensors == NULL) exit(71);
    for (unsigned i = 0; i < count; i++) {
        Sensor *sensor = &sensors[i];
        sensor->kind = &kinds[i % kind_count];
        snprintf(sensor->name, sizeof sensor->name, "%s %u", sensor->kind->name, i);
        snprintf(sensor->address, sizeof sensor->address, "C0:00:5E:00:53:%02X", i & 0xFF);
        snprintf(sensor->device, sizeof sensor->device, ADAPTER "/dev_C0_00_5E_00_53_%02X", i & 0xFF);
        unsigned service = 1;
        for (unsigned place = 0; place < MOST_ATTRIBUTES && sensor->kind->attributes[place].uuid != NULL; place++) {
            sensor->attribute_count++;
            if (begins_service(sensor, place)) service = place + 1;
            char *path = sensor->services[place];
            snprintf(path, sizeof sensor->services[place], "%s/service00%u0", sensor->device, service);
            snprintf(
                sensor->characteristics[place], sizeof sensor->characteristics[place], "%s/char00%u%u", path, service,
                place + 1);
        }
    }
}

void open_bus(void) {
    DBusError error = DBUS_ERROR_INIT;
    bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error);
    if (bus == NULL || dbus_bus_request_name(bus, "org.bluez", 0, &error) < 0) {
        fprintf(stderr, "emitter: %s\n", error.message);
        exit(69);
    }
    dbus_connection_set_exit_on_disconnect(bus, false);
    dbus_connection_add_filter(bus, answer, NULL, NULL);
}
