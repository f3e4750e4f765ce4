import BlueZ
import TestSupport
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor in a flood of sensors", .timeLimit(.minutes(10)))
struct SupervisorFloodTests {
    private func address(_ number: Int) -> String {
        func hex(_ octet: Int) -> String {
            let digits = String(octet & 0xFF, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }
        return "C0:52:49:\(hex(number >> 16)):\(hex(number >> 8)):\(hex(number))"
    }

    /// Puts straps on the air.
    private func flood(_ bench: SupervisorBench, _ numbers: Range<Int>) async {
        for number in numbers {
            await bench.central.offer(address(number), service: "180d", ["2a37 notify"])
            await bench.central.appear(address(number), name: "Polar H10 \(number)", services: ["180d"])
        }
    }

    private func leftOut(_ bench: SupervisorBench) -> [Bool] {
        bench.seen.compactMap { if case .sensorsLeftOut(let areLeftOut) = $0 { areLeftOut } else { nil } }
    }

    @Test("of 600 straps some are connected, others are reported as left out, and the oximeter after them is connected")
    func straps() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await flood(bench, 256..<856)
        await bench.addOximeter()
        try await bench.read(until: .ready, of: SupervisorBench.oximeter)
        let connects = await bench.central.calls.filter { if case .connect = $0 { true } else { false } }
        #expect(connects.count == PolicyPlaces.limit + 1)
        #expect(leftOut(bench) == [true])
        // A late reader receives it, too.
        var late = await bench.supervisor.events().makeAsyncIterator()
        while let event = await late.next() {
            if case .sensorsLeftOut(true) = event.kind { break }
        }
        for number in 256..<856 { await bench.central.vanish(address(number)) }
        try await bench.read { if case .sensorsLeftOut(false) = $0 { true } else { false } }
        #expect(leftOut(bench) == [true, false])
    }

    @Test("a heard sensor gets the slot of one that has gone, and one that the user requests needs none")
    func places() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        let late = PolicyPlaces.limit + 1
        await flood(bench, 1..<late)
        for number in 1..<late { try await bench.read(until: .ready, of: address(number)) }
        await flood(bench, late..<(late + 2))
        await bench.settle()
        #expect(await !bench.central.calls.contains(.connect(address(late))))
        await bench.supervisor.connect(address(late + 1))
        try await bench.read(until: .ready, of: address(late + 1))
        await bench.central.vanish(address(2))
        await bench.central.advertise(address(late), rssi: -50)
        try await bench.read(until: .ready, of: address(late))
        #expect(leftOut(bench).last == false)
    }

    @Test("strangers with changing addresses do not fill the sessions, and do not push out what is wanted")
    func rotation() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        let strangers = SensorSupervisor.sessionLimit + 500
        for number in 0..<strangers { await bench.central.appear(address(0x10000 + number), name: nil) }
        #expect(await bench.supervisor.sessionCount == SensorSupervisor.sessionLimit)
        let gone = try await bench.read { kind in
            if case .nearby(let identity, _, _) = kind {
                identity.address == address(0x10000 + strangers - 1)
            } else {
                false
            }
        }.count { if case .gone = $0 { true } else { false } }
        #expect(gone == 501)
        await bench.central.notify(SupervisorBench.strap, "2a37", [0, 72])
        #expect(try await bench.read { $0.reading != nil }.last?.reading?.outcome == .good(7200))
    }

    @Test("remembered sensors that come late go before all others in a full queue, in their own order")
    func rememberedFirst() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        let (first, second) = (address(0x201), address(0x202))
        await bench.supervisor.remember(
            [first, second].map {
                RememberedSensor(address: $0, name: "Polar", kind: .heartRateStrap, isWanted: true)
            })
        await bench.supervisor.start()
        await bench.central.holdBackConnect(true)
        await flood(bench, 1..<5)
        await bench.wait(for: .connect(address(1)))
        await flood(bench, 0x201..<0x203)
        await bench.settle()
        await bench.central.answerConnect(address(1))
        await bench.wait(for: .connect(first))
        await bench.central.answerConnect(first)
        await bench.wait(for: .connect(second))
        #expect(await bench.central.calls.compactMap(\.connected) == [address(1), first, second])
    }

    @Test("whatever comes and goes, places, queues and sessions stay within bounds, and a remembered oximeter streams")
    func histories() async throws {
        for seed in 0..<3 {
            var random = SeededGenerator(seed: UInt64(seed))
            let bench = await SupervisorBench(policy: .everyVitalSensor)
            await bench.supervisor.remember([
                RememberedSensor(
                    address: SupervisorBench.oximeter, name: "e-Oximeter", kind: .oximeter, isWanted: true)
            ])
            await bench.supervisor.start()
            for _ in 0..<120 {
                let number = Int.random(in: 1..<60, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: await bench.central.vanish(address(number))
                case 1: await bench.central.loseLink(address(number))
                case 2: await bench.central.fail([BlueZError(.connectionAborted)])
                case 3: await bench.central.notify(address(number), "2a37", [0, 72])
                case 4: await bench.central.advertise(address(number), rssi: -60)
                default: await flood(bench, number..<(number + 1))
                }
                let (placed, waiting) = await bench.supervisor.crowd
                #expect(placed <= PolicyPlaces.limit)
                #expect(waiting <= PolicyPlaces.limit + 1)
            }
            await bench.addOximeter()
            try await bench.read(until: .ready, of: SupervisorBench.oximeter)
        }
    }
}

extension FakeCentral.Call {
    /// The address of the sensor to connect, if any.
    fileprivate var connected: String? {
        if case .connect(let address) = self { address } else { nil }
    }
}

extension SensorSupervisor {
    fileprivate var sessionCount: Int { sessions.count }

    /// How many sensors have a place that are wanted, and how many wait for their turn.
    fileprivate var crowd: (placed: Int, waiting: Int) {
        let placed = places.addresses.count { sessions[$0]?.machine.isWanted == true }
        return (placed, queues.waitingCount)
    }
}
