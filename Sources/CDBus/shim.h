/* libdbus-1 for Swift: dull wrappers of what the importer cannot see. */
#ifndef BEDSIDE_CDBUS_SHIM_H
#define BEDSIDE_CDBUS_SHIM_H

#include <dbus/dbus.h>

/* DBUS_ERROR_INIT is a macro with a cast. */
static inline DBusError cdbus_error_init(void) {
    DBusError error;
    dbus_error_init(&error);
    return error;
}

#endif
