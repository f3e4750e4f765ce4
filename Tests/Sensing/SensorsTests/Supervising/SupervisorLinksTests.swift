import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Whose links are", .timeLimit(.minutes(10)))
struct SupervisorLinksTests {
    private static let wanted = RememberedSensor(
        address: SupervisorBench.strap, name: "Polar H10 1234", kind: .heartRateStrap, isWanted: true)

    /// A link that a run has made that is no more.
    private func link(bus: String = "bus", daemon: String = ":1.1", client: String = ":1.5") -> OwnedLink {
        OwnedLink(address: SupervisorBench.strap, bus: bus, daemon: daemon, client: client)
    }

    /// A bench on which the strap has a link already.
    private func bench(remembering links: [OwnedLink], policy: ConnectPolicy = .none) async -> SupervisorBench {
        let bench = await SupervisorBench(policy: policy)
        await bench.addStrap(isConnected: true)
        await bench.supervisor.remember(links: links)
        return bench
    }

    @Test("a link that a killed run has left is taken over, and ended on the way out", arguments: [true, false])
    func takenOver(isRemembered: Bool) async throws {
        let bench = await bench(remembering: [link()], policy: isRemembered ? .none : .everyVitalSensor)
        if isRemembered { await bench.supervisor.remember([Self.wanted]) }
        var owned = await bench.supervisor.ownedLinks().makeAsyncIterator()
        await bench.supervisor.start()
        // It is ours by our own name from now on, so that it survives the next kill, too.
        #expect(await owned.next() == [link(client: ":1.9")])
        try await bench.read(until: .ready)
        #expect(await !bench.central.calls.contains(.disconnect(SupervisorBench.strap)))
        await bench.supervisor.shutDown()
        #expect(await bench.central.calls.contains(.disconnect(SupervisorBench.strap)))
        var last: [OwnedLink]?
        while let links = await owned.next() { last = links }
        #expect(last == [])
    }

    @Test("an unwanted link that a killed run has left is ended at once")
    func unwanted() async throws {
        let bench = await bench(remembering: [link()])
        await bench.supervisor.start()
        await bench.wait(for: .disconnect(SupervisorBench.strap))
        try await bench.read(until: .disconnected)
    }

    /// Why a link is not ours.
    enum Other: CaseIterable, Sendable {
        case noRecord, otherDaemon, otherBus, livingMaker, inUse
    }

    @Test("what another program may have made or uses is left alone", arguments: Other.allCases, [true, false])
    func leftAlone(other: Other, isWanted: Bool) async throws {
        let record: [OwnedLink] =
            switch other {
            case .noRecord: []
            case .otherDaemon: [link(daemon: ":1.0")]
            case .otherBus: [link(bus: "former bus")]
            case .livingMaker: [link(client: ":1.7")]
            case .inUse: [link()]
            }
        let bench = await bench(remembering: record)
        await bench.central.setAlive([":1.7"])
        if other == .inUse { await bench.central.setNotifying(SupervisorBench.strap) }
        if isWanted { await bench.supervisor.remember([Self.wanted]) }
        await bench.supervisor.start()
        if isWanted {
            try await bench.read(until: .ready)
        } else {
            try await bench.read { $0.connection(of: SupervisorBench.strap)?.isForeign == true }
        }
        await bench.settle()
        await bench.supervisor.shutDown()
        #expect(await !bench.central.calls.contains(.disconnect(SupervisorBench.strap)))
    }

    @Test("a link is on record before it is made, and no more when it is lost")
    func record() async throws {
        let bench = await SupervisorBench()
        var owned = await bench.supervisor.ownedLinks().makeAsyncIterator()
        await bench.central.holdBackConnect(true)
        await bench.addStrap()
        await bench.supervisor.start()
        await bench.supervisor.connect(SupervisorBench.strap)
        #expect(await owned.next() == [link(client: ":1.9")])
        await bench.central.answerConnect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        await bench.central.loseLink(SupervisorBench.strap)
        #expect(await owned.next() == [])
    }

    @Test("a link that outlived our connection to the bus is ours again when the bus is back")
    func busReturns() async throws {
        let bench = await SupervisorBench()
        await bench.addStrap()
        await bench.supervisor.start()
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        await bench.central.loseBus()
        try await bench.read(until: .waiting)
        await bench.central.returnBus(as: ":1.20")
        try await bench.read(until: .ready)
        await bench.supervisor.shutDown()
        #expect(await bench.central.calls.contains(.disconnect(SupervisorBench.strap)))
    }
}
