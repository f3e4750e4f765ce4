import BlueZ

@testable import KnownSensors
@testable import Sensors

// Pairings that go as a test wants.
extension FakeCentral {
    /// What pairings ask, how they end, and what was answered.
    struct PairingScript {
        var prompts: [PairingPrompt] = []
        var failure: PairingError?
        var answers: [PairingAnswer] = []
    }

    /// What the supervisor answered to the prompts of pairings.
    var answers: [PairingAnswer] { pairings.answers }

    func pair(
        _ address: BluetoothAddress, on adapter: AdapterPath?,
        answering answer: @escaping @Sendable (PairingPrompt) async -> PairingAnswer
    ) async throws(PairingError) {
        calls.append(.pair(address.description))
        for prompt in pairings.prompts { pairings.answers.append(await answer(prompt)) }
        if let failure = pairings.failure { throw failure }
        peripherals[address]?.isPaired = true
        subscriptionFailure = nil
        if let peripheral = peripherals[address] { emit(.peripheral(.changed, peripheral)) }
        linkUp(address)
        resolveServices(address)
    }

    func trust(_ address: BluetoothAddress, on adapter: AdapterPath?) {
        calls.append(.trust(address.description))
    }

    func cancelPairing(_ address: BluetoothAddress) {
        calls.append(.cancelPairing(address.description))
    }

    /// What the next pairings ask, and how they end.
    func scriptPairing(_ prompts: [PairingPrompt], failure: PairingError? = nil) {
        pairings.prompts = prompts
        pairings.failure = failure
    }

    func setPaired(_ address: String) {
        guard let address = BluetoothAddress(address) else { return }
        peripherals[address]?.isPaired = true
        if let peripheral = peripherals[address] { emit(.peripheral(.changed, peripheral)) }
    }
}
