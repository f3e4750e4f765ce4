import EventLoops

/// Writes to an acquired characteristic, without responses (``BluetoothCentral/acquireWrite(_:timeout:)``).
///
/// Meanwhile the daemon refuses all other writes to it. With the last copy of this value the characteristic is released.
public struct AcquiredWriter: Sendable {
    /// The characteristic.
    public let characteristic: CharacteristicReference
    /// The ATT MTU of the link, in octets.
    public let transferUnit: Int

    let central: BluetoothCentral
    let number: UInt64
    let lease: NotificationLease

    /// The longest value that one write can carry, in octets.
    public var greatestLength: Int { Characteristic.greatestLengthWithoutResponse(transferUnit: transferUnit) }

    /// Passes a value to the daemon, which sends it without waiting for an answer; it may get lost unnoticed.
    ///
    /// While the socket is full this waits until the daemon has read from it. Values of several callers keep the order
    /// of the calls.
    ///
    /// - Parameters:
    ///   - octets: The value, 1 to ``greatestLength`` octets.
    ///   - timeout: How long to wait at most; a value whose time is over is not sent.
    /// - Throws: ``BlueZError``: `invalidArguments` for another length, `timedOut`, and after the end `notConnected`,
    ///   `unknownObject`, `daemonGone` or `busLost`.
    public func write(_ octets: [UInt8], timeout: Duration = .seconds(35)) async throws(BlueZError) {
        guard (1...greatestLength).contains(octets.count) else {
            throw BlueZError(
                .invalidArguments, text: "an acquired write carries 1 to \(greatestLength) octets, not \(octets.count)")
        }
        try await central.write(octets, toSocket: number, of: characteristic, timeout: timeout)
    }

    /// Releases the characteristic; later writes fail, and others can write again.
    public func close() async { await central.closeSocket(number) }
}
