/* libmosquitto, loaded when a broker is configured: without one no process has it and OpenSSL in its memory, and Bedside
   runs where it is not installed. */
#ifndef BEDSIDE_CMOSQUITTO_SHIM_H
#define BEDSIDE_CMOSQUITTO_SHIM_H

#include <dlfcn.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>

/* The functions that are used, with the types of their declarations. */
#define CMOSQUITTO_FUNCTIONS(F) \
    F(lib_init) F(new) F(destroy) F(int_option) F(username_pw_set) F(tls_set) F(will_set_v5) F(connect_bind_v5) \
    F(disconnect_v5) F(publish_v5) F(subscribe_v5) F(property_add_int32) F(property_add_int16) F(property_free_all) \
    F(connect_v5_callback_set) F(disconnect_v5_callback_set) F(publish_v5_callback_set) F(message_v5_callback_set) \
    F(subscribe_v5_callback_set) F(log_callback_set) F(socket) F(want_write) F(loop_read) F(loop_write) F(loop_misc) \
    F(strerror) F(reason_string)

struct cmosquitto_functions {
#define CMOSQUITTO_MEMBER(name) __typeof__(mosquitto_##name) *name;
    CMOSQUITTO_FUNCTIONS(CMOSQUITTO_MEMBER)
#undef CMOSQUITTO_MEMBER
};

/* Loads the library, permanently; 0 for success. */
static inline int cmosquitto_load(struct cmosquitto_functions *functions) {
    void *library = dlopen("libmosquitto.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
#define CMOSQUITTO_FIND(name) \
    functions->name = (__typeof__(functions->name))dlsym(library, "mosquitto_" #name); \
    if (!functions->name) return -1;
    CMOSQUITTO_FUNCTIONS(CMOSQUITTO_FIND)
#undef CMOSQUITTO_FIND
    return functions->lib_init();
}

#endif
