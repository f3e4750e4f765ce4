import Testing
import Vitals

@testable import Monitoring

@Suite("The history of connections")
struct ConnectionHistoryTests {
    private typealias Kind = ConnectionHistory.Kind

    private func kinds(_ ward: Ward) -> [Kind] { ward.state.sensors.first?.history.entries.map(\.kind) ?? [] }

    @Test("records each connection, its end and failed attempts, with their times")
    func entries() {
        var ward = Ward()
        ward.connection(.strap, .connecting, at: 1)
        ward.connection(.strap, .connected, at: 2)
        ward.connection(.strap, .ready, at: 3)
        ward.connection(.strap, .waiting, .linkLost, at: 10)
        ward.connection(.strap, .connecting, at: 11)
        ward.connection(.strap, .waiting, .timeout, at: 21)
        ward.connection(.strap, .connecting, at: 22)
        ward.connection(.strap, .ready, at: 24)
        ward.connection(.strap, .disconnected, .user, at: 30)
        #expect(
            kinds(ward) == [.connected, .ended(.linkLost), .failed(.timeout), .connected, .ended(.user)])
        #expect(
            ward.state.sensors.first?.history.entries.map { Ward.seconds($0.moment) } == [3, 10, 21, 24, 30])
    }

    @Test("counts what happens again and again in one entry")
    func counted() throws {
        var ward = Ward()
        for attempt in 0..<20 {
            ward.connection(.strap, .connecting, at: Double(attempt * 2 + 1))
            ward.connection(.strap, .waiting, .refused, at: Double(attempt * 2 + 2))
        }
        let entry = try #require(ward.state.sensors.first?.history.entries.first)
        #expect(kinds(ward) == [.failed(.refused)])
        #expect(entry.count == 20)
        #expect((Ward.seconds(entry.since), Ward.seconds(entry.moment)) == (2, 40))
    }

    @Test("keeps the newest entries only, however long a sensor comes and goes")
    func bounded() {
        var ward = Ward()
        for round in 0..<200 {
            ward.connection(.strap, .ready, at: Double(round * 2 + 1))
            ward.connection(.strap, .waiting, .linkLost, at: Double(round * 2 + 2))
        }
        #expect(kinds(ward).count == ConnectionHistory.limit)
        #expect(kinds(ward).last == .ended(.linkLost))
    }

    @Test("drops are counted for the last hour and for all time")
    func dropsPerHour() {
        var ward = Ward()
        for (round, second) in [10.0, 1000, 2000, 3590].enumerated() {
            ward.connection(.strap, .ready, at: second)
            ward.connection(.strap, .waiting, .linkLost, at: second + 1)
            #expect(ward.state.sensors.first?.dropsInLastHour(at: ward.state.now) == round + 1)
        }
        func lately(at second: Double) -> Int? {
            ward.state.sensors.first?.dropsInLastHour(at: Ward.moment(second))
        }
        #expect(lately(at: 3611) == 4)
        #expect(lately(at: 3611.5) == 3)
        #expect(lately(at: 8000) == 0)
        #expect(ward.state.sensors.first?.drops == 4)
    }

    @Test("a link that the sensor ends because it wants to be paired is no drop")
    func unpaired() {
        var ward = Ward()
        ward.receive(.pairing(.strap, .needed(reason: "It wants to be paired.")), at: 5)
        ward.connection(.strap, .ready, at: 10)
        ward.connection(.strap, .waiting, .linkLost, at: 11)
        #expect(ward.state.sensors.first?.drops == 0)
        ward.receive(.pairing(.strap, .succeeded), at: 15)
        ward.connection(.strap, .ready, at: 20)
        ward.connection(.strap, .waiting, .linkLost, at: 21)
        #expect(ward.state.sensors.first?.drops == 1)
    }

    @Test("thousands of drops within an hour cost no more than the newest thousand")
    func dropsAreBounded() {
        var count = DropCount()
        for second in 0..<3000 { count.add(at: Ward.moment(Double(second))) }
        #expect(count.total == 3000)
        #expect(count.withinHour(before: Ward.moment(3000)) == DropCount.limit)
    }
}
