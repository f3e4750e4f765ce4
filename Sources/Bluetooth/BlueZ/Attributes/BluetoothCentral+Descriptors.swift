import DBus

extension BluetoothUUID {
    /// Characteristic User Description (2901): text.
    public static let characteristicUserDescription = BluetoothUUID(0x2901)
    /// Client Characteristic Configuration (2902): whether a characteristic notifies or indicates to us.
    ///
    /// The daemon writes it itself for ``BluetoothCentral/startNotify(_:timeout:)``, and refuses other writes.
    public static let clientCharacteristicConfiguration = BluetoothUUID(0x2902)
    /// Characteristic Presentation Format (2904): type, exponent and unit of a value.
    public static let characteristicPresentationFormat = BluetoothUUID(0x2904)
}

extension BluetoothCentral {
    /// Reads a descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: Which one; its peripheral must be connected.
    ///   - timeout: How long to wait.
    /// - Returns: The octets.
    /// - Throws: ``BlueZError``, as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func read(_ descriptor: Descriptor, timeout: Duration = .seconds(35)) async throws(BlueZError) -> [UInt8] {
        let answer = try await call(
            try object(of: descriptor), Name.descriptor, "ReadValue", [.properties([])], timeout: timeout)
        guard let octets = answer.first?.valueOctets else { throw BlueZError(.unexpectedAnswer) }
        return octets
    }

    /// Writes a descriptor.
    ///
    /// - Parameters:
    ///   - octets: The octets to write.
    ///   - descriptor: Which one; its peripheral must be connected.
    ///   - timeout: How long to wait for the peripheral's answer.
    /// - Throws: ``BlueZError``: `notPermitted` for `BluetoothUUID.clientCharacteristicConfiguration`, which only the
    ///   daemon writes, and as ``read(_:timeout:)-(CharacteristicReference,_)``.
    public func write(
        _ octets: [UInt8], to descriptor: Descriptor, timeout: Duration = .seconds(35)
    ) async throws(BlueZError) {
        try await call(
            try object(of: descriptor), Name.descriptor, "WriteValue", [.bytes(octets), .properties([])],
            timeout: timeout)
    }

    /// The object of a descriptor, if its path still belongs to it (quirk paths-from-handles).
    private func object(of descriptor: Descriptor) throws(BlueZError) -> ObjectPath {
        try requireDaemon()
        guard tree.characteristics[descriptor.path.parent]?.descriptors.contains(descriptor) == true else {
            throw BlueZError(.unknownObject, text: "\(descriptor.path) is not what it was")
        }
        return descriptor.path
    }

    /// Throws when there is no daemon to ask.
    func requireDaemon() throws(BlueZError) {
        if connection == nil { throw BlueZError(.busLost) }
        if daemon.owner == nil { throw BlueZError(.daemonGone) }
    }
}
