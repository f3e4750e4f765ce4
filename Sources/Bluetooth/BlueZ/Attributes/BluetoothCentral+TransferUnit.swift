import DBus

extension Characteristic {
    /// The smallest possible ATT MTU (Core Specification, Vol 3 Part F, 3.2.8), in octets.
    public static let leastTransferUnit = 23
    /// The greatest length of a value (Core Specification, Vol 3 Part F, 3.2.9), in octets.
    public static let greatestValueLength = 512

    /// The longest value that one write can carry, in octets.
    ///
    /// With a response the daemon splits a value that is longer than one packet. Without one everything must fit into
    /// one packet.
    ///
    /// - Parameters:
    ///   - mode: The kind of write.
    ///   - transferUnit: The ATT MTU in octets; by default the one reported with the characteristic.
    public func greatestWriteLength(_ mode: WriteMode, transferUnit: Int? = nil) -> Int {
        guard mode == .withoutResponse else { return Self.greatestValueLength }
        // Less the octets of the opcode and the handle.
        return min(Self.greatestValueLength, max(Self.leastTransferUnit, transferUnit ?? mtu ?? 0) - 3)
    }
}

extension BluetoothCentral {
    /// The present ATT MTU of a characteristic's link, in octets.
    ///
    /// Quirk mtu-without-signal: the daemon does not report changes, so ``Characteristic/mtu`` can be that of a former
    /// link.
    ///
    /// - Throws: ``BlueZError``: `notConnected` without a link, `notSupported` where the daemon does not report it.
    public func transferUnit(
        of characteristic: CharacteristicReference, timeout: Duration = .seconds(10)
    ) async throws(BlueZError) -> Int {
        let path = try object(of: characteristic)
        guard tree.peripheral(characteristic.peripheral)?.isConnected == true else { throw BlueZError(.notConnected) }
        let answer: [DBusValue]
        do throws(BlueZError) {
            answer = try await call(
                path, Name.properties, "Get", [.string(Name.characteristic), .string("MTU")], timeout: timeout)
        } catch {
            // Before BlueZ 5.62 the daemon has no such property.
            throw error.kind == .invalidArguments
                ? BlueZError(.notSupported, name: error.name, text: error.text) : error
        }
        guard let octets = answer.first?.unwrapped.integer, (Characteristic.leastTransferUnit...0xFFFF).contains(octets)
        else { throw BlueZError(.unexpectedAnswer) }
        tree.characteristics[path]?.mtu = octets
        return octets
    }
}
