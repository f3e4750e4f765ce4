import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, pairing", .timeLimit(.minutes(10)))
struct SupervisorPairingTests {
    private static let strap = SupervisorBench.strap

    /// Reads until the pairing is in a state that fits; answers the states that it went through.
    private func states(_ bench: SupervisorBench, until isLast: (PairingState) -> Bool) async throws -> [PairingState] {
        let read = try await bench.read { kind in
            if case .pairing(_, let state) = kind { isLast(state) } else { false }
        }
        return read.compactMap { if case .pairing(_, let state) = $0 { state } else { nil } }
    }

    private func isNeeded(_ state: PairingState) -> Bool {
        if case .needed = state { true } else { false }
    }

    @Test("reports that a sensor needs pairing, pairs when asked to, and streams")
    func inPlace() async throws {
        let bench = await SupervisorBench()
        await bench.addStrap()
        await bench.central.failSubscriptions(
            BlueZError(.notPermitted, name: "org.bluez.Error.NotPermitted", text: "Not paired"))
        await bench.supervisor.start()
        await bench.supervisor.connect(Self.strap)
        #expect(try await states(bench, until: isNeeded).count == 1)
        await bench.central.scriptPairing([.confirmPasskey("042137")])
        await bench.supervisor.pair(Self.strap)
        #expect(try await states(bench) { $0 == .confirmPasskey("042137") } == [.started, .confirmPasskey("042137")])
        // An invalid answer is none.
        await bench.supervisor.answerPairing(Self.strap, .text("42137"))
        await bench.supervisor.answerPairing(Self.strap, .yes)
        #expect(try await states(bench) { $0 == .succeeded } == [.started, .succeeded])
        try await bench.read { kind in
            if case .connection(_, let state) = kind { state.phase == .ready } else { false }
        }
        #expect(await bench.central.answers == [.yes])
        #expect(await !bench.central.calls.contains(.remove(Self.strap)))
        #expect(await !bench.central.calls.contains(.trust(Self.strap)))
        await bench.supervisor.shutDown()
    }

    @Test("has BlueZ trust a sensor that is awake for seconds, so that it may connect by itself")
    func trusted() async throws {
        let bench = await SupervisorBench()
        await bench.central.appear(Self.strap, name: "BM 54", services: ["1810"])
        await bench.supervisor.start()
        await bench.supervisor.pair(Self.strap)
        _ = try await states(bench) { $0 == .succeeded }
        #expect(await bench.central.calls.contains(.trust(Self.strap)))
        await bench.supervisor.shutDown()
    }

    @Test("treats a silent unpaired sensor as one that needs pairing")
    func silence() async throws {
        let bench = await SupervisorBench()
        await bench.addStrap()
        await bench.central.failSubscriptions(BlueZError(.timedOut))
        await bench.supervisor.start()
        await bench.supervisor.connect(Self.strap)
        #expect(try await states(bench, until: isNeeded).count == 1)
        await bench.supervisor.shutDown()
    }

    @Test("explains a failure, and leaves the sensor alone")
    func failure() async throws {
        let bench = await SupervisorBench()
        await bench.addStrap()
        await bench.supervisor.start()
        try await bench.read { if case .nearby = $0 { true } else { false } }
        await bench.central.scriptPairing([.enterPasskey], failure: PairingError(.authenticationFailed))
        await bench.supervisor.pair(Self.strap)
        _ = try await states(bench) { $0 == .passkeyWanted }
        await bench.supervisor.answerPairing(Self.strap, .text("123456"))
        let reason = PairingError(.authenticationFailed).description
        #expect(try await states(bench) { $0 == .failed(reason: reason) }.count == 2)
        #expect(await bench.central.answers == [.passkey(123_456)])
        await bench.supervisor.shutDown()
    }

    @Test("removes a bond that the sensor has forgotten, hears it again, and pairs anew")
    func staleBond() async throws {
        let bench = await SupervisorBench()
        await bench.addStrap()
        await bench.central.setPaired(Self.strap)
        await bench.supervisor.start()
        try await bench.read { if case .nearby = $0 { true } else { false } }
        await bench.supervisor.pair(Self.strap)
        try await bench.read { if case .gone = $0 { true } else { false } }
        await bench.addStrap()
        _ = try await states(bench) { $0 == .succeeded }
        let calls = await bench.central.calls
        let removed = try #require(calls.firstIndex(of: .remove(Self.strap)))
        let begun = try #require(calls.firstIndex(of: .beginDiscovery(.adapter)))
        let ended = try #require(calls.lastIndex(of: .endDiscovery(.adapter)))
        let paired = try #require(calls.firstIndex(of: .pair(Self.strap)))
        #expect(removed < begun && begun < ended && ended < paired)
        await bench.supervisor.shutDown()
    }
}
