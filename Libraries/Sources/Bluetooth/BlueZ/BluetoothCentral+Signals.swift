import DBus
import EventLoops

/// A parsed signal about the daemon's objects.
struct ObjectSignal {
    enum Member {
        case interfacesAdded, interfacesRemoved, propertiesChanged
    }

    let member: Member
    let path: String
    let arguments: [DBusValue]
    let timestamp: Timestamp
}

extension BluetoothCentral {
    /// Subscribes to the needed signals; the subscriptions are active when this returns.
    func watchSignals(_ connection: DBusConnection) async throws(DBusConnectionError) {
        try await connection.handleSignals(
            matching: SignalMatch(
                sender: Name.bus, interface: Name.bus, member: "NameOwnerChanged", firstArgument: Name.bluez),
            in: self
        ) { $0.ownerChanged($1) }
        try await connection.handleSignals(
            matching: SignalMatch(
                sender: Name.bluez, interface: Name.properties, member: "PropertiesChanged",
                pathNamespace: ObjectPath("/org/bluez")),
            in: self
        ) { $0.propertiesChanged($1) }
        try await connection.handleSignals(
            matching: SignalMatch(sender: Name.bluez, interface: Name.objectManager, member: "InterfacesAdded"),
            in: self
        ) { $0.objectsChanged($1, .interfacesAdded) }
        try await connection.handleSignals(
            matching: SignalMatch(sender: Name.bluez, interface: Name.objectManager, member: "InterfacesRemoved"),
            in: self
        ) { $0.objectsChanged($1, .interfacesRemoved) }
    }

    private func ownerChanged(_ view: borrowing DBusMessageView) {
        guard view.isFrom(Name.bus) else {
            ignoreForeign(view.path)
            return
        }
        var arguments = view.arguments()
        guard arguments.readText() == Name.bluez, arguments.readText() != nil, let owner = arguments.readText() else {
            ignore(.signal, view.path)
            return
        }
        // A bus that reports this is alive, and the daemon that was asked may have gone.
        if bus.state == .silent { changeBus(to: .connected, at: view.timestamp) }
        adopt(owner.isEmpty ? nil : owner, at: view.timestamp)
    }

    /// Whether a signal comes from the daemon.
    ///
    /// Quirk signals-past-rules: any program may send a signal that looks like the daemon's.
    private func isFromDaemon(_ view: borrowing DBusMessageView) -> Bool {
        if let owner = daemon.owner, view.isFrom(owner) {
            heardDaemon(at: view.timestamp)
            return true
        }
        ignoreForeign(view.path)
        return false
    }

    // MARK: Values

    /// The fast path of every notification: only its octets are read.
    private func propertiesChanged(_ view: borrowing DBusMessageView) {
        guard isFromDaemon(view) else { return }
        var arguments = view.arguments()
        guard !daemon.awaitsObjects, arguments.isNext("org.bluez.GattCharacteristic1") else {
            objectsChanged(view, .propertiesChanged)
            return
        }
        arguments.skip()
        var octets: [UInt8]?
        var isOnlyValue = true
        let path = view.path
        let isContainer: Void? = arguments.readContainer { properties in
            while properties.code != 0 {
                properties.readContainer { property in
                    guard property.isNext("Value") else {
                        isOnlyValue = false
                        return
                    }
                    property.skip()
                    octets = property.readContainer { $0.readBytes() } ?? nil
                    if octets == nil { ignore(.value, path) }
                } ?? properties.skip()
            }
        }
        if isContainer == nil { ignore(.signal, path) }
        if let octets, let path {
            if octets.count <= InputBounds.valueLength { report(octets, of: path, view) } else { ignore(.value, path) }
        }
        if !isOnlyValue { objectsChanged(view, .propertiesChanged) }
    }

    private func report(_ octets: [UInt8], of path: String, _ view: borrowing DBusMessageView) {
        guard
            let arrival = notifySessions.receive(
                octets, at: path, serial: view.serial, gaps: countedSerialGaps(view.serialGaps),
                timestamp: view.timestamp)
        else { return }
        if !arrival.earlier.isEmpty {
            emit(NotifySessions.Samples(reference: arrival.reference, emissions: arrival.earlier))
        }
        if !arrival.isHeld { emit(.notification(arrival.reference, octets), at: view.timestamp) }
    }

    // MARK: Everything else

    private func objectsChanged(_ view: borrowing DBusMessageView, _ member: ObjectSignal.Member) {
        // Values were already checked and counted on their way here.
        guard member == .propertiesChanged || isFromDaemon(view) else { return }
        var arguments = view.arguments()
        let signal = ObjectSignal(
            member: member, path: view.path ?? "", arguments: arguments.readValues(), timestamp: view.timestamp)
        if daemon.awaitsObjects { hold(signal) } else { apply(signal) }
    }

    /// Applies a signal to the tree and emits its events.
    func apply(_ signal: ObjectSignal) {
        guard let kinds = kinds(of: signal) else {
            ignore(.signal, signal.path)
            return
        }
        publish(kinds, at: signal.timestamp)
    }

    /// The events of a signal; `nil` when its arguments are malformed.
    private func kinds(of signal: ObjectSignal) -> [BlueZEvent.Kind]? {
        let arguments = signal.arguments
        switch signal.member {
        case .interfacesAdded:
            guard arguments.count == 2, let path = arguments[0].path, let interfaces = arguments[1].interfaceProperties
            else { return nil }
            return tree.add(path, interfaces, at: signal.timestamp)
        case .interfacesRemoved:
            guard arguments.count == 2, let path = arguments[0].path, let interfaces = arguments[1].texts
            else { return nil }
            let kinds = tree.remove(path, interfaces)
            forgetLostSubscriptions()
            return kinds
        case .propertiesChanged:
            guard arguments.count == 3, let path = ObjectPath(signal.path), let interface = arguments[0].text,
                let properties = arguments[1].namedValues, let invalidated = arguments[2].texts
            else { return nil }
            return tree.change(path, interface, properties, invalidated: invalidated, at: signal.timestamp)
        }
    }

    /// Ends the notify sessions and the readers of characteristics that are gone.
    private func forgetLostSubscriptions() {
        notifySessions.endLost { tree.characteristics[$0] == nil }
        if !notificationReaders.isEmpty {
            notificationReaders.end { tree.characteristics[$0.path] == nil ? .characteristicGone : nil }
        }
        endSockets { tree.characteristics[$0.path] == nil ? .characteristicGone : nil }
    }
}
