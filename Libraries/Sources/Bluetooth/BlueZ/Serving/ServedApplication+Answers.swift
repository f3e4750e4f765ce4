import DBus
import EventLoops

// The calls of the daemon, in the name of centrals.
extension ServedApplication {
    /// The most reads that wait for an answer of the program; more are refused.
    private static let greatestPendingReads = 64

    /// The methods of an object (`org.bluez.GattCharacteristic1`, `org.bluez.GattDescriptor1`).
    func methods(of object: ServedAttributes.Object) -> [ExportedMethod] {
        switch object.role {
        case .service: []
        case .descriptor(let octets):
            [
                method("ReadValue", "a{sv}", "ay") { _, call async throws(AttributeRefusal) in
                    [.bytes(try AttributeRequest(call.arguments.first).rest(of: octets))]
                }
            ]
        case .characteristic(let key):
            [
                method("ReadValue", "a{sv}", "ay") { application, call async throws(AttributeRefusal) in
                    [.bytes(try await application.read(key, AttributeRequest(call.arguments.first)))]
                },
                method("WriteValue", "aya{sv}") { application, call async throws(AttributeRefusal) in
                    try await application.write(call.arguments.first, to: key, AttributeRequest(call.arguments.last))
                    return []
                },
                method("StartNotify") { application, _ async throws(AttributeRefusal) in
                    try await application.subscribe(to: key, true)
                    return []
                },
                method("StopNotify") { application, _ async throws(AttributeRefusal) in
                    try await application.subscribe(to: key, false)
                    return []
                },
                // A central has confirmed an indication.
                method("Confirm") { _, _ async throws(AttributeRefusal) in [] },
            ]
        }
    }

    /// The method by which the daemon tells that it no longer advertises (`org.bluez.LEAdvertisement1`).
    var releaseMethod: ExportedMethod {
        method("Release") { application, _ async throws(AttributeRefusal) in
            await application.advertisementReleased()
            return []
        }
    }

    /// A method that answers only the daemon: any program on the bus can call.
    private func method(
        _ name: String, _ input: String = "", _ output: String = "",
        _ body: @escaping @Sendable (ServedApplication, IncomingCall) async throws(AttributeRefusal) -> [DBusValue]
    ) -> ExportedMethod {
        ExportedMethod(name, input: input, output: output) { [weak self] call async throws(DBusConnectionError) in
            guard let self, await self.central.isDaemon(call) else { throw AttributeRefusal.notAuthorized.busError }
            do throws(AttributeRefusal) {
                return try await body(self, call)
            } catch {
                throw error.busError
            }
        }
    }

    // MARK: Reading

    private func read(_ key: CharacteristicKey, _ request: AttributeRequest) async throws(AttributeRefusal) -> [UInt8] {
        guard attributes?.characteristics[key]?.flags.contains(.read) == true else { throw .notPermitted }
        if request.offset > 0, let octets = longReads.value(of: key, for: request) {
            return try request.rest(of: octets)
        }
        let octets = try await value(of: key)
        if request.offset == 0 { longReads.begin(key, octets, for: request) }
        return try request.rest(of: octets)
    }

    private func value(of key: CharacteristicKey) async throws(AttributeRefusal) -> [UInt8] {
        switch handlers[key]?.source {
        case .octets(let octets): return octets
        case .answer(let answer):
            guard pendingReads < Self.greatestPendingReads else { throw .inProgress }
            pendingReads += 1
            defer { pendingReads -= 1 }
            let octets = try await answer()
            guard octets.count <= Characteristic.greatestValueLength else { throw .unlikelyError }
            return octets
        case .nothing, nil: throw .notSupported
        }
    }

    // MARK: Writing

    private func write(
        _ value: DBusValue?, to key: CharacteristicKey, _ request: AttributeRequest
    ) async throws(AttributeRefusal) {
        guard let flags = attributes?.characteristics[key]?.flags, !flags.isDisjoint(with: ServedOffer.writing),
            let take = handlers[key]?.takeWrite
        else { throw .notPermitted }
        guard let octets = value?.valueOctets else { throw .invalidValueLength }
        // The daemon puts the parts of a long write together. A value of a type cannot be written in the middle.
        guard request.offset == 0 else { throw .invalidOffset }
        if request.isPreparation { return }
        var address: BluetoothAddress?
        if let device = request.device { address = await central.address(of: device) }
        let write = ReceivedWrite(value: octets, central: address, mode: request.mode, timestamp: .now())
        if let refusal = take(write) { throw refusal }
    }

    // MARK: Sending

    private func subscribe(to key: CharacteristicKey, _ isSubscribed: Bool) throws(AttributeRefusal) {
        guard attributes?.characteristics[key]?.flags.isDisjoint(with: ServedOffer.sending) == false else {
            throw .notSupported
        }
        handlers[key]?.change(isSubscribed: isSubscribed)
    }

    func subscriptionSequence(of key: CharacteristicKey) -> BroadcastSequence<Bool> {
        (handlers[key]?.subscriptions ?? Broadcast()).subscribe(
            startingWith: [handlers[key]?.isSubscribed ?? false])
    }

    /// Sends a value to the subscribed centrals; returns whether there is one.
    func send(_ octets: [UInt8], from key: CharacteristicKey) async throws(ServingError) -> Bool {
        guard octets.count <= Characteristic.greatestValueLength else { throw .valueTooLong(octets: octets.count) }
        guard let served = attributes?.characteristics[key], !served.flags.isDisjoint(with: ServedOffer.sending) else {
            throw .notServed(key.uuid)
        }
        if case .octets = handlers[key]?.source { handlers[key]?.source = .octets(octets) }
        guard handlers[key]?.isSubscribed == true else { return false }
        return await central.emit(octets, asValueOf: served.path)
    }
}
