/* libdbus-1 for Swift: dull wrappers. Quirk importer-is-blind: it sees no macros with casts. */
#ifndef BEDSIDE_CDBUS_SHIM_H
#define BEDSIDE_CDBUS_SHIM_H

#include <dbus/dbus.h>

/* The type codes are macros with a cast to int. */
static inline int cdbus_type_array(void) { return DBUS_TYPE_ARRAY; }

/* An iterator is a struct of private fields, best made zero by C. */
static inline DBusMessageIter cdbus_message_iter(void) {
    DBusMessageIter iterator = DBUS_MESSAGE_ITER_INIT_CLOSED;
    return iterator;
}

/* DBUS_ERROR_INIT is a macro with a cast. */
static inline DBusError cdbus_error(void) {
    DBusError error;
    dbus_error_init(&error);
    return error;
}

#endif
