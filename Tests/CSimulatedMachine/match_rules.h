/* What a client of the simulated machine's bus wants to receive (D-Bus specification, "Match Rules"). */
#ifndef BEDSIDE_MATCH_RULES_H
#define BEDSIDE_MATCH_RULES_H

#include "machine.h"

#include <dbus/dbus.h>

struct match_rule {
    char *text;
    /* NULL for any. */
    char *type, *sender, *interface, *member, *path, *below, *argument;
};

HIDDEN struct match_rule match_rule_read(const char *text);
HIDDEN void match_rule_free(struct match_rule *rule);
HIDDEN bool match_rule_fits(const struct match_rule *rule, DBusMessage *message);

/* The unique name of the client that owns a name; NULL for none. */
HIDDEN const char *bus_owner(const char *name);

#endif
