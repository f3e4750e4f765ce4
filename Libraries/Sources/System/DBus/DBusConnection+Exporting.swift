import CDBus

extension DBusConnection {
    private static let managerInterface = "org.freedesktop.DBus.ObjectManager"
    private static let propertiesInterface = "org.freedesktop.DBus.Properties"

    /// Offers an object, or more interfaces of one; an interface that is there already is replaced.
    ///
    /// Below an object manager this is announced by `InterfacesAdded`.
    public func export(_ path: ObjectPath, _ interfaces: [ExportedInterface]) throws(DBusConnectionError) {
        exports.add(path, interfaces)
        guard let manager = exports.manager(of: path) else { return }
        try emit(
            manager, Self.managerInterface, "InterfacesAdded",
            [.objectPath(path), ExportTable.interfacesAndProperties(interfaces)])
    }

    /// Removes interfaces of an object, or the whole object when no names are given.
    ///
    /// Below an object manager this is announced by `InterfacesRemoved`.
    public func unexport(_ path: ObjectPath, _ interfaces: [String]? = nil) throws(DBusConnectionError) {
        let manager = exports.manager(of: path)
        let removed = exports.remove(path, interfaces)
        guard let manager, !removed.isEmpty else { return }
        try emit(manager, Self.managerInterface, "InterfacesRemoved", [.objectPath(path), .strings(removed)])
    }

    /// Makes an object the manager of everything below it (D-Bus specification, "ObjectManager").
    public func exportObjectManager(at path: ObjectPath) {
        exports.managers.insert(path)
    }

    /// Ends an object manager; the objects below it stay, and their changes are no longer announced.
    public func unexportObjectManager(at path: ObjectPath) {
        exports.managers.remove(path)
    }

    /// Changes properties of an exported interface and announces it by one `PropertiesChanged`.
    ///
    /// - Parameters:
    ///   - path: The object.
    ///   - interface: The interface; nothing happens when it is not exported.
    ///   - values: The properties with their new values; announced even when a value is the old one.
    ///   - invalidated: Properties to remove, announced as invalidated.
    public func setProperties(
        of path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)], invalidated: [String] = []
    ) throws(DBusConnectionError) {
        guard exports.setProperties(path, interface, values) else { return }
        exports.removeProperties(path, interface, invalidated)
        try emit(
            path, Self.propertiesInterface, "PropertiesChanged",
            [.string(interface), .properties(values), .strings(invalidated)])
    }

    /// Changes properties of an exported interface without a signal.
    public func setPropertiesSilently(
        of path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)], removed: [String] = []
    ) {
        guard exports.setProperties(path, interface, values) else { return }
        exports.removeProperties(path, interface, removed)
    }

    /// The value of an exported property, or `nil` when there is none.
    public func exportedProperty(_ path: ObjectPath, _ interface: String, _ name: String) -> DBusValue? {
        exports.interface(path, interface)?.properties.first { $0.name == name }?.value
    }

    public func isExported(_ path: ObjectPath, _ interface: String) -> Bool {
        exports.interface(path, interface) != nil
    }

    // MARK: Answering

    /// Answers a call of an exported object; `false` leaves it to libdbus.
    func answer(call message: OpaquePointer) -> Bool {
        guard let path = dbus_message_get_path(message).map({ ObjectPath(checked: String(cString: $0)) }),
            let member = dbus_message_get_member(message).map({ String(cString: $0) })
        else { return false }
        let interface = dbus_message_get_interface(message).map { String(cString: $0) }
        if interface == "org.freedesktop.DBus.Peer" { return false }
        let view = DBusMessageView(message: message, timestamp: .now(), serialGaps: serialGaps)
        var reader = view.arguments()
        let call = IncomingCall(sender: view.sender ?? "", path: path, arguments: reader.readValues())
        let signature = view.signature
        dbus_message_ref(message)
        let pending = PendingAnswer(message: message)
        // The preference keeps the handler on the loop. Quirk capture-list-isolation: a closure that has one would run
        // on a thread of the pool.
        Task(executorPreference: loop) { await self.carryOut(call, interface, member, signature, pending) }
        return true
    }

    private func carryOut(
        _ call: IncomingCall, _ interface: String?, _ member: String, _ signature: String, _ pending: PendingAnswer
    ) async {
        defer { dbus_message_unref(pending.message) }
        do throws(DBusConnectionError) {
            reply(to: pending, try await result(of: call, interface, member, signature))
        } catch {
            reply(to: pending, error)
        }
    }

    private func result(
        of call: IncomingCall, _ interface: String?, _ member: String, _ signature: String
    ) async throws(DBusConnectionError) -> [DBusValue] {
        switch (interface, member) {
        case (Self.propertiesInterface, _):
            return try await properties(call, member, signature)
        case (Self.managerInterface, "GetManagedObjects") where exports.managers.contains(call.path):
            return [exports.managedObjects(below: call.path)]
        case ("org.freedesktop.DBus.Introspectable", "Introspect"):
            return [.string(Introspection.document(call.path, exports))]
        default:
            break
        }
        let candidates = exports.objects[call.path]?.filter { interface == nil || $0.name == interface } ?? []
        let methods = candidates.lazy.flatMap(\.methods)
        guard let method = methods.first(where: { $0.name == member && $0.input == signature }) else {
            throw unknownMethod(call.path, interface, member, signature)
        }
        return try await method.handler(call)
    }

    /// The error that libdbus-based daemons such as bluetoothd give for a path, a method or arguments that are unknown.
    private func unknownMethod(
        _ path: ObjectPath, _ interface: String?, _ member: String, _ signature: String
    ) -> DBusConnectionError {
        .remote(
            name: "org.freedesktop.DBus.Error.\(exports.isKnown(path) ? "UnknownMethod" : "UnknownObject")",
            message: "Method \"\(member)\" with signature \"\(signature)\" on interface "
                + "\"\(interface ?? "(null)")\" doesn't exist\n")
    }

    private func properties(
        _ call: IncomingCall, _ member: String, _ signature: String
    ) async throws(DBusConnectionError) -> [DBusValue] {
        let arguments = call.arguments
        guard ["GetAll": "s", "Get": "ss", "Set": "ssv"][member] == signature, arguments.count == signature.count
        else { throw unknownMethod(call.path, Self.propertiesInterface, member, signature) }
        let name = arguments.first?.text ?? ""
        guard let interface = exports.interface(call.path, name) else {
            throw .remote(
                name: exports.objects[call.path] == nil
                    ? "org.freedesktop.DBus.Error.UnknownObject" : "org.freedesktop.DBus.Error.InvalidArgs",
                message: "No such interface '\(name)'")
        }
        if member == "GetAll" { return [.properties(interface.properties.map { ($0.name, $0.value) })] }
        let property = arguments[1].text ?? ""
        guard let value = interface.properties.first(where: { $0.name == property })?.value else {
            throw .remote(
                name: "org.freedesktop.DBus.Error.InvalidArgs", message: "No such property '\(property)'")
        }
        if member == "Get" { return [.variant(value)] }
        guard let set = interface.setProperty else {
            throw .remote(
                name: "org.freedesktop.DBus.Error.PropertyReadOnly",
                message: "Property '\(property)' is not writable")
        }
        try await set(property, arguments[2].unwrapped)
        return []
    }

    private func reply(to pending: PendingAnswer, _ values: [DBusValue]) {
        do {
            let reply = try OutgoingMessage.reply(to: pending.message)
            defer { dbus_message_unref(reply) }
            try MessageWriter.append(values, to: reply)
            finish(pending, reply)
        } catch {
            // The handler's answer is invalid; the caller gets an error at once rather than a timeout.
            self.reply(to: pending, error)
        }
    }

    private func reply(to pending: PendingAnswer, _ failure: DBusConnectionError) {
        guard let reply = try? OutgoingMessage.error(failure, to: pending.message) else { return }
        defer { dbus_message_unref(reply) }
        finish(pending, reply)
    }

    /// Sends an answer if one is expected; failures are ignored, because the caller is gone then.
    private func finish(_ pending: PendingAnswer, _ reply: OpaquePointer) {
        guard dbus_message_get_no_reply(pending.message) == 0 else { return }
        try? send(reply)
    }
}

/// A call in progress.
private struct PendingAnswer: @unchecked Sendable {
    // `@unchecked Sendable`: it is made and read on the connection's thread only.
    let message: OpaquePointer
}
