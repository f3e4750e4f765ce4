/// The introspection documents of exported objects (D-Bus specification, "Introspection data format").
enum Introspection {
    static func document(_ path: ObjectPath, _ exports: ExportTable) -> String {
        var xml = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        xml += interface("org.freedesktop.DBus.Introspectable", method("Introspect", "", "s"))
        if exports.managers.contains(path) {
            xml += interface(
                "org.freedesktop.DBus.ObjectManager", method("GetManagedObjects", "", "a{oa{sa{sv}}}"))
        }
        let interfaces = exports.objects[path] ?? []
        if !interfaces.isEmpty {
            xml += interface(
                "org.freedesktop.DBus.Properties",
                method("Get", "ss", "v") + method("GetAll", "s", "a{sv}") + method("Set", "ssv", ""))
        }
        for exported in interfaces {
            var body = ""
            for item in exported.methods { body += method(item.name, item.input, item.output) }
            let access = exported.setProperty == nil ? "read" : "readwrite"
            for (name, value) in exported.properties {
                body += "<property name=\"\(name)\" type=\"\(value.type.signature)\" access=\"\(access)\"/>\n"
            }
            xml += interface(exported.name, body)
        }
        for child in exports.children(of: path) { xml += "<node name=\"\(child)\"/>\n" }
        return xml + "</node>\n"
    }

    private static func interface(_ name: String, _ body: String) -> String {
        "<interface name=\"\(name)\">\n\(body)</interface>\n"
    }

    private static func method(_ name: String, _ input: String, _ output: String) -> String {
        let arguments = [(input, "in"), (output, "out")].flatMap { signature, direction in
            ((try? DBusSignature(parsing: signature))?.types ?? []).map {
                "<arg type=\"\($0.signature)\" direction=\"\(direction)\"/>"
            }
        }
        return "<method name=\"\(name)\">\(arguments.joined())</method>\n"
    }
}
