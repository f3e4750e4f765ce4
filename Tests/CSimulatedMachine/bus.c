#define _GNU_SOURCE
#include "machine.h"
#include "match_rules.h"

#include <dbus/dbus.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * The message bus, as far as the D-Bus specification's "Message Bus Specification" is used here: names, match rules,
 * routing and the policy of one file. Each message is on its way for a time that is drawn, and may arrive in pieces; those
 * for one client arrive in the order in which they were sent.
 */

enum { MOST_CLIENTS = 64, MOST_RULES = 512, MOST_NAMES = 8, LONGEST_NAME = 256 };

/* Octets on their way to a client. */
struct parcel {
    struct parcel *next;
    int64_t due;
    size_t size, sent;
    char octets[];
};

struct client {
    int descriptor;
    bool has_begun, is_hailed;
    char unique[32];
    char names[MOST_NAMES][LONGEST_NAME];
    struct match_rule rules[MOST_RULES];
    int rule_count;
    char *received;
    size_t received_size, received_room;
    struct parcel *first, *last;
};

static const char BUS[] = "org.freedesktop.DBus", BUS_PATH[] = "/org/freedesktop/DBus";

static struct client *clients[MOST_CLIENTS];
static int listener = -1, wake_up = -1;
static char folder[512];
static bool is_stopping, is_running, is_denied, is_held;
static unsigned int last_unique, last_serial;
static int64_t longest_delay = SECOND / 1000;
static int pieces;
static int drops;

static void wake(void) {
    uint64_t one = 1;
    if (wake_up >= 0) (void)!REAL(write)(wake_up, &one, sizeof one);
}

void bus_disturb(int64_t longest, int of_thousand) {
    longest_delay = longest;
    pieces = of_thousand;
}

void bus_hold(bool is_held_now) {
    is_held = is_held_now;
    wake();
}

void bus_drop(void) {
    drops++;
    wake();
}

/* Sending. */

static void add_parcel(struct client *client, const char *octets, size_t size, int64_t due) {
    struct parcel *parcel = malloc(sizeof *parcel + size);
    *parcel = (struct parcel){ .due = due, .size = size };
    memcpy(parcel->octets, octets, size);
    if (client->last && client->last->due > due) parcel->due = client->last->due;
    if (client->last) client->last->next = parcel;
    else client->first = parcel;
    client->last = parcel;
}

static void post(struct client *client, const char *octets, size_t size) {
    int64_t due = clocks_now() + (longest_delay > 0 ? (int64_t)random_below((uint64_t)longest_delay) : 0);
    if (size > 1 && pieces > 0 && random_below(1000) < (uint64_t)pieces) {
        size_t part = 1 + random_below(size - 1);
        add_parcel(client, octets, part, due);
        add_parcel(client, octets + part, size - part, due + (int64_t)random_below((uint64_t)longest_delay * 4 + 1));
    } else {
        add_parcel(client, octets, size, due);
    }
}

static void deliver(struct client *client, DBusMessage *message) {
    char *octets;
    int size;
    if (dbus_message_get_serial(message) == 0) dbus_message_set_serial(message, ++last_serial);
    if (!dbus_message_marshal(message, &octets, &size)) machine_fail("the bus has no memory");
    post(client, octets, (size_t)size);
    dbus_free(octets);
}

static struct client *owner(const char *name) {
    for (int i = 0; i < MOST_CLIENTS; i++) {
        struct client *client = clients[i];
        if (!client || !client->is_hailed) continue;
        if (strcmp(client->unique, name) == 0) return client;
        for (int j = 0; j < MOST_NAMES; j++)
            if (name[0] && strcmp(client->names[j], name) == 0) return client;
    }
    return NULL;
}

const char *bus_owner(const char *name) {
    struct client *found = owner(name);
    return found ? found->unique : NULL;
}

static void broadcast(DBusMessage *message) {
    for (int i = 0; i < MOST_CLIENTS; i++) {
        struct client *client = clients[i];
        if (!client || !client->is_hailed) continue;
        for (int j = 0; j < client->rule_count; j++) {
            if (!match_rule_fits(&client->rules[j], message)) continue;
            deliver(client, message);
            break;
        }
    }
}

/* What the bus itself says. */

static void announce(const char *name, const char *old, const char *new) {
    DBusMessage *signal = dbus_message_new_signal(BUS_PATH, BUS, "NameOwnerChanged");
    dbus_message_set_sender(signal, BUS);
    dbus_message_append_args(
        signal, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &old, DBUS_TYPE_STRING, &new, DBUS_TYPE_INVALID);
    dbus_message_set_serial(signal, ++last_serial);
    broadcast(signal);
    dbus_message_unref(signal);
}

static void answer(struct client *client, DBusMessage *reply) {
    dbus_message_set_sender(reply, BUS);
    dbus_message_set_destination(reply, client->unique);
    deliver(client, reply);
    dbus_message_unref(reply);
}

static void refuse(struct client *client, DBusMessage *call, const char *name, const char *reason) {
    if (dbus_message_get_no_reply(call) || dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL) return;
    answer(client, dbus_message_new_error(call, name, reason));
}

static void read_policy(void) {
    char path[600], text[8192];
    snprintf(path, sizeof path, "%s/bus.conf", folder);
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    is_denied = strstr(text, "deny send_destination=\"org.bluez\"") != NULL;
}

static void handle_call(struct client *client, DBusMessage *call) {
    const char *member = dbus_message_get_member(call), *text = "";
    DBusMessageIter arguments;
    if (dbus_message_iter_init(call, &arguments) && dbus_message_iter_get_arg_type(&arguments) == DBUS_TYPE_STRING)
        dbus_message_iter_get_basic(&arguments, &text);
    DBusMessage *reply = dbus_message_new_method_return(call);
    if (strcmp(member, "Hello") == 0) {
        snprintf(client->unique, sizeof client->unique, ":1.%u", ++last_unique);
        client->is_hailed = true;
        const char *unique = client->unique;
        dbus_message_append_args(reply, DBUS_TYPE_STRING, &unique, DBUS_TYPE_INVALID);
        answer(client, reply);
        return announce(client->unique, "", client->unique);
    }
    if (strcmp(member, "AddMatch") == 0) {
        if (client->rule_count == MOST_RULES) machine_fail("too many match rules");
        client->rules[client->rule_count++] = match_rule_read(text);
    } else if (strcmp(member, "RemoveMatch") == 0) {
        for (int i = 0; i < client->rule_count; i++) {
            if (strcmp(client->rules[i].text, text) != 0) continue;
            match_rule_free(&client->rules[i]);
            client->rules[i] = client->rules[--client->rule_count];
            break;
        }
    } else if (strcmp(member, "RequestName") == 0) {
        struct client *present = owner(text);
        dbus_uint32_t result = present == client ? 4 : present ? 3 : 1;
        dbus_message_append_args(reply, DBUS_TYPE_UINT32, &result, DBUS_TYPE_INVALID);
        if (result == 1) {
            int place = 0;
            while (client->names[place][0]) place++;
            snprintf(client->names[place], LONGEST_NAME, "%s", text);
            answer(client, reply);
            return announce(text, "", client->unique);
        }
    } else if (strcmp(member, "ReleaseName") == 0) {
        dbus_uint32_t result = owner(text) == client ? 1 : 2;
        dbus_message_append_args(reply, DBUS_TYPE_UINT32, &result, DBUS_TYPE_INVALID);
        char name[LONGEST_NAME];
        snprintf(name, sizeof name, "%s", text);
        for (int i = 0; i < MOST_NAMES; i++)
            if (strcmp(client->names[i], name) == 0) client->names[i][0] = 0;
        answer(client, reply);
        if (result == 1) announce(name, client->unique, "");
        return;
    } else if (strcmp(member, "GetNameOwner") == 0) {
        struct client *found = owner(text);
        const char *unique = found ? found->unique : strcmp(text, BUS) == 0 ? BUS : NULL;
        if (!unique) {
            dbus_message_unref(reply);
            return refuse(client, call, "org.freedesktop.DBus.Error.NameHasNoOwner", "nobody owns that name");
        }
        dbus_message_append_args(reply, DBUS_TYPE_STRING, &unique, DBUS_TYPE_INVALID);
    } else if (strcmp(member, "NameHasOwner") == 0) {
        dbus_bool_t result = owner(text) != NULL;
        dbus_message_append_args(reply, DBUS_TYPE_BOOLEAN, &result, DBUS_TYPE_INVALID);
    } else if (strcmp(member, "GetId") == 0) {
        char identifier[33];
        snprintf(identifier, sizeof identifier, "%032x", last_unique / 1000 + 1);
        const char *shown = identifier;
        dbus_message_append_args(reply, DBUS_TYPE_STRING, &shown, DBUS_TYPE_INVALID);
    } else if (strcmp(member, "ReloadConfig") == 0) {
        read_policy();
    } else {
        dbus_message_unref(reply);
        return refuse(client, call, DBUS_ERROR_UNKNOWN_METHOD, "the machine's bus does not have this method");
    }
    if (dbus_message_get_no_reply(call)) dbus_message_unref(reply);
    else answer(client, reply);
}

/* Receiving. */

static void route(struct client *client, DBusMessage *message) {
    if (client->is_hailed) dbus_message_set_sender(message, client->unique);
    const char *destination = dbus_message_get_destination(message);
    if (destination && strcmp(destination, BUS) == 0) return handle_call(client, message);
    if (!destination) return broadcast(message);
    struct client *receiver = owner(destination);
    bool is_call = dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL;
    if (is_call && is_denied && (strcmp(destination, "org.bluez") == 0 || receiver == owner("org.bluez")))
        return refuse(client, message, DBUS_ERROR_ACCESS_DENIED, "the policy forbids it");
    if (receiver) return deliver(receiver, message);
    if (strcmp(destination, "org.bluez") == 0)
        return refuse(client, message, DBUS_ERROR_SPAWN_CHILD_EXITED, "Process org.bluez exited with status 1");
    refuse(client, message, DBUS_ERROR_SERVICE_UNKNOWN, "nobody owns that name");
}

static void forget(int place) {
    struct client *client = clients[place];
    clients[place] = NULL;
    close(client->descriptor);
    for (int i = 0; i < MOST_NAMES; i++)
        if (client->names[i][0]) announce(client->names[i], client->unique, "");
    if (client->is_hailed) announce(client->unique, client->unique, "");
    for (int i = 0; i < client->rule_count; i++) match_rule_free(&client->rules[i]);
    for (struct parcel *next; client->first; client->first = next) {
        next = client->first->next;
        free(client->first);
    }
    free(client->received);
    free(client);
}

static void take(struct client *client, size_t count) {
    memmove(client->received, client->received + count, client->received_size -= count);
}

/* The conversation before the first message ("Authentication Protocol"); whether there was a whole line of it. */
static bool authenticate(struct client *client) {
    if (client->received_size > 0 && client->received[0] == 0) take(client, 1);
    char *end = client->received_size > 1 ? memmem(client->received, client->received_size, "\r\n", 2) : NULL;
    if (!end) return false;
    *end = 0;
    const char *line = client->received, *reply = "ERROR\r\n";
    if (strncmp(line, "AUTH EXTERNAL", 13) == 0) reply = "OK 00000000000000000000000000000001\r\n";
    else if (strncmp(line, "AUTH", 4) == 0) reply = "REJECTED EXTERNAL\r\n";
    else if (strncmp(line, "DATA", 4) == 0) reply = "OK 00000000000000000000000000000001\r\n";
    else if (strcmp(line, "BEGIN") == 0) reply = NULL;
    client->has_begun = reply == NULL;
    take(client, (size_t)(end - client->received) + 2);
    if (reply) post(client, reply, strlen(reply));
    return true;
}

static void handle_received(struct client *client) {
    while (!client->has_begun && authenticate(client)) {}
    while (client->has_begun && client->received_size >= DBUS_MINIMUM_HEADER_SIZE) {
        int needed = dbus_message_demarshal_bytes_needed(client->received, (int)client->received_size);
        if (needed <= 0 || (size_t)needed > client->received_size) return;
        DBusError error = DBUS_ERROR_INIT;
        DBusMessage *message = dbus_message_demarshal(client->received, needed, &error);
        if (!message) machine_fail("the bus got a damaged message: %s", error.message);
        take(client, (size_t)needed);
        route(client, message);
        dbus_message_unref(message);
    }
}

/* Reads from a client; whether it is still there. */
static bool receive(struct client *client) {
    for (;;) {
        if (client->received_room - client->received_size < 4096)
            client->received = realloc(client->received, client->received_room = client->received_room * 2 + 8192);
        ssize_t count = read(
            client->descriptor, client->received + client->received_size, client->received_room - client->received_size);
        if (count <= 0) {
            bool stays = count < 0 && errno == EAGAIN;
            if (stays) handle_received(client);
            return stays;
        }
        client->received_size += (size_t)count;
    }
}

/* Sends what is due; whether the client is still there. */
static bool send_due(struct client *client, int64_t now) {
    while (!is_held && client->first && client->first->due <= now) {
        struct parcel *parcel = client->first;
        ssize_t count =
            send(client->descriptor, parcel->octets + parcel->sent, parcel->size - parcel->sent, MSG_NOSIGNAL);
        if (count < 0) return errno == EAGAIN;
        if ((parcel->sent += (size_t)count) < parcel->size) return true;
        client->first = parcel->next;
        if (!client->first) client->last = NULL;
        free(parcel);
    }
    return true;
}

static void welcome(void) {
    int descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        int place = 0;
        while (place < MOST_CLIENTS && clients[place]) place++;
        if (place == MOST_CLIENTS) machine_fail("too many clients of the bus");
        clients[place] = calloc(1, sizeof **clients);
        clients[place]->descriptor = descriptor;
    }
}

/* Ends the connection of a client that is not bluetoothd. */
static void drop_one(void) {
    drops--;
    int able[MOST_CLIENTS], count = 0;
    struct client *daemon = owner("org.bluez"), *control = owner("io.bedside.Simulator");
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (clients[i] && clients[i] != daemon && clients[i] != control) able[count++] = i;
    if (count > 0) forget(able[random_below((uint64_t)count)]);
}

static void *run_bus(void *nothing) {
    while (!is_stopping) {
        struct pollfd descriptors[MOST_CLIENTS + 2] = { { listener, POLLIN, 0 }, { wake_up, POLLIN, 0 } };
        int places[MOST_CLIENTS + 2], count = 2;
        int64_t now = clocks_now(), earliest = INT64_MAX;
        for (int i = 0; i < MOST_CLIENTS; i++) {
            if (!clients[i]) continue;
            struct parcel *first = is_held ? NULL : clients[i]->first;
            bool waits = first && first->due <= now;
            if (first && !waits && first->due < earliest) earliest = first->due;
            places[count] = i;
            descriptors[count++] = (struct pollfd){ clients[i]->descriptor, (short)(waits ? POLLIN | POLLOUT : POLLIN), 0 };
        }
        threads_poll(descriptors, (nfds_t)count, earliest);
        if (is_stopping) break;
        uint64_t ignored;
        if (descriptors[1].revents) (void)!read(wake_up, &ignored, sizeof ignored);
        for (int i = 2; i < count; i++)
            if (descriptors[i].revents && !receive(clients[places[i]])) forget(places[i]);
        while (drops > 0) drop_one();
        if (descriptors[0].revents) welcome();
        now = clocks_now();
        for (int i = 0; i < MOST_CLIENTS; i++)
            if (clients[i] && !send_due(clients[i], now)) forget(i);
    }
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (clients[i]) clients[i]->rule_count = 0;
    for (int i = 0; i < MOST_CLIENTS; i++)
        if (clients[i]) forget(i);
    close(listener);
    close(wake_up);
    listener = wake_up = -1;
    is_running = false;
    return nothing;
}

void bus_start(const char *new_folder) {
    // The thread of the bus before may still have to notice its end.
    while (is_running) threads_sleep(clocks_now() + SECOND / 1000);
    snprintf(folder, sizeof folder, "%s", new_folder);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%.90s/bus-private", folder);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    wake_up = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0)
        machine_fail("no socket for the bus: %s", address.sun_path);
    read_policy();
    last_unique = (last_unique / 1000 + 1) * 1000;
    is_stopping = false;
    is_running = true;
    threads_start(run_bus, NULL);
}

void bus_stop(void) {
    is_stopping = true;
    wake();
}
