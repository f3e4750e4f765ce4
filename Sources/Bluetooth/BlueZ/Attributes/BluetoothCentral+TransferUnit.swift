import DBus

extension Characteristic {
    /// The smallest possible ATT MTU (Core Specification, Vol 3 Part F, 3.2.8), in octets.
    public static let leastTransferUnit = 23
    /// The greatest length of a value (Core Specification, Vol 3 Part F, 3.2.9), in octets.
    public static let greatestValueLength = 512

    /// How many octets one write can carry.
    ///
    /// With a response a longer value than the link carries at once is written in pieces by the daemon. Without one
    /// everything has to fit into one packet.
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
    /// The ATT MTU of a characteristic's link now, in octets.
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
            // The daemon has no such property, as before BlueZ 5.62.
            throw error.kind == .invalidArguments
                ? BlueZError(.notSupported, name: error.name, text: error.text) : error
        }
        guard let octets = answer.first?.unwrapped.integer, (Characteristic.leastTransferUnit...0xFFFF).contains(octets)
        else { throw BlueZError(.unexpectedAnswer) }
        tree.characteristics[path]?.mtu = octets
        return octets
    }
}
