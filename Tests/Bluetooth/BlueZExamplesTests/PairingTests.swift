import BlueZ
import TestSupport
import Testing

/// A thermometer that wants to be paired in a certain way.
private func thermometer(_ method: String) -> String {
    """
    {sensors: [{name: 'T', kind: 'thermometer', address: 'C0:52:49:00:00:01', pairing: '\(method)', passkey: 42137}]}
    """
}

private let address = BluetoothAddress(rawValue: 0xC052_4900_0001)
private let temperature = BluetoothUUID(0x2A1C)
private let criteria = DiscoveryCriteria(services: [BluetoothUUID(0x1809)])

extension Playground {
    /// Waits until the thermometer is heard, and listens no longer.
    func find() async throws {
        var found = await central.peripherals(matching: criteria).makeAsyncIterator()
        _ = await found.next()
        try await central.stopDiscovery()
    }

    /// Pairs; answers the prompts that came, and why it failed.
    func pair(_ answer: PairingAnswer) async -> ([PairingPrompt], PairingError.Reason?) {
        let prompts = Recorder<PairingPrompt>()
        do throws(PairingError) {
            try await central.pair(address) { prompt in
                prompts.record(prompt)
                return answer
            }
            return (prompts.elements, nil)
        } catch {
            return (prompts.elements, error.reason)
        }
    }

    /// Connects, and gives the first value of the protected characteristic.
    func firstValue() async throws -> [UInt8]? {
        try await central.connectAndResolve(address)
        let characteristic = try #require(await central.characteristic(temperature, of: address))
        for try await value in try await central.notifications(of: characteristic.reference) { return value.octets }
        return nil
    }
}

@Suite("Pairing with simulated sensors", .timeLimit(.minutes(10)))
struct PairingTests {
    @Test("a sensor that shows nothing is paired without a question, and then lets itself be read")
    func justWorks() async throws {
        try await withPlayground(thermometer("just-works")) { playground in
            try await playground.find()
            let (prompts, failure) = await playground.pair(.no)
            #expect(prompts == [] && failure == nil)
            #expect(await playground.central.peripheral(address)?.isPaired == true)
            #expect(try await playground.firstValue()?.isEmpty == false)
            #expect(await playground.pair(.yes).1 == .alreadyPaired)
        }
    }

    @Test("the digits that a sensor shows are typed here, and wrong ones are refused")
    func passkeyEntry() async throws {
        try await withPlayground(thermometer("passkey-entry")) { playground in
            try await playground.find()
            #expect(await playground.pair(.passkey(1)) == ([.enterPasskey], .authenticationFailed))
            #expect(await playground.pair(.no) == ([.enterPasskey], .declined))
            #expect(await playground.pair(.passkey(42_137)) == ([.enterPasskey], nil))
            #expect(try await playground.firstValue()?.isEmpty == false)
        }
    }

    @Test("six digits are compared, with their leading zeros, and a no on either side ends the pairing")
    func numericComparison() async throws {
        try await withPlayground(thermometer("numeric-comparison")) { playground in
            try await playground.find()
            #expect(await playground.pair(.no) == ([.confirmPasskey("042137")], .declined))
            try await playground.perform("pairing temp no")
            #expect(await playground.pair(.yes) == ([.confirmPasskey("042137")], .authenticationFailed))
            try await playground.perform("pairing temp refuse")
            #expect(await playground.pair(.yes) == ([], .authenticationFailed))
            try await playground.perform("pairing temp yes")
            #expect(await playground.pair(.yes) == ([.confirmPasskey("042137")], nil))
        }
    }

    @Test("digits that are typed on the sensor are shown here")
    func passkeyDisplay() async throws {
        try await withPlayground(thermometer("passkey-display")) { playground in
            try await playground.find()
            let (prompts, failure) = await playground.pair(.no)
            #expect(failure == nil)
            guard case .displayPasskey(let digits, entered: 0)? = prompts.first else {
                Issue.record("\(prompts)")
                return
            }
            #expect(digits.utf8.count == 6)
        }
    }

    @Test("a pairing that is not completed fails, and a cancelled one says so")
    func unanswered() async throws {
        try await withPlayground(thermometer("passkey-display")) { playground in
            try await playground.find()
            try await playground.perform("pairing temp hang")
            // Thirty seconds of the simulator are not thirty of ours, so that the loss of the link is all that is seen.
            #expect(await playground.pair(.yes).1 == .linkLost)
            let central = playground.central
            let outcome: PairingError.Reason?
            do throws(PairingError) {
                try await central.pair(address) { _ in
                    await central.cancelPairing(address)
                    return .yes
                }
                outcome = nil
            } catch {
                outcome = error.reason
            }
            #expect(outcome == .authenticationCanceled)
            #expect(await !central.isPairing)
        }
    }

    @Test("a link that is up is ended first, because the daemon would not answer")
    func onALink() async throws {
        try await withPlayground(thermometer("passkey-entry")) { playground in
            try await playground.find()
            try await playground.central.connectAndResolve(address)
            #expect(await playground.pair(.passkey(42_137)) == ([.enterPasskey], nil))
        }
    }

    @Test("a sensor that has forgotten its key falls off at once; forgotten here too, it is paired anew")
    func staleBond() async throws {
        try await withPlayground(thermometer("just-works")) { playground in
            try await playground.find()
            #expect(await playground.pair(.yes).1 == nil)
            try await playground.central.disconnect(address)
            try await playground.perform("forget-bond temp")
            let error = await #expect(throws: BlueZError.self) {
                while true {
                    _ = try await playground.central.connectAndResolve(address)
                    try await playground.central.disconnect(address)
                }
            }
            #expect(error?.kind == .connectionAborted)
            try await playground.central.removeDevice(address)
            try await playground.find()
            #expect(await playground.pair(.yes).1 == nil)
            #expect(try await playground.firstValue()?.isEmpty == false)
        }
    }
}
