/*
 * Many beds that cost next to nothing: what the monitors of a ward publish, by libmosquitto, in one process.
 *
 * Usage: ward_load PORT FOLDER BEDS
 *   PORT    of the broker on localhost
 *   FOLDER  with ca.crt, beds.key and a certificate N.crt for each bed
 *   BEDS    how many; they are called 1, 2, ...
 *
 * Each bed is a client of its own with a last will, and publishes as a monitor does: its session, births on request, three
 * vitals once a second, a heartbeat every two seconds, its alarms at each change and every ten seconds. All beds are
 * evenly staggered. A bed that loses the broker comes back with a new session, after the waits of a monitor.
 *
 * It prints "all T" whenever all beds are connected, T being the monotonic time in microseconds, and takes lines:
 *   edges SECONDS  alarms begin and end for so long, a beginning and an end each 300 ms, at one bed after another and
 *                  with a number each; prints "begin T NUMBER" and "end T NUMBER", and at last "quiet"
 *   alarms COUNT   so many beds have an alarm from now on
 *   history HOURS  each bed sends what it has recorded in so many hours, as its collector acknowledges it; prints
 *                  "history T ROWS" when everything is acknowledged
 * The end of standard input ends it.
 */
#define _GNU_SOURCE
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SITE "ward-2"
#define SECOND 1000000000LL
#define MILLISECOND 1000000LL
/* The time between two beginnings of alarms. */
#define EDGE_STEP (300 * MILLISECOND)
/* As the readers' bound for a batch. */
#define BATCH_ROWS 200
#define TREND_POINTS 120

typedef struct {
    const char *name;
    const char *unit;
    const char *sensor;
    const char *kind;
} Vital;

static const Vital vitals[] = {
    {"heart_rate", "/min", "Strap", "heart_rate_strap"},
    {"spo2", "%", "Oximeter", "oximeter"},
    {"body_temperature", "Cel", "Thermometer", "thermometer"},
};

typedef struct {
    struct mosquitto *client;
    unsigned number;
    char session[48];
    bool is_connected, is_lost;
    int failures;
    int64_t connected_at, next_attempt, next_vital[3], next_heartbeat, next_repeat, next_presence, next_upkeep, last_birth;
    int64_t sequence;
    char request[48];
    /* Its alarm: there is one at a time. */
    bool has_alarm;
    int alarm;
    long edge;
    const char *priority;
    int64_t alarm_since;
    /* What it has recorded. */
    int64_t history_begin, history_next, history_rows, sent_until, resend_at;
    int resends;
} Bed;

static Bed *beds;
static unsigned bed_count;
static const char *folder;
static int port;
static unsigned connected_count;
static unsigned run;
static long edge_number;
static int64_t next_edge, edges_end, edge_step;
static int64_t history_wanted, history_done;

static int64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static int64_t now(void) { return clock_ns(CLOCK_MONOTONIC); }
static int64_t boot_ms(void) { return clock_ns(CLOCK_BOOTTIME) / MILLISECOND; }
static int64_t wall_ms(void) { return clock_ns(CLOCK_REALTIME) / MILLISECOND; }

/* ---- JSON ---- */

static char text[256 * 1024];
static size_t length;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
    if (length >= sizeof text) abort();
}

static void add_time(const char *key, int64_t ms) {
    static time_t known = -1;
    static char shown[24];
    time_t seconds = ms / 1000;
    if (seconds != known) {
        struct tm parts;
        strftime(shown, sizeof shown, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
        known = seconds;
    }
    add("\"%s\":\"%s.%03dZ\",", key, shown, (int)(ms % 1000));
}

static void begin(const char *event, int64_t ms) {
    length = 0;
    add("{\"v\":1,");
    add_time("t", ms);
    add("\"event\":\"%s\",", event);
}

static void add_stamp(Bed *bed) {
    add("\"session\":\"%s\",\"seq\":%lld,\"boot_ms\":%lld,", bed->session, (long long)++bed->sequence,
        (long long)boot_ms());
}

static void add_facts(const Bed *bed) {
    add_time("since", bed->connected_at == 0 ? wall_ms() : wall_ms() - (now() - bed->connected_at) / MILLISECOND);
    add("\"program\":\"ward_load\",\"host\":\"bed-%u\",\"heartbeat_s\":2", bed->number);
}

/* A reading without its end; all values change each second. */
static void add_reading(const Bed *bed, unsigned vital, int64_t measured_ms) {
    unsigned long step = (unsigned long)(measured_ms / 1000) + bed->number;
    add("{\"v\":1,");
    add_time("t", measured_ms);
    add("\"event\":\"reading\",\"sensor\":{\"address\":\"C0:00:5E:%02X:%02X:%02X\",\"name\":\"%s\",\"kind\":\"%s\"},"
        "\"vital\":\"%s\",\"state\":\"measured\",\"value\":",
        bed->number >> 8, bed->number & 0xFF, vital, vitals[vital].sensor, vitals[vital].kind, vitals[vital].name);
    switch (vital) {
        case 0: add("%lu", 60 + step % 40); break;
        case 1: add("%lu", 91 + step % 9); break;
        default: add("%lu.%lu", 36 + step % 20 / 10, step % 10);
    }
    add(",\"unit\":\"%s\",\"quality\":\"good\",", vitals[vital].unit);
}

static void add_alarm_fields(const Bed *bed, bool has_ended) {
    add("\"id\":%d,\"kind\":\"low\",\"class\":\"physiological\",\"priority\":\"%s\",\"state\":\"%s\",\"vital\":\"spo2\","
        "\"value\":88,\"limit\":90,\"text\":\"Edge %ld\",\"active_ms\":%lld",
        bed->alarm, bed->priority, has_ended ? "ended" : "active", bed->edge,
        (long long)((now() - bed->alarm_since) / MILLISECOND));
}

/* ---- Messages ---- */

static void publish(Bed *bed, const char *subject, int quality, bool is_retained, unsigned expiry) {
    char topic[128];
    snprintf(topic, sizeof topic, "bedside/v1/" SITE "/%u/%s", bed->number, subject);
    mosquitto_property *properties = NULL;
    if (expiry > 0) mosquitto_property_add_int32(&properties, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, expiry);
    mosquitto_publish_v5(bed->client, NULL, topic, (int)length, text, quality, is_retained, properties);
    mosquitto_property_free_all(&properties);
}

static void write_session(const Bed *bed, const char *state) {
    begin("session", wall_ms());
    add("\"session\":\"%s\",\"state\":\"%s\",", bed->session, state);
    if (strcmp(state, "offline") == 0) add("\"reason\":\"lost\",");
    add_facts(bed);
    add("}");
}

static void publish_presence(Bed *bed) {
    bed->next_presence = now() + 30 * SECOND;
    write_session(bed, "online");
    publish(bed, "session", 1, true, 0);
}

static void publish_birth(Bed *bed) {
    int64_t wall = wall_ms();
    bed->last_birth = now();
    begin("birth", wall);
    add_stamp(bed);
    add_facts(bed);
    if (bed->request[0] != 0) add(",\"request\":\"%s\"", bed->request);
    bed->request[0] = 0;
    add(",\"sound\":\"on\",\"vitals\":[");
    for (unsigned vital = 0; vital < 3; vital++) {
        if (vital > 0) add(",");
        add_reading(bed, vital, wall);
        add("\"age_ms\":0,\"interval_ms\":1000}");
    }
    add("],\"limits\":[{\"vital\":\"heart_rate\",\"low\":50,\"high\":120},{\"vital\":\"spo2\",\"low\":90}],\"alarms\":[");
    if (bed->has_alarm) {
        add("{\"v\":1,");
        add_time("t", wall);
        add("\"event\":\"alarm\",");
        add_alarm_fields(bed, false);
        add("}");
    }
    add("],\"sensors\":[");
    for (unsigned vital = 0; vital < 3; vital++)
        add("%s{\"address\":\"C0:00:5E:%02X:%02X:%02X\",\"name\":\"%s\",\"kind\":\"%s\",\"percent\":80}",
            vital > 0 ? "," : "", bed->number >> 8, bed->number & 0xFF, vital, vitals[vital].sensor, vitals[vital].kind);
    add("],\"trends\":[");
    for (unsigned vital = 0; vital < 3; vital++) {
        add("%s{\"vital\":\"%s\",\"step_s\":15,\"points\":[", vital > 0 ? "," : "", vitals[vital].name);
        for (unsigned point = 0; point < TREND_POINTS; point++) {
            unsigned low = vital == 0 ? 60 + point % 20 : vital == 1 ? 91 + point % 5 : 36 + point % 2;
            add("%s[%u,%u]", point > 0 ? "," : "", low, low + (vital == 0 ? 10 : vital == 1 ? 4 : 1));
        }
        add("]}");
    }
    add("]}");
    publish(bed, "birth", 1, false, 0);
}

static void publish_vital(Bed *bed, unsigned vital) {
    char subject[48];
    snprintf(subject, sizeof subject, "vital/%s", vitals[vital].name);
    length = 0;
    add_reading(bed, vital, wall_ms());
    add("\"age_ms\":0,\"interval_ms\":1000,");
    add_stamp(bed);
    text[length - 1] = '}';
    publish(bed, subject, 0, false, 10);
}

static void publish_alarm(Bed *bed, bool has_ended) {
    char subject[32];
    snprintf(subject, sizeof subject, "alarm/%d", bed->alarm);
    begin("alarm", wall_ms());
    add_stamp(bed);
    add_alarm_fields(bed, has_ended);
    add("}");
    publish(bed, subject, 1, false, 0);
}

static void publish_heartbeat(Bed *bed) {
    /* The hash of WardDigest. */
    char line[64] = "";
    if (bed->has_alarm) snprintf(line, sizeof line, "%d %s active \n", bed->alarm, bed->priority);
    uint64_t hash = 0xcbf29ce484222325;
    for (const char *octet = line; *octet != 0; octet++) hash = (hash ^ (uint8_t)*octet) * 0x100000001b3;
    begin("heartbeat", wall_ms());
    add_stamp(bed);
    add("\"alarms\":%d,\"digest\":\"%016llx\",\"sound\":\"on\"}", bed->has_alarm, (unsigned long long)hash);
    publish(bed, "heartbeat", 0, false, 10);
}

/* ---- What was recorded ---- */

/* The row of a number: each second has one of each vital. */
static int64_t row_ms(const Bed *bed, int64_t row) { return bed->history_begin + row / 3 * 1000 + row % 3; }

static void publish_history(Bed *bed) {
    int64_t end = bed->history_next + BATCH_ROWS;
    if (end > bed->history_rows) end = bed->history_rows;
    begin("history", wall_ms());
    add("\"historical\":true,\"rows\":[");
    for (int64_t row = bed->history_next; row < end; row++) {
        if (row > bed->history_next) add(",");
        add_reading(bed, (unsigned)(row % 3), row_ms(bed, row));
        add("\"key\":[\"store-%u-%u\",%lld,0],\"run\":1,\"monotonic_ns\":%lld}", run, bed->number,
            (long long)row_ms(bed, row), (long long)(row_ms(bed, row) - bed->history_begin) * MILLISECOND);
    }
    add("]}");
    char subject[96];
    snprintf(subject, sizeof subject, "history/store-%u-%u.%lld.0", run, bed->number,
             (long long)row_ms(bed, bed->history_next));
    bed->sent_until = end;
    bed->resend_at = now() + (5 * SECOND << bed->resends);
    if (bed->resends < 3) bed->resends++;
    publish(bed, subject, 1, false, 0);
}

static void begin_history(double hours) {
    run++;
    history_wanted = (int64_t)(hours * 3600) * 3;
    history_done = 0;
    for (unsigned i = 0; i < bed_count; i++) {
        beds[i].history_begin = wall_ms() - (int64_t)(hours * 3600000);
        beds[i].history_next = 0;
        beds[i].history_rows = history_wanted;
        beds[i].resends = 0;
        publish_history(&beds[i]);
    }
}

static void history_acknowledged(Bed *bed, const char *payload) {
    char expected[96];
    if (bed->history_next >= bed->history_rows) return;
    snprintf(expected, sizeof expected, "\"stored\":[\"store-%u-%u\",%lld,0]", run, bed->number,
             (long long)row_ms(bed, bed->sent_until - 1));
    if (strstr(payload, expected) == NULL) return;
    bed->history_next = bed->sent_until;
    bed->resends = 0;
    if (bed->history_next < bed->history_rows) return publish_history(bed);
    history_done += bed->history_rows;
    if (history_done == history_wanted * bed_count)
        printf("history %lld %lld\n", (long long)(now() / 1000), (long long)history_done);
}

/* ---- The connection ---- */

static void connected(struct mosquitto *client, void *data, int code, int flags, const mosquitto_property *properties) {
    (void)flags, (void)properties;
    Bed *bed = data;
    if (code != 0) return;
    char filter[64];
    for (int i = 0; i < 2; i++) {
        snprintf(filter, sizeof filter, "bedside/v1/" SITE "/%u/%s", bed->number, i == 0 ? "cmd/+/+" : "history/ack");
        mosquitto_subscribe_v5(client, NULL, filter, 1, 0, NULL);
    }
    bed->is_connected = true;
    bed->connected_at = now();
    bed->sequence = 0;
    bed->next_heartbeat = now() + bed->number * 2 * SECOND / bed_count;
    for (int vital = 0; vital < 3; vital++)
        bed->next_vital[vital] = now() + bed->number * SECOND / bed_count + vital * SECOND / 3;
    bed->next_repeat = now() + 10 * SECOND;
    publish_presence(bed);
    publish_birth(bed);
    if (bed->history_next < bed->history_rows) publish_history(bed);
    if (++connected_count == bed_count) printf("all %lld\n", (long long)(now() / 1000));
}

static void disconnected(struct mosquitto *client, void *data, int code, const mosquitto_property *properties) {
    (void)client, (void)code, (void)properties;
    ((Bed *)data)->is_lost = true;
}

static void received(
    struct mosquitto *client, void *data, const struct mosquitto_message *message, const mosquitto_property *properties) {
    (void)client, (void)properties;
    Bed *bed = data;
    const char *request = strstr(message->topic, "/cmd/birth/");
    if (request != NULL) {
        snprintf(bed->request, sizeof bed->request, "%s", request + strlen("/cmd/birth/"));
        /* As a monitor: at most one a second, otherwise with the next heartbeat. */
        if (now() - bed->last_birth >= SECOND) publish_birth(bed);
    } else if (strstr(message->topic, "/history/ack") != NULL && message->payloadlen < 1024) {
        char payload[1024] = "";
        memcpy(payload, message->payload, (size_t)message->payloadlen);
        history_acknowledged(bed, payload);
    }
}

static void wait_to_connect(Bed *bed) {
    if (bed->is_connected) {
        connected_count--;
        if (now() - bed->connected_at > 10 * SECOND) bed->failures = 0;
    }
    bed->is_connected = bed->is_lost = false;
    int64_t longest = SECOND << (bed->failures < 3 ? bed->failures : 3);
    if (longest > 6 * SECOND) longest = 6 * SECOND;
    bed->failures++;
    bed->next_attempt = now() + longest / 4 + (int64_t)(drand48() * (double)longest * 0.75);
    mosquitto_destroy(bed->client);
    bed->client = NULL;
}

static void attempt(Bed *bed) {
    char path[3][512], topic[96], id[64];
    static int64_t sessions;
    snprintf(bed->session, sizeof bed->session, "s%lld-%lld", (long long)getpid(), (long long)++sessions);
    snprintf(id, sizeof id, "ward-load-%u", bed->number);
    snprintf(path[0], sizeof path[0], "%s/ca.crt", folder);
    snprintf(path[1], sizeof path[1], "%s/%u.crt", folder, bed->number);
    snprintf(path[2], sizeof path[2], "%s/beds.key", folder);
    snprintf(topic, sizeof topic, "bedside/v1/" SITE "/%u/session", bed->number);
    bed->client = mosquitto_new(id, true, bed);
    bed->next_upkeep = now() + SECOND;
    mosquitto_connect_v5_callback_set(bed->client, connected);
    mosquitto_disconnect_v5_callback_set(bed->client, disconnected);
    mosquitto_message_v5_callback_set(bed->client, received);
    mosquitto_int_option(bed->client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(bed->client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_tls_set(bed->client, path[0], NULL, path[1], path[2], NULL);
    bed->connected_at = 0;
    write_session(bed, "offline");
    mosquitto_will_set_v5(bed->client, topic, (int)length, text, 1, true, NULL);
    mosquitto_property *properties = NULL;
    mosquitto_property_add_int32(&properties, MQTT_PROP_SESSION_EXPIRY_INTERVAL, 0);
    if (mosquitto_connect_bind_v5(bed->client, "localhost", port, 5, NULL, properties) != MOSQ_ERR_SUCCESS)
        bed->is_lost = true;
    mosquitto_property_free_all(&properties);
}

/* ---- Time ---- */

static bool is_due(int64_t *time, int64_t moment, int64_t step) {
    if (moment < *time) return false;
    *time += step;
    if (*time < moment) *time = moment + step;
    return true;
}

static void run_bed(Bed *bed, int64_t moment) {
    if (bed->client == NULL) {
        if (moment >= bed->next_attempt) attempt(bed);
        return;
    }
    if (is_due(&bed->next_upkeep, moment, SECOND)) {
        mosquitto_loop_misc(bed->client);
        if (mosquitto_socket(bed->client) < 0) bed->is_lost = true;
    }
    if (bed->is_lost) return wait_to_connect(bed);
    if (!bed->is_connected) return;
    for (unsigned vital = 0; vital < 3; vital++)
        if (is_due(&bed->next_vital[vital], moment, SECOND)) publish_vital(bed, vital);
    if (is_due(&bed->next_repeat, moment, 10 * SECOND) && bed->has_alarm) publish_alarm(bed, false);
    if (moment >= bed->next_presence) publish_presence(bed);
    if (is_due(&bed->next_heartbeat, moment, 2 * SECOND)) {
        if (bed->request[0] != 0) publish_birth(bed);
        publish_heartbeat(bed);
    }
    if (bed->history_next < bed->history_rows && moment >= bed->resend_at) publish_history(bed);
}

static void begin_alarm(Bed *bed) {
    static const char *priorities[] = {"medium", "high", "low"};
    bed->edge = ++edge_number;
    bed->alarm++;
    bed->priority = priorities[edge_number % 3];
    bed->has_alarm = true;
    bed->alarm_since = now();
    printf("begin %lld %ld\n", (long long)(now() / 1000), bed->edge);
    publish_alarm(bed, false);
}

static void end_alarm(Bed *bed) {
    printf("end %lld %ld\n", (long long)(now() / 1000), bed->edge);
    bed->has_alarm = false;
    publish_alarm(bed, true);
}

static void run_edges(int64_t moment) {
    if (edges_end == 0 || moment < next_edge) return;
    next_edge += EDGE_STEP;
    /* A quarter of the beds have an alarm. */
    Bed *ending = &beds[(edge_step + bed_count - bed_count / 4) % bed_count];
    Bed *bed = &beds[edge_step++ % bed_count];
    if (ending != bed && ending->is_connected && ending->has_alarm) end_alarm(ending);
    if (moment >= edges_end) {
        /* Those that have begun end in their turn. */
        for (unsigned i = 0; i < bed_count; i++)
            if (beds[i].has_alarm) return;
        edges_end = 0;
        printf("quiet\n");
    } else if (bed->is_connected && !bed->has_alarm) {
        begin_alarm(bed);
    }
}

static void follow(const char *order) {
    const char *number = strchr(order, ' ');
    if (number == NULL) return;
    if (strncmp(order, "edges", 5) == 0) {
        next_edge = now();
        edges_end = now() + (int64_t)(atof(number) * (double)SECOND);
    } else if (strncmp(order, "alarms", 6) == 0) {
        for (unsigned i = 0; i < bed_count && i < (unsigned)atoi(number); i++)
            if (beds[i].is_connected && !beds[i].has_alarm) begin_alarm(&beds[i]);
    } else if (strncmp(order, "history", 7) == 0) {
        begin_history(atof(number));
    }
}

/* Follows the orders on standard input; false at its end. */
static bool read_orders(void) {
    static char lines[256];
    static size_t used;
    ssize_t count = read(0, lines + used, sizeof lines - 1 - used);
    if (count <= 0) return false;
    used += (size_t)count;
    lines[used] = 0;
    char *line = lines, *end;
    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = 0;
        follow(line);
    }
    used = strlen(line);
    memmove(lines, line, used + 1);
    return used < sizeof lines - 1;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: ward_load PORT FOLDER BEDS\n");
        return 64;
    }
    port = atoi(argv[1]);
    folder = argv[2];
    bed_count = (unsigned)atoi(argv[3]);
    beds = calloc(bed_count, sizeof *beds);
    struct pollfd *polled = calloc(bed_count + 1, sizeof *polled);
    if (beds == NULL || polled == NULL) return 71;
    setvbuf(stdout, NULL, _IOLBF, 0);
    mosquitto_lib_init();
    for (unsigned i = 0; i < bed_count; i++) beds[i].number = i + 1;
    polled[bed_count].fd = 0;
    polled[bed_count].events = POLLIN;
    for (;;) {
        for (unsigned i = 0; i < bed_count; i++) {
            bool is_open = beds[i].client != NULL && mosquitto_socket(beds[i].client) >= 0;
            polled[i].fd = is_open ? mosquitto_socket(beds[i].client) : -1;
            polled[i].events = (short)(POLLIN | (is_open && mosquitto_want_write(beds[i].client) ? POLLOUT : 0));
            polled[i].revents = 0;
        }
        /* Nothing is exact to less than this. */
        poll(polled, bed_count + 1, 2);
        if (polled[bed_count].revents != 0 && !read_orders()) return 0;
        int64_t moment = now();
        for (unsigned i = 0; i < bed_count; i++) {
            if ((polled[i].revents & (POLLIN | POLLERR | POLLHUP)) != 0 &&
                mosquitto_loop_read(beds[i].client, 1) != MOSQ_ERR_SUCCESS)
                beds[i].is_lost = true;
            if ((polled[i].revents & POLLOUT) != 0 && !beds[i].is_lost &&
                mosquitto_loop_write(beds[i].client, 1) != MOSQ_ERR_SUCCESS)
                beds[i].is_lost = true;
            run_bed(&beds[i], moment);
        }
        run_edges(moment);
    }
}
