/* libmosquitto, loaded when a broker is configured: without one no process has it and OpenSSL in its memory, and Bedside
   runs where it is not installed. What is used of it is declared here, so that its headers are not needed to build; a test
   compares the declarations with those headers. */
#ifndef BEDSIDE_CMOSQUITTO_SHIM_H
#define BEDSIDE_CMOSQUITTO_SHIM_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

struct mosquitto;
struct mosquitto_message;
struct mqtt5__property;

/* The functions that are used: result, name without `mosquitto_`, parameters. */
#define CMOSQUITTO_FUNCTIONS(F) \
    F(int, lib_init, (void)) \
    F(struct mosquitto *, new, (const char *identifier, bool is_clean, void *data)) \
    F(void, destroy, (struct mosquitto *)) \
    F(int, int_option, (struct mosquitto *, unsigned int option, int value)) \
    F(int, username_pw_set, (struct mosquitto *, const char *user, const char *password)) \
    F(int, tls_set, (struct mosquitto *, const char *authorities, const char *folder, const char *certificate, \
        const char *key, int (*password)(char *text, int size, int flag, void *data))) \
    F(int, will_set_v5, (struct mosquitto *, const char *topic, int count, const void *payload, int quality, \
        bool is_retained, struct mqtt5__property *)) \
    F(int, connect_bind_v5, (struct mosquitto *, const char *host, int port, int keepalive, const char *address, \
        const struct mqtt5__property *)) \
    F(int, disconnect_v5, (struct mosquitto *, int code, const struct mqtt5__property *)) \
    F(int, publish_v5, (struct mosquitto *, int *number, const char *topic, int count, const void *payload, \
        int quality, bool is_retained, const struct mqtt5__property *)) \
    F(int, subscribe_v5, (struct mosquitto *, int *number, const char *topic, int quality, int options, \
        const struct mqtt5__property *)) \
    F(int, property_add_int32, (struct mqtt5__property **, int identifier, uint32_t value)) \
    F(void, property_free_all, (struct mqtt5__property **)) \
    F(void, connect_v5_callback_set, (struct mosquitto *, void (*on_connect)(struct mosquitto *, void *data, \
        int code, int flags, const struct mqtt5__property *))) \
    F(void, disconnect_v5_callback_set, (struct mosquitto *, void (*on_disconnect)(struct mosquitto *, void *data, \
        int code, const struct mqtt5__property *))) \
    F(void, publish_v5_callback_set, (struct mosquitto *, void (*on_publish)(struct mosquitto *, void *data, \
        int number, int code, const struct mqtt5__property *))) \
    F(void, message_v5_callback_set, (struct mosquitto *, void (*on_message)(struct mosquitto *, void *data, \
        const struct mosquitto_message *, const struct mqtt5__property *))) \
    F(void, subscribe_v5_callback_set, (struct mosquitto *, void (*on_subscribe)(struct mosquitto *, void *data, \
        int number, int count, const int *granted, const struct mqtt5__property *))) \
    F(void, log_callback_set, (struct mosquitto *, void (*on_log)(struct mosquitto *, void *data, int level, \
        const char *text))) \
    F(int, socket, (struct mosquitto *)) \
    F(bool, want_write, (struct mosquitto *)) \
    F(int, loop_read, (struct mosquitto *, int most_packets)) \
    F(int, loop_write, (struct mosquitto *, int most_packets)) \
    F(int, loop_misc, (struct mosquitto *)) \
    F(const char *, strerror, (int code)) \
    F(const char *, reason_string, (int code))

/* The constants that are used, by their names in its headers. */
#define CMOSQUITTO_CONSTANTS(C) \
    C(int, MOSQ_ERR_CONN_LOST, 7) C(int, MOSQ_ERR_TLS, 8) C(int, MOSQ_ERR_ERRNO, 14) C(int, MOSQ_ERR_EAI, 15) \
    C(int, MOSQ_ERR_KEEPALIVE, 19) C(int, MOSQ_LOG_ERR, 8) C(unsigned int, MOSQ_OPT_PROTOCOL_VERSION, 1) \
    C(unsigned int, MOSQ_OPT_TCP_NODELAY, 11) C(int, MQTT_PROTOCOL_V311, 4) C(int, MQTT_PROTOCOL_V5, 5) \
    C(int, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, 2) C(int, MQTT_PROP_SESSION_EXPIRY_INTERVAL, 17) \
    C(int, MQTT_PROP_MAXIMUM_PACKET_SIZE, 39) C(int, MQTT_SUB_OPT_RETAIN_AS_PUBLISHED, 8)

#define CMOSQUITTO_CONSTANT(type, name, value) static const type C##name = value;
CMOSQUITTO_CONSTANTS(CMOSQUITTO_CONSTANT)
#undef CMOSQUITTO_CONSTANT

/* The content of a received message (`struct mosquitto_message`). */
struct cmosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};

static inline const struct cmosquitto_message *cmosquitto_content(const struct mosquitto_message *message) {
    return (const struct cmosquitto_message *)message;
}

struct cmosquitto_functions {
#define CMOSQUITTO_MEMBER(result, name, parameters) result (*name) parameters;
    CMOSQUITTO_FUNCTIONS(CMOSQUITTO_MEMBER)
#undef CMOSQUITTO_MEMBER
};

/* Loads the library, permanently; 0 for success. */
static inline int cmosquitto_load(struct cmosquitto_functions *functions) {
    void *library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
#define CMOSQUITTO_FIND(result, name, parameters) \
    functions->name = (result (*) parameters)dlsym(library, "mosquitto_" #name); \
    if (!functions->name) return -1;
    CMOSQUITTO_FUNCTIONS(CMOSQUITTO_FIND)
#undef CMOSQUITTO_FIND
    return functions->lib_init();
}

#endif
