extension DeviceCharacteristic where Value == CurrentTime {
    /// Sets the clock of a device that allows it.
    ///
    /// - Parameters:
    ///   - time: The time; its time zone is that of the device's user.
    ///   - timeout: How long to wait for the answer.
    /// - Returns: Whether the device took every field; some ignore the day of the week, the fractions or the reason, and say
    ///   so (ATT error 0x80, Current Time Service 1.1, section 3.1.1.3).
    /// - Throws: ``DeviceError``: `notSupported` where the flag is missing.
    @discardableResult
    public func set(_ time: CurrentTime, timeout: Duration = .seconds(35)) async throws(DeviceError) -> Bool {
        guard await flags.contains(.write) else {
            throw .bluez(BlueZError(.notSupported, text: "the time of this device cannot be set"))
        }
        do {
            try await write(time, timeout: timeout)
            return true
        } catch {
            guard case .bluez(let failure) = error, failure.kind == .attribute(code: 0x80) else { throw error }
            return false
        }
    }
}
