import BlueZ
import EventLoop

/// What the supervisor needs of BlueZ; tests put a scripted one in its place.
///
/// The meaning of each member is that of the one of the same name in `BlueZ`.
protocol Central: Actor {
    nonisolated var loop: EventLoop { get }

    func events() -> BroadcastSequence<BlueZEvent>
    func services(of address: BluetoothAddress) -> [Service]
    func beginDiscovery() async throws(BlueZError)
    func endDiscovery() async throws(BlueZError)
    func connect(_ address: BluetoothAddress, timeout: Duration) async throws(BlueZError)
    func disconnect(_ address: BluetoothAddress, timeout: Duration) async throws(BlueZError)
    func removeDevice(_ address: BluetoothAddress, timeout: Duration) async throws(BlueZError)
    func pair(
        _ address: BluetoothAddress, answering answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) async throws(PairingFailure)
    func cancelPairing(_ address: BluetoothAddress) async
    func startNotify(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError)
    func read(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) -> [UInt8]
}

extension BlueZ: Central {
    func beginDiscovery() async throws(BlueZError) {
        try await startDiscovery()
    }

    func endDiscovery() async throws(BlueZError) {
        try await stopDiscovery()
    }

    func pair(
        _ address: BluetoothAddress, answering answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) async throws(PairingFailure) {
        try await pair(address, capability: .keyboardDisplay, answering: answer)
    }
}
