import BlueZ
import EventLoops

/// The supervisor's view of BlueZ; tests replace it by a scripted one.
///
/// Each member means the same as the one of that name in `BlueZ`.
protocol Central: Actor {
    nonisolated var loop: EventLoop { get }

    func events() -> BroadcastSequence<BlueZEvent>
    func operations() -> BroadcastSequence<PeripheralOperation>
    func peripheral(_ address: BluetoothAddress) -> Peripheral?
    func services(of address: BluetoothAddress, on adapter: AdapterPath?) -> [Service]
    func setPowered(_ isPowered: Bool, on adapter: AdapterPath?) async throws(BlueZError)
    func beginDiscovery(on adapter: AdapterPath) async throws(BlueZError)
    func endDiscovery(on adapter: AdapterPath) async throws(BlueZError)
    func connect(_ address: BluetoothAddress, on adapter: AdapterPath?, timeout: Duration) async throws(BlueZError)
    func disconnect(_ address: BluetoothAddress, on adapter: AdapterPath?, timeout: Duration) async throws(BlueZError)
    func removeDevice(_ address: BluetoothAddress, on adapter: AdapterPath?, timeout: Duration) async throws(BlueZError)
    func pair(
        _ address: BluetoothAddress, on adapter: AdapterPath?,
        answering answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) async throws(PairingError)
    func trust(_ address: BluetoothAddress, on adapter: AdapterPath?) async throws(BlueZError)
    func cancelPairing(_ address: BluetoothAddress) async
    func startNotify(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError)
    func stopNotify(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError)
    func handleBacklog(within limit: Duration) async
    func watchAnswers(after quiet: Duration?)
    func identity() async -> BusIdentity?
    func isOnBus(_ name: String) async -> Bool
    func write(
        _ octets: [UInt8], to characteristic: CharacteristicReference, _ mode: WriteMode, timeout: Duration
    ) async throws(BlueZError)
    func read(_ characteristic: CharacteristicReference, timeout: Duration) async throws(BlueZError) -> [UInt8]
}

extension BluetoothCentral: Central {
    func beginDiscovery(on adapter: AdapterPath) async throws(BlueZError) {
        try await startDiscovery(on: adapter)
    }

    func endDiscovery(on adapter: AdapterPath) async throws(BlueZError) {
        try await stopDiscovery(on: adapter)
    }

    func write(
        _ octets: [UInt8], to characteristic: CharacteristicReference, _ mode: WriteMode, timeout: Duration
    ) async throws(BlueZError) {
        try await write(octets, to: characteristic, mode, at: 0, timeout: timeout)
    }

    func pair(
        _ address: BluetoothAddress, on adapter: AdapterPath?,
        answering answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) async throws(PairingError) {
        try await pair(address, on: adapter, capability: .keyboardDisplay, answering: answer)
    }
}
