/// The exported objects of a connection.
struct ExportTable {
    private(set) var objects: [ObjectPath: [ExportedInterface]] = [:]
    /// The paths in the order of their export, so that parents are announced before children.
    private(set) var order: [ObjectPath] = []
    var managers: Set<ObjectPath> = []

    func interface(_ path: ObjectPath, _ name: String) -> ExportedInterface? {
        objects[path]?.first { $0.name == name }
    }

    mutating func add(_ path: ObjectPath, _ interfaces: [ExportedInterface]) {
        if objects[path] == nil { order.append(path) }
        let names = Set(interfaces.map(\.name))
        objects[path, default: []].removeAll { names.contains($0.name) }
        objects[path, default: []].append(contentsOf: interfaces)
    }

    /// Removes interfaces, all of them when no names are given; returns the names of the removed ones.
    mutating func remove(_ path: ObjectPath, _ names: [String]?) -> [String] {
        guard let present = objects[path]?.map(\.name) else { return [] }
        let removed = names.map { names in present.filter { names.contains($0) } } ?? present
        objects[path]?.removeAll { removed.contains($0.name) }
        if objects[path]?.isEmpty ?? true {
            objects[path] = nil
            order.removeAll { $0 == path }
        }
        return removed
    }

    /// Changes property values; a missing property is added.
    ///
    /// Returns whether the interface exists.
    mutating func setProperties(_ path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)]) -> Bool {
        guard let index = objects[path]?.firstIndex(where: { $0.name == interface }) else { return false }
        for (name, value) in values {
            if let property = objects[path]?[index].properties.firstIndex(where: { $0.name == name }) {
                objects[path]?[index].properties[property].value = value
            } else {
                objects[path]?[index].properties.append((name, value))
            }
        }
        return true
    }

    mutating func removeProperties(_ path: ObjectPath, _ interface: String, _ names: [String]) {
        guard let index = objects[path]?.firstIndex(where: { $0.name == interface }) else { return }
        objects[path]?[index].properties.removeAll { names.contains($0.name) }
    }

    /// Whether there is an object at a path, or an ancestor of one.
    func isKnown(_ path: ObjectPath) -> Bool {
        objects[path] != nil || managers.contains(path) || order.contains { $0.isBelow(path) }
    }

    /// The manager whose tree a path belongs to.
    func manager(of path: ObjectPath) -> ObjectPath? {
        managers.filter { path.isBelow($0) }.max { $0.description.utf8.count < $1.description.utf8.count }
    }

    /// The result of `GetManagedObjects`, `a{oa{sa{sv}}}`.
    func managedObjects(below manager: ObjectPath) -> DBusValue {
        let entries = order.filter { $0.isBelow(manager) }.map { path in
            DBusEntry(.objectPath(path), Self.interfacesAndProperties(objects[path] ?? []))
        }
        return .dictionary(entries, key: .objectPath, value: .dictionary(key: .string, value: .properties))
    }

    /// Interfaces with their properties, `a{sa{sv}}`.
    static func interfacesAndProperties(_ interfaces: [ExportedInterface]) -> DBusValue {
        .dictionary(
            interfaces.map { DBusEntry(.string($0.name), .properties($0.properties.map { ($0.name, $0.value) })) },
            key: .string, value: .properties)
    }

    /// The names of the next path elements below a path, for introspection.
    func children(of path: ObjectPath) -> [String] {
        let prefix = path == .root ? "/" : path.description + "/"
        var names: [String] = []
        for other in order where other.isBelow(path) {
            let name = String(other.description.dropFirst(prefix.count).prefix { $0 != "/" })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }
}

/// An exported interface of an object.
public struct ExportedInterface: Sendable {
    /// Its name, such as `org.bluez.Adapter1`.
    public var name: String
    /// Its properties and their values, in the order of their declaration.
    public var properties: [(name: String, value: DBusValue)]
    public var methods: [ExportedMethod]
    /// The signals that it emits, for introspection.
    public var signals: [ExportedSignal]
    /// Called on the connection's loop when a client sets a property; without it every property is read-only.
    ///
    /// The value changes only by ``DBusConnection/setProperties(of:_:_:invalidated:)``.
    public var setProperty: (@Sendable (_ name: String, _ value: DBusValue) async throws(DBusConnectionError) -> Void)?

    public init(
        _ name: String, properties: [(name: String, value: DBusValue)] = [], methods: [ExportedMethod] = [],
        signals: [ExportedSignal] = [],
        setProperty: (@Sendable (_ name: String, _ value: DBusValue) async throws(DBusConnectionError) -> Void)? = nil
    ) {
        self.name = name
        self.properties = properties
        self.methods = methods
        self.signals = signals
        self.setProperty = setProperty
    }
}

/// An exported signal of an object; ``DBusConnection/emit(_:_:_:_:to:)`` emits it.
public struct ExportedSignal: Sendable {
    public var name: String
    /// The signature of what it carries.
    public var signature: String

    public init(_ name: String, _ signature: String) {
        (self.name, self.signature) = (name, signature)
    }
}

/// An exported method of an object.
public struct ExportedMethod: Sendable {
    public var name: String
    /// The signature of its arguments; a call with another one is refused.
    public var input: String
    /// The signature of its answer.
    public var output: String
    /// Called for every call, in the order of their arrival, on the connection's loop; what it throws is sent as the
    /// error, a ``DBusConnectionError/remote(name:message:)`` with its own name.
    public var handler: @Sendable (IncomingCall) async throws(DBusConnectionError) -> [DBusValue]

    public init(
        _ name: String, input: String = "", output: String = "",
        _ handler: @escaping @Sendable (IncomingCall) async throws(DBusConnectionError) -> [DBusValue]
    ) {
        self.name = name
        self.input = input
        self.output = output
        self.handler = handler
    }
}

/// A call of an exported method.
public struct IncomingCall: Sendable {
    /// The unique name of the caller.
    public let sender: String
    /// The object that was called.
    public let path: ObjectPath
    /// The arguments, of the types that the method declares.
    public let arguments: [DBusValue]
}

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
