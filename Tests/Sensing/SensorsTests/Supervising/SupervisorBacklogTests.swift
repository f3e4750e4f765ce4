import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("What waited while the supervisor's loop stood still", .timeLimit(.minutes(10)))
struct SupervisorBacklogTests {
    private func streaming() async throws -> SupervisorBench {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        return bench
    }

    private func notify(_ bench: SupervisorBench, _ rates: some Sequence<UInt8>) async {
        for rate in rates { await bench.central.notify(SupervisorBench.strap, "2a37", [0, rate]) }
    }

    @Test("is late, in order over the time of the gap, and what comes after it is of now")
    func late() async throws {
        let bench = try await streaming()
        await bench.central.holdBacklog(true)
        let now = Moment.now()
        await bench.supervisor.stalled(nanoseconds: 10_000_000_000, at: now)
        await notify(bench, 71...75)
        await bench.central.holdBacklog(false)
        await bench.settle()
        await notify(bench, [90])
        let kinds = try await bench.read { $0.reading?.outcome == .good(9000) }
        let gap = try #require(kinds.compactMap(\.gap).first)
        #expect(kinds.firstIndex { $0.gap != nil } ?? 99 < kinds.firstIndex { $0.reading != nil } ?? 0)
        let readings = kinds.compactMap(\.reading)
        #expect(readings.map(\.outcome) == [71, 72, 73, 74, 75, 90].map { .good($0 * 100) })
        let from = now.advanced(by: .seconds(-10))
        #expect(gap.from == from && gap.to == now)
        #expect(
            readings.map(\.late)
                == (0..<5).map { LateInterval(waitedFrom: from, to: now, place: $0, of: 5) } + [nil])
    }

    @Test("ends with the last of several stops, and begins with the first")
    func stoppedAgain() async throws {
        let bench = try await streaming()
        await bench.central.holdBacklog(true)
        let (first, second) = (Moment.now(), Moment.now().advanced(by: .seconds(4)))
        await bench.supervisor.stalled(nanoseconds: 10_000_000_000, at: first)
        await notify(bench, [71])
        await bench.supervisor.stalled(nanoseconds: 3_000_000_000, at: second)
        await notify(bench, [72])
        await bench.central.holdBacklog(false)
        let readings = try await bench.read { $0.reading?.outcome == .good(7200) }.compactMap(\.reading)
        #expect(readings.map(\.late?.from) == [first, first].map { $0.advanced(by: .seconds(-10)) })
        #expect(readings.map(\.late?.to) == [second, second])
    }

    @Test("is reported before the end of the stream, whatever the daemon answers")
    func ending() async throws {
        let bench = try await streaming()
        await bench.central.holdBacklog(true)
        await bench.supervisor.stalled(nanoseconds: 10_000_000_000, at: .now())
        await notify(bench, [71])
        await bench.supervisor.shutDown()
        let readings = await bench.readToEnd().compactMap(\.reading)
        #expect(readings.map { $0.late?.source } == [.waited])
        await bench.central.holdBacklog(false)
    }

    @Test("keeps the sensor's own time where that lies in the gap, and a stored value its own")
    func ownTime() {
        let now = at(0)
        var backlog = Backlog(from: at(-600), to: now)
        backlog.readings = [-28_800, -300].map { age in
            Reading(
                sensor: .example(.thermometer), vital: .bodyTemperature, outcome: .good(3850), moment: now,
                late: LateInterval(sensorTime: at(age)))
        }
        let late = backlog.lateReadings().compactMap(\.late)
        #expect(late.map(\.estimate) == [at(-28_800), at(-300)])
        #expect(late.map(\.source) == [.sensorClock, .waited])
        #expect(late.last?.from == at(-600) && late.last?.to == now)
    }

    @Test("is ended by the answer to its last stall only, also when another backlog was ended meanwhile")
    func numbers() {
        let reading = Reading(
            sensor: .example(.thermometer), vital: .bodyTemperature, outcome: .good(3850), moment: at(0))
        var keeper = BacklogKeeper()
        let wasKept = keeper.keep(reading)
        #expect(!wasKept)
        let first = keeper.open(from: at(-10), to: at(0))
        let isKept = keeper.keep(reading)
        let second = keeper.open(from: at(5), to: at(10))
        var ended = keeper.close(number: first)
        #expect(isKept && ended.isEmpty && keeper.isOpen)
        ended = keeper.close()
        #expect(ended.map(\.late?.from) == [at(-10)])
        _ = keeper.open(from: at(15), to: at(20))
        ended = keeper.close(number: second)
        #expect(ended.isEmpty && keeper.isOpen)
    }

    @Test(
        "in a bus or a daemon that did not answer is late, after a gap that names it, and the link is kept",
        arguments: [true, false])
    func silence(isBus: Bool) async throws {
        let bench = try await streaming()
        await notify(bench, [70])
        await bench.central.emit(isBus ? .bus(.silent) : .daemon(.silent))
        await notify(bench, 71...75)
        await bench.settle()
        await bench.central.emit(isBus ? .bus(.connected) : .daemon(.running))
        let kinds = try await bench.read { $0.reading?.outcome == .good(7500) }
        let gap = try #require(kinds.compactMap(\.gap).first)
        #expect(gap.reason == (isBus ? .busSilent : .daemonSilent))
        let readings = kinds.compactMap(\.reading)
        #expect(readings.map(\.outcome) == [70, 71, 72, 73, 74, 75].map { .good($0 * 100) })
        let late = readings.compactMap(\.late)
        #expect(late.count == 5 && late.allSatisfy { $0.from == gap.from && $0.source == .waited })
        #expect(late.map(\.estimate) == late.map(\.estimate).sorted() && late.last?.estimate == late.last?.to)
        #expect(
            kinds.firstIndex { $0.gap != nil } ?? 99 < kinds.firstIndex { $0.reading?.late != nil } ?? 0)
        // One value alone is of now, as soon as it is known that it is alone.
        await notify(bench, [90])
        let after = try await bench.read { $0.reading?.outcome == .good(9000) }
        #expect(after.compactMap(\.reading).last?.late == nil)
        #expect((kinds + after).allSatisfy { $0.connection(of: SupervisorBench.strap) == nil })
    }

    @Test("in a bus or a daemon that is lost meanwhile is late all the same", arguments: [true, false])
    func silenceBeforeLoss(isBus: Bool) async throws {
        let bench = try await streaming()
        await bench.central.emit(isBus ? .bus(.silent) : .daemon(.silent))
        await notify(bench, [71, 72])
        await bench.central.emit(isBus ? .bus(.lost(reason: "It ended.")) : .daemon(.gone))
        let kinds = try await bench.read { $0.connection(of: SupervisorBench.strap) != nil }
        #expect(kinds.compactMap(\.reading).map(\.late?.source) == [.waited, .waited])
        #expect(kinds.compactMap(\.gap).map(\.reason) == [isBus ? .busSilent : .daemonSilent])
    }

    @Test("on the way to the daemon is late, with the time since the last value; the others' values are not")
    func burst() async throws {
        let bench = try await streaming()
        await bench.addOximeter()
        try await bench.read(until: .ready, of: SupervisorBench.oximeter)
        let now = Timestamp.now()
        func moment(_ seconds: Int64) -> Timestamp {
            Timestamp(
                monotonicNanoseconds: now.monotonicNanoseconds + seconds * 1_000_000_000,
                wallMilliseconds: now.wallMilliseconds + seconds * 1000)
        }
        for second in -20...(-9) {
            await bench.central.notify(SupervisorBench.strap, "2a37", [0, 70], at: moment(Int64(second)))
        }
        for rate in 71...78 { await bench.central.notify(SupervisorBench.strap, "2a37", [0, UInt8(rate)], at: now) }
        // The other one, whose values come each second, goes on.
        await bench.central.notify(SupervisorBench.oximeter, "2a5f", [0, 98, 0, 72, 0], at: now)
        let readings = try await bench.read { $0.reading?.outcome == .good(7800) }.compactMap(\.reading)
        let late = readings.filter { $0.late != nil }
        #expect(late.map(\.outcome) == (71...78).map { .good($0 * 100) })
        #expect(late.allSatisfy { $0.late?.from == Moment(moment(-9)) && $0.late?.to == Moment(now) })
        #expect(
            late.compactMap(\.late?.estimate)
                == (0..<8).map { place in
                    LateInterval(waitedFrom: Moment(moment(-9)), to: Moment(now), place: place, of: 8).estimate
                })
    }

    @Test("bus and daemon are asked often while a sensor sends, seldom while one is awaited, and never otherwise")
    func questions() async throws {
        let bench = await SupervisorBench(policy: .none)
        await bench.supervisor.start()
        await bench.settle()
        #expect(await bench.central.answerQuiet == nil)
        await bench.supervisor.connect(SupervisorBench.strap)
        await bench.settle()
        #expect(await bench.central.answerQuiet == SensorSupervisor.quietWhileWaiting)
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.settle()
        #expect(await bench.central.answerQuiet == SensorSupervisor.quietWhileReady)
        await bench.supervisor.disconnect(SupervisorBench.strap)
        await bench.settle()
        #expect(await bench.central.answerQuiet == nil)
    }

    @Test("a value that comes after the end of its link is not of now, and one on the next link is")
    func afterTheLink() async throws {
        let bench = try await streaming()
        await notify(bench, [71])
        let address = try #require(BluetoothAddress(SupervisorBench.strap))
        await bench.central.linkDown(address, thenNotify: "2a37", [0, 72])
        let readings = try await bench.read { $0.reading?.outcome == .good(7200) }.compactMap(\.reading)
        #expect(readings.map { $0.late == nil } == [true, false])
        await bench.central.linkUp(address)
        await notify(bench, [73])
        let last = try await bench.read { $0.reading?.outcome == .good(7300) }.compactMap(\.reading).last
        #expect(last?.late == nil)
    }
}
