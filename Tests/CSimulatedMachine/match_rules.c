#define _GNU_SOURCE
#include "match_rules.h"

#include <stdlib.h>
#include <string.h>

static void set_key(struct match_rule *rule, const char *key, char *value) {
    struct { const char *key; char **place; } table[] = {
        { "type", &rule->type }, { "sender", &rule->sender }, { "interface", &rule->interface },
        { "member", &rule->member }, { "path", &rule->path }, { "path_namespace", &rule->below },
        { "arg0", &rule->argument },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].key, key) != 0) continue;
        *table[i].place = value;
        return;
    }
    machine_fail("the bus does not know the key %s of match rules", key);
}

struct match_rule match_rule_read(const char *text) {
    struct match_rule rule = { .text = strdup(text) };
    char *copy = strdup(text), *rest = copy;
    while (*rest) {
        char *key = rest, *equals = strchr(rest, '=');
        if (!equals) break;
        *equals = 0;
        char *value = equals + 1;
        if (*value == '\'') value++;
        char *end = value + strcspn(value, "',");
        rest = end + (*end == '\'' ? 1 : 0);
        if (*rest == ',') rest++;
        *end = 0;
        set_key(&rule, key, strdup(value));
    }
    free(copy);
    return rule;
}

void match_rule_free(struct match_rule *rule) {
    char *parts[] = { rule->text, rule->type, rule->sender, rule->interface, rule->member, rule->path, rule->below,
                      rule->argument };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
}

static bool is_equal(const char *wanted, const char *found) { return !wanted || (found && strcmp(wanted, found) == 0); }

static bool is_below(const char *wanted, const char *found) {
    size_t length = wanted ? strlen(wanted) : 0;
    return !wanted || (found && strncmp(wanted, found, length) == 0
        && (found[length] == 0 || found[length] == '/' || length == 1));
}

bool match_rule_fits(const struct match_rule *rule, DBusMessage *message) {
    if (!is_equal(rule->type, dbus_message_type_to_string(dbus_message_get_type(message)))) return false;
    if (rule->sender) {
        const char *sender = dbus_message_get_sender(message);
        const char *owner = bus_owner(rule->sender);
        if (strcmp(rule->sender, sender) != 0 && !(owner && strcmp(owner, sender) == 0)) return false;
    }
    if (!is_equal(rule->interface, dbus_message_get_interface(message))) return false;
    if (!is_equal(rule->member, dbus_message_get_member(message))) return false;
    if (!is_equal(rule->path, dbus_message_get_path(message))) return false;
    if (!is_below(rule->below, dbus_message_get_path(message))) return false;
    if (!rule->argument) return true;
    DBusMessageIter arguments;
    if (!dbus_message_iter_init(message, &arguments)) return false;
    if (dbus_message_iter_get_arg_type(&arguments) != DBUS_TYPE_STRING) return false;
    const char *text;
    dbus_message_iter_get_basic(&arguments, &text);
    return strcmp(text, rule->argument) == 0;
}
