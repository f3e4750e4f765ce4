import Base

extension RememberedDevices {
    /// Remembers a peripheral as a declared device.
    ///
    /// Its kind is the name of the declaration, its variant the declaration's that it is (`variant(of:)`). The private
    /// address of a device that is not paired changes within minutes, and does not find it again: pair it first.
    ///
    /// - Parameters:
    ///   - peripheral: The device.
    ///   - declaration: What it is.
    ///   - name: What the person calls it; `nil` for its own name, or else its address.
    ///   - timestamp: The present time.
    /// - Throws: `RememberingError`: `noName`, `full`; then nothing has changed.
    public mutating func remember<Declaration: DeviceDeclaration>(
        _ peripheral: Peripheral, as declaration: Declaration.Type, named name: String? = nil,
        at timestamp: Timestamp = .now()
    ) throws(RememberingError) {
        // A name of nothing but invisible characters is none.
        let own = [peripheral.name, peripheral.alias].compactMap { $0 }.first { name in
            !sanitized(name).allSatisfy { $0 == " " }
        }
        try remember(
            peripheral.address, named: name ?? own ?? peripheral.address.description, kind: "\(declaration)",
            variant: declaration.variant(of: peripheral)?.name, at: timestamp.wallMilliseconds)
        note(peripheral)
    }

    /// The remembered devices of a declaration that the program may connect by itself, in the person's order.
    ///
    /// - Parameter declaration: What ``remember(_:as:named:at:)`` has remembered them as.
    public func devices<Declaration: DeviceDeclaration>(toConnectAs declaration: Declaration.Type) -> [RememberedDevice]
    {
        devices(ofKind: "\(declaration)").filter(\.connectsAutomatically)
    }

    /// Notes what is known of a peripheral: when it was heard, and its battery.
    ///
    /// - Returns: Whether it is remembered.
    @discardableResult
    public mutating func note(_ peripheral: Peripheral) -> Bool {
        if let heard = peripheral.lastHeard { noteSeen(peripheral.address, at: heard.wallMilliseconds) }
        if let percent = peripheral.batteryPercent { noteBattery(percent, peripheral.address) }
        return self[peripheral.address] != nil
    }

    /// Notes that a device was connected, and so was there.
    ///
    /// - Parameters:
    ///   - address: The device.
    ///   - timestamp: When.
    /// - Returns: Whether it is remembered.
    @discardableResult
    public mutating func noteConnected(_ address: BluetoothAddress, at timestamp: Timestamp = .now()) -> Bool {
        noteConnected(address, at: timestamp.wallMilliseconds)
    }
}
