#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * An MQTT broker on port 1883 of this computer, as far as "MQTT Version 5.0" (OASIS, 2019) and 3.1.1 are used here: one
 * level of service for what is delivered (0), last wills, retained messages, wildcards. Each message that a subscriber of
 * everything would get goes to the tape. It plays the collector, too: a batch of recorded rows is acknowledged.
 */

enum { PORT = 1883, MOST_CLIENTS = 16, MOST_FILTERS = 64, MOST_RETAINED = 256 };
/* The packets' types (2.1.2). */
enum { CONNECT = 1, PUBLISH = 3, SUBSCRIBE = 8, PINGREQ = 12, DISCONNECT = 14 };

struct text {
    char *octets;
    size_t size;
};

struct client {
    int descriptor;
    bool is_accepted, is_version_5, has_will, is_retained_will;
    /* Whether the broker has given it up, while no end of a connection reaches it. */
    bool is_given_up;
    int64_t keep_alive, last_heard;
    struct text will_topic, will, filters[MOST_FILTERS], received;
    size_t filter_count;
};

static struct client *clients[MOST_CLIENTS];
static struct { struct text topic, payload; } retained[MOST_RETAINED];
static size_t retained_count;
static bool is_running, is_away, is_silent, is_dropping;
static int wake_up = -1, lost_of_thousand;

static void wake(void) {
    uint64_t one = 1;
    if (is_running) (void)!REAL(write)(wake_up, &one, sizeof one);
}

static struct text copied(struct text text) {
    struct text copy = { malloc(text.size + 1), text.size };
    memcpy(copy.octets, text.octets, text.size);
    return copy;
}

static bool is_same(struct text one, struct text other) {
    return one.size == other.size && memcmp(one.octets, other.octets, one.size) == 0;
}

/* Reading packets. What is cut short reads as empty. */

static unsigned int take_number(struct text *rest, size_t octets) {
    unsigned int number = 0;
    for (; octets > 0 && rest->size > 0; octets--, rest->octets++, rest->size--)
        number = number << 8 | (unsigned char)*rest->octets;
    return number;
}

static struct text take(struct text *rest, size_t size) {
    if (size > rest->size) size = rest->size;
    struct text text = { rest->octets, size };
    rest->octets += size;
    rest->size -= size;
    return text;
}

static struct text take_text(struct text *rest) { return take(rest, take_number(rest, 2)); }

/* A length of one to four octets (1.5.5); SIZE_MAX where it is not all there. */
static size_t take_length(struct text *rest) {
    size_t length = 0;
    for (int shift = 0; shift < 28 && rest->size > 0; shift += 7) {
        unsigned int octet = take_number(rest, 1);
        length |= (size_t)(octet & 127) << shift;
        if (octet < 128) return length;
    }
    return SIZE_MAX;
}

static void skip_properties(struct client *client, struct text *rest) {
    if (client->is_version_5 && rest->size > 0) (void)take(rest, take_length(rest));
}

/* Sending. What a client does not read is lost; it is never much. */

static void post(struct client *client, const void *octets, size_t size) {
    if (is_silent) return;
    (void)!send(client->descriptor, octets, size, MSG_NOSIGNAL);
}

static bool fits(struct text filter, struct text topic) {
    while (filter.size > 0) {
        char *end = memchr(filter.octets, '/', filter.size);
        struct text level = take(&filter, end ? (size_t)(end - filter.octets) : filter.size);
        if (level.size == 1 && level.octets[0] == '#') return true;
        char *topic_end = memchr(topic.octets, '/', topic.size);
        struct text topic_level = take(&topic, topic_end ? (size_t)(topic_end - topic.octets) : topic.size);
        if (!(level.size == 1 && level.octets[0] == '+') && !is_same(level, topic_level)) return false;
        if ((filter.size > 0) != (topic.size > 0)) return false;
        (void)take(&filter, 1);
        (void)take(&topic, 1);
    }
    return topic.size == 0;
}

static void deliver(struct client *client, struct text topic, struct text payload, bool is_retained) {
    size_t length = 2 + topic.size + (client->is_version_5 ? 1 : 0) + payload.size, used = 0;
    unsigned char *packet = malloc(length + 8);
    packet[used++] = (unsigned char)(PUBLISH << 4 | (is_retained ? 1 : 0));
    size_t rest = length;
    do packet[used++] = (unsigned char)((rest & 127) | (rest > 127 ? 128 : 0));
    while ((rest >>= 7) > 0);
    packet[used++] = (unsigned char)(topic.size >> 8);
    packet[used++] = (unsigned char)topic.size;
    memcpy(packet + used, topic.octets, topic.size);
    used += topic.size;
    if (client->is_version_5) packet[used++] = 0;
    memcpy(packet + used, payload.octets, payload.size);
    post(client, packet, used + payload.size);
    free(packet);
}

static void keep(struct text topic, struct text payload) {
    size_t place = 0;
    while (place < retained_count && !is_same(retained[place].topic, topic)) place++;
    if (place < retained_count) {
        free(retained[place].topic.octets);
        free(retained[place].payload.octets);
        if (payload.size == 0) {
            retained[place] = retained[--retained_count];
            return;
        }
    } else if (payload.size == 0) return;
    else if (retained_count++ == MOST_RETAINED) machine_fail("too many retained messages");
    retained[place].topic = copied(topic);
    retained[place].payload = copied(payload);
}

static void publish(struct text topic, struct text payload, bool is_retained) {
    struct text entry = { malloc(topic.size + 1 + payload.size), topic.size + 1 + payload.size };
    memcpy(entry.octets, topic.octets, topic.size);
    entry.octets[topic.size] = '\n';
    memcpy(entry.octets + topic.size + 1, payload.octets, payload.size);
    tape_write('w', entry.octets, entry.size);
    free(entry.octets);
    if (is_retained) keep(topic, payload);
    for (int i = 0; i < MOST_CLIENTS; i++) {
        struct client *client = clients[i];
        if (!client || !client->is_accepted) continue;
        for (size_t j = 0; j < client->filter_count; j++) {
            if (!fits(client->filters[j], topic)) continue;
            deliver(client, topic, payload, false);
            break;
        }
    }
}

/* The collector's part: it has stored a batch up to the key of its last row. */
static void acknowledge_batch(struct text topic, struct text payload) {
    static const char part[] = "/history/", field[] = "\"key\":[";
    char *place = memmem(topic.octets, topic.size, part, sizeof part - 1), *key = NULL;
    if (!place) return;
    for (char *next = payload.octets, *end = payload.octets + payload.size;
         (next = memmem(next, (size_t)(end - next), field, sizeof field - 1)); key = next)
        next += sizeof field - 1;
    char *end = key ? memchr(key, ']', payload.size - (size_t)(key - payload.octets)) : NULL;
    if (!end) return;
    char answer_topic[512], answer[512];
    int topic_size = snprintf(
        answer_topic, sizeof answer_topic, "%.*s%sack", (int)(place - topic.octets), topic.octets, part);
    int size = snprintf(
        answer, sizeof answer,
        "{\"v\":1,\"t\":\"2026-01-01T00:00:00.000Z\",\"event\":\"history_ack\",\"stored\":[%.*s]}", (int)(end - key), key);
    publish((struct text){ answer_topic, (size_t)topic_size }, (struct text){ answer, (size_t)size }, false);
}

/* Clients. */

static void publish_will(struct client *client) {
    if (client->has_will) publish(client->will_topic, client->will, client->is_retained_will);
    client->has_will = false;
}

static void forget(int place, bool publishes_will) {
    struct client *client = clients[place];
    clients[place] = NULL;
    close(client->descriptor);
    if (publishes_will) publish_will(client);
    free(client->will_topic.octets);
    free(client->will.octets);
    free(client->received.octets);
    for (size_t i = 0; i < client->filter_count; i++) free(client->filters[i].octets);
    free(client);
}

static void handle_connect(struct client *client, struct text rest) {
    (void)take_text(&rest);
    client->is_version_5 = take_number(&rest, 1) == 5;
    unsigned int flags = take_number(&rest, 1);
    client->keep_alive = take_number(&rest, 2) * SECOND;
    skip_properties(client, &rest);
    (void)take_text(&rest);
    if (flags & 4) {
        skip_properties(client, &rest);
        client->will_topic = copied(take_text(&rest));
        client->will = copied(take_text(&rest));
        client->has_will = true;
        client->is_retained_will = flags & 32;
    }
    client->is_accepted = true;
    static const unsigned char answer[] = { 0x20, 3, 0, 0, 0 }, old_answer[] = { 0x20, 2, 0, 0 };
    if (client->is_version_5) post(client, answer, sizeof answer);
    else post(client, old_answer, sizeof old_answer);
}

static void handle_publish(struct client *client, unsigned int flags, struct text rest) {
    struct text topic = take_text(&rest);
    unsigned int quality = flags >> 1 & 3, number = quality > 0 ? take_number(&rest, 2) : 0;
    skip_properties(client, &rest);
    if (quality == 0 && lost_of_thousand > 0 && random_below(1000) < (uint64_t)lost_of_thousand) return;
    unsigned char answer[] = { 0x40, 2, (unsigned char)(number >> 8), (unsigned char)number };
    if (quality > 0) post(client, answer, sizeof answer);
    publish(topic, rest, flags & 1);
    acknowledge_batch(topic, rest);
}

static void handle_subscribe(struct client *client, struct text rest) {
    unsigned int number = take_number(&rest, 2), count = 0;
    skip_properties(client, &rest);
    unsigned char answer[8 + MOST_FILTERS] = { 0x90, 0, (unsigned char)(number >> 8), (unsigned char)number };
    size_t used = client->is_version_5 ? 5 : 4, first = client->filter_count;
    while (rest.size > 0) {
        struct text filter = take_text(&rest);
        (void)take_number(&rest, 1);
        if (client->filter_count == MOST_FILTERS) machine_fail("too many subscriptions");
        client->filters[client->filter_count++] = copied(filter);
        count++;
    }
    // Each is granted, with the quality of service 0.
    answer[1] = (unsigned char)(used - 2 + count);
    post(client, answer, used + count);
    for (size_t i = 0; i < retained_count; i++)
        for (size_t j = first; j < client->filter_count; j++)
            if (fits(client->filters[j], retained[i].topic))
                deliver(client, retained[i].topic, retained[i].payload, true);
}

/* Handles the packets that are whole. */
static void handle_received(int place) {
    struct client *client = clients[place];
    for (;;) {
        struct text rest = client->received;
        unsigned int head = take_number(&rest, 1);
        size_t length = take_length(&rest);
        if (length == SIZE_MAX || length > rest.size) return;
        struct text packet = take(&rest, length);
        switch (head >> 4) {
        case CONNECT: handle_connect(client, packet); break;
        case PUBLISH: handle_publish(client, head & 15, packet); break;
        case SUBSCRIBE: handle_subscribe(client, packet); break;
        case PINGREQ: post(client, "\xD0\x00", 2); break;
        // The code 4 asks for the will (3.14.2.1).
        case DISCONNECT: forget(place, packet.size > 0 && packet.octets[0] == 4); return;
        default: break;
        }
        if (clients[place] != client) return;
        memmove(client->received.octets, rest.octets, rest.size);
        client->received.size = rest.size;
    }
}

static void receive(int place) {
    struct client *client = clients[place];
    char octets[65536];
    ssize_t count = recv(client->descriptor, octets, sizeof octets, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return forget(place, true);
    client->last_heard = clocks_now();
    client->received.octets = realloc(client->received.octets, client->received.size + (size_t)count);
    memcpy(client->received.octets + client->received.size, octets, (size_t)count);
    client->received.size += (size_t)count;
    handle_received(place);
}

static int64_t end_of_patience(struct client *client) {
    if (client->is_given_up) return INT64_MAX;
    // One and a half times the interval that the client has named (3.1.2.10).
    return client->keep_alive > 0 ? client->last_heard + client->keep_alive * 3 / 2 : INT64_MAX;
}

static void *run_broker(void *nothing) {
    for (;;) {
        struct pollfd descriptors[MOST_CLIENTS + 1] = { { wake_up, POLLIN, 0 } };
        int places[MOST_CLIENTS + 1], count = 1;
        int64_t earliest = INT64_MAX;
        for (int i = 0; i < MOST_CLIENTS; i++) {
            if (!clients[i]) continue;
            if (end_of_patience(clients[i]) < earliest) earliest = end_of_patience(clients[i]);
            places[count] = i;
            descriptors[count++] = (struct pollfd){ is_silent ? -1 : clients[i]->descriptor, POLLIN, 0 };
        }
        threads_poll(descriptors, (nfds_t)count, earliest);
        uint64_t ignored;
        if (descriptors[0].revents) (void)!read(wake_up, &ignored, sizeof ignored);
        for (int i = 1; i < count; i++)
            if (descriptors[i].revents && clients[places[i]]) receive(places[i]);
        // A client that hangs up meanwhile is noticed by its silence.
        for (int i = 0; i < MOST_CLIENTS; i++) {
            if (!clients[i]) continue;
            bool is_late = end_of_patience(clients[i]) <= clocks_now();
            if (is_away || is_dropping || (!is_silent && (is_late || clients[i]->is_given_up))) {
                forget(i, true);
            } else if (is_late) {
                publish_will(clients[i]);
                clients[i]->is_given_up = true;
            }
        }
        is_dropping = false;
    }
    return nothing;
}

/* Faults. */

void broker_set(const char *word) {
    is_away = strcmp(word, "away") == 0;
    is_silent = strcmp(word, "silent") == 0;
    if (strcmp(word, "drop") == 0) is_dropping = true;
    wake();
}

void broker_lose(int of_thousand) { lost_of_thousand = of_thousand; }

/* A connection to the broker is one end of a pair of sockets, because the kernel's network has its own time. */
REPLACED int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
    const struct sockaddr_in *wanted = (const struct sockaddr_in *)address;
    if (!machine_is_on || address->sa_family != AF_INET || wanted->sin_port != htons(PORT))
        return REAL(connect)(descriptor, address, size);
    int place = 0, pair[2];
    while (place < MOST_CLIENTS && clients[place]) place++;
    if (is_away || place == MOST_CLIENTS) {
        errno = ECONNREFUSED;
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    fcntl(pair[1], F_SETFL, fcntl(descriptor, F_GETFL));
    dup3(pair[1], descriptor, O_CLOEXEC);
    close(pair[1]);
    clients[place] = calloc(1, sizeof **clients);
    clients[place]->descriptor = pair[0];
    clients[place]->last_heard = clocks_now();
    // Who connects and says nothing does not stay for ever.
    clients[place]->keep_alive = 10 * SECOND;
    if (!is_running) {
        is_running = true;
        wake_up = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        threads_start(run_broker, NULL);
    } else wake();
    return 0;
}
