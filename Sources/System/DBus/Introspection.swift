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
            for signal in exported.signals { body += element("signal", signal.name, [(signal.signature, nil)]) }
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
        element("method", name, [(input, "in"), (output, "out")])
    }

    /// A method or a signal with its arguments; those of a signal have no direction.
    private static func element(_ kind: String, _ name: String, _ signatures: [(String, String?)]) -> String {
        let arguments = signatures.flatMap { signature, direction in
            ((try? DBusSignature(parsing: signature))?.types ?? []).map {
                "<arg type=\"\($0.signature)\"\(direction.map { " direction=\"\($0)\"" } ?? "")/>"
            }
        }
        return "<\(kind) name=\"\(name)\">\(arguments.joined())</\(kind)>\n"
    }
}
