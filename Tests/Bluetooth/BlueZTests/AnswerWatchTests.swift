import DBus
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BlueZ

/// A bus and a daemon that stop and resume, sensors whose values go through both, and a watch at the other end.
///
/// Times are in milliseconds. A daemon that resumes answers before it has read what waited in the kernel: that is the
/// order in which most can be taken for what it is not.
private struct Way {
    /// A value at the end of the way.
    struct Arrival {
        var sentAt: Int64
        /// When the daemon passed it to the bus.
        var readAt: Int64
        var at: Int64
        /// Whether it counts as one that may have waited.
        var isLate: Bool
    }

    var values: [Int64]
    var daemonStops: [Range<Int64>] = []
    var busStops: [Range<Int64>] = []
    /// When the watch's own loop does not run.
    var loopStops: [Range<Int64>] = []
    /// Whether the daemon answers questions at all.
    var answers = true
    private(set) var arrivals: [Arrival] = []
    /// What the watch reported, and when.
    private(set) var reports: [(at: Int64, action: AnswerWatch.Action)] = []
    private(set) var questions = 0

    private static func end(of stops: [Range<Int64>], at time: Int64) -> Int64 {
        stops.first { $0.contains(time) }.map { end(of: stops, at: $0.upperBound) } ?? time
    }

    /// What arrives at the watch's loop, in the order of its arrival.
    private enum Message {
        case value(sentAt: Int64, readAt: Int64)
        case answer(AnswerWatch.Peer, number: Int)
    }

    mutating func run(until end: Int64) {
        var watch = AnswerWatch()
        watch.begin(quiet: 1_500_000_000, at: 0)
        var lastRead = Int64.min
        // The next one last.
        var queue: [(at: Int64, Message)] = values.map { sent in
            // The daemon reads one value after another, a millisecond each.
            let read = max(Self.end(of: daemonStops, at: sent), lastRead + 1)
            lastRead = read
            return (Self.end(of: busStops, at: read), .value(sentAt: sent, readAt: read))
        }
        queue.reverse()
        func insert(_ message: Message, at time: Int64) {
            let index = queue.lastIndex { $0.at > time }.map { $0 + 1 } ?? 0
            queue.insert((time, message), at: index)
        }
        var now: Int64 = 0
        while now < end {
            let due = watch.due.map { $0 / 1_000_000 } ?? end
            now = Self.end(of: loopStops, at: max(now, min(due, queue.last?.at ?? end, end)))
            // A loop fires its timers before it reads.
            for action in watch.timerFired(at: now * 1_000_000) {
                guard case .ask(let peer, let number) = action else {
                    reports.append((now, action))
                    continue
                }
                questions += 1
                guard answers else { continue }
                var back = Self.end(of: busStops, at: now)
                if peer == .daemon { back = Self.end(of: busStops, at: Self.end(of: daemonStops, at: back)) }
                insert(.answer(peer, number: number), at: back)
            }
            while let first = queue.last, first.at <= now {
                queue.removeLast()
                switch first.1 {
                case .value(let sentAt, let readAt):
                    arrivals.append(Arrival(sentAt: sentAt, readAt: readAt, at: now, isLate: watch.isSilent))
                    watch.heard(at: now * 1_000_000)
                case .answer(let peer, let number):
                    watch.answered(peer, number: number, at: now * 1_000_000)
                }
            }
            if queue.isEmpty, watch.due == nil { break }
        }
    }

    var silences: [AnswerWatch.Peer] {
        reports.compactMap { if case .silent(let peer) = $0.action { peer } else { nil } }
    }
}

@Suite("Whether bus and daemon answer")
struct AnswerWatchTests {
    /// Sensors of all paces: 1 Hz, 10 Hz, every two seconds, bundles, and without any.
    private static func values(_ random: inout SeededGenerator, until end: Int64) -> [Int64] {
        var times: [Int64] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            var time = Int64.random(in: 0..<1000, using: &random)
            let paces: [Int64?] = [100, 1000, 2000, 4000, nil]
            let pace = paces[Int.random(in: 0..<paces.count, using: &random)]
            let size = Int.random(in: 1...3, using: &random)
            while time < end {
                times += (0..<Int64(size)).map { time + $0 * 10 }
                time += pace ?? Int64.random(in: 300...9000, using: &random)
            }
        }
        return times.sorted()
    }

    private static func stops(
        _ random: inout SeededGenerator, _ lengths: ClosedRange<Int64>, until end: Int64
    ) -> [Range<Int64>] {
        var stops: [Range<Int64>] = []
        var time = Int64.random(in: 3000...15_000, using: &random)
        while time < end {
            let length = Int64.random(in: lengths, using: &random)
            stops.append(time..<time + length)
            time += length + Int64.random(in: 4000...20_000, using: &random)
        }
        return stops
    }

    @Test(
        "no value that waited for longer than two seconds and a half in one of them counts as one of now",
        arguments: 0..<150)
    func nothingThatWaited(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let end: Int64 = 60_000
        var way = Way(values: Self.values(&random, until: end))
        if Bool.random(using: &random) { way.daemonStops = Self.stops(&random, 100...25_000, until: end) }
        if Bool.random(using: &random) { way.busStops = Self.stops(&random, 100...25_000, until: end) }
        way.run(until: end + 60_000)
        #expect(way.arrivals.count == way.values.count)
        for arrival in way.arrivals where max(arrival.readAt - arrival.sentAt, arrival.at - arrival.readAt) > 2500 {
            #expect(arrival.isLate, "sent at \(arrival.sentAt), came at \(arrival.at) ms; \(way)")
        }
    }

    @Test("each of them is blamed for its own silence only, and no longer than it lasts", arguments: 0..<100)
    func blame(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (end, isBus) = (Int64(60_000), Bool.random(using: &random))
        var way = Way(values: Self.values(&random, until: end))
        let stops = Self.stops(&random, 2100...25_000, until: end)
        if isBus { way.busStops = stops } else { way.daemonStops = stops }
        way.run(until: end + 60_000)
        #expect(Set(way.silences) == [isBus ? .bus : .daemon])
        #expect(way.silences.count == stops.count && way.reports.count == 2 * stops.count)
        for (stop, pair) in zip(stops, stride(from: 0, to: way.reports.count, by: 2)) {
            let (began, ended) = (way.reports[pair], way.reports[pair + 1])
            #expect(stop.contains(began.at) && began.at <= stop.lowerBound + 2100)
            #expect(ended.action == .answers && (stop.upperBound...stop.upperBound + 1300).contains(ended.at))
        }
    }

    @Test("where both answer nothing is ever late, however slow the sensors and the loop", arguments: 0..<100)
    func healthy(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var way = Way(values: Self.values(&random, until: 60_000))
        // Longer ones are reported as stalls, after which the watch begins anew.
        way.loopStops = Self.stops(&random, 1...1900, until: 60_000)
        way.daemonStops = Self.stops(&random, 1...150, until: 60_000)
        way.run(until: 60_000)
        #expect(way.reports.isEmpty && way.arrivals.allSatisfy { !$0.isLate })
    }

    @Test("nobody is asked while values come every second, and once in two seconds where they come so")
    func cost() {
        var second = Way(values: (0..<120).map { Int64($0) * 1000 })
        second.run(until: 119_500)
        #expect(second.questions == 0)
        var slow = Way(values: (0..<60).map { Int64($0) * 2000 })
        slow.run(until: 119_000)
        #expect(slow.questions == 59)
        var none = Way(values: [])
        none.run(until: 120_000)
        #expect(none.questions <= 80)
    }

    @Test("a daemon that sends values and answers no question does not keep them from the screen for ever")
    func neverAnswers() {
        var way = Way(values: [0] + (4...60).map { Int64($0) * 1000 })
        way.answers = false
        way.run(until: 60_000)
        #expect(way.reports.map(\.action) == [.silent(.bus), .answers])
        #expect(way.arrivals.filter(\.isLate).count <= 4 && way.arrivals.suffix(50).allSatisfy { !$0.isLate })
    }

    @Test("a silence moves from the bus to the daemon when only the bus answers again")
    func both() {
        var way = Way(values: [0, 1000])
        way.busStops = [1100..<9000]
        way.daemonStops = [1100..<20_000]
        way.run(until: 60_000)
        #expect(way.reports.map(\.action) == [.silent(.bus), .silent(.daemon), .answers])
        #expect(way.reports.map(\.at) == [3000, 9250, 20_250])
    }

    @Test("a stall of the loop itself, and another daemon, begin anew; a former answer counts for nothing")
    func anew() {
        var watch = AnswerWatch()
        watch.begin(quiet: 1_500_000_000, at: 0)
        let asked = watch.timerFired(at: 1_500_000_000)
        #expect(asked == [.ask(.daemon, number: 1)])
        watch.restart(at: 9_000_000_000)
        #expect(watch.due == 10_500_000_000)
        watch.answered(.daemon, number: 1, at: 9_000_000_001)
        #expect(watch.due == 10_500_000_000 && !watch.isSilent)
        watch.end()
        #expect(watch.due == nil)
        watch.heard(at: 10_000_000_000)
        #expect(watch.due == nil && watch.timerFired(at: 20_000_000_000).isEmpty)
        watch.begin(quiet: 10_000_000_000, at: 20_000_000_000)
        watch.begin(quiet: 1_500_000_000, at: 20_000_000_000)
        #expect(watch.due == 21_500_000_000)
    }

    @Test("who is silent stays so until the answer, also where nobody is to be asked any more")
    func pausedInSilence() {
        var watch = AnswerWatch()
        watch.begin(quiet: 1_500_000_000, at: 0)
        let times: [Int64] = [1_500_000_000, 1_750_000_000, 2_000_000_000]
        let actions = times.flatMap { watch.timerFired(at: $0) }
        #expect(actions == [.ask(.daemon, number: 1), .ask(.bus, number: 2), .silent(.bus)])
        watch.pause()
        #expect(watch.isSilent)
        watch.answered(.daemon, number: 1, at: 9_000_000_000)
        let again = watch.timerFired(at: 9_250_000_000)
        #expect(again == [.ask(.daemon, number: 3)] && watch.isSilent)
        watch.answered(.daemon, number: 3, at: 9_251_000_000)
        let end = watch.timerFired(at: 9_251_000_000)
        #expect(end == [.answers] && watch.due == nil && !watch.isSilent)
    }
}

@Suite("A bus or a daemon that stops, at its client", .timeLimit(.minutes(10)))
struct StoppedWayTests {
    /// Keeps a thread waiting until it is opened.
    private final class Gate: Sendable {
        private let isOpen = Atomic<Bool>(false)

        func open() { isOpen.store(true, ordering: .releasing) }

        func wait() { while !isOpen.load(ordering: .acquiring) { usleep(1000) } }
    }

    /// Starts a strap whose values come each second or less.
    private func watching() async throws -> (Bench, FakeBlueZ) {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        await bench.bluez.watchAnswers(after: .milliseconds(100))
        return (bench, fake)
    }

    /// Demands that the values that waited came between the two reports.
    private func expect(_ bench: Bench, silent: String, heard: String, values: [[UInt8]]) {
        let text = bench.text
        let places = bench.events.elements.indices.filter {
            if case .notification(_, let octets) = bench.events.elements[$0].kind {
                values.contains(octets)
            } else {
                false
            }
        }
        #expect(places.count == values.count && bench.notifications.suffix(values.count) == values[...])
        let began = text.lastIndex(of: silent) ?? .max
        let ended = text.lastIndex(of: heard) ?? .min
        #expect(places.allSatisfy { began < $0 && $0 < ended }, "\(text)")
    }

    @Test("a stopped bus is reported while it lasts, and what it kept back comes before it counts as alive")
    func bus() async throws {
        let (bench, fake) = try await watching()
        let client = try await DBusConnection.connect(to: .address(bench.bus.address), on: bench.daemonLoop.loop)
        let answer = try await client.call(
            Name.bus, .root, Name.bus, "GetConnectionUnixProcessID", [.string(Name.bus)])
        let process = try #require(answer.first?.integer.flatMap { pid_t(exactly: $0) })
        try #require(process > 1)
        kill(process, SIGSTOP)
        defer { kill(process, SIGCONT) }
        try await bench.wait(for: "bus silent")
        for octet in UInt8(1)...8 { try await fake.notify([octet]) }
        kill(process, SIGCONT)
        try await bench.wait(for: "bus connected", times: 2)
        expect(bench, silent: "bus silent", heard: "bus connected", values: (1...8).map { [$0] })
        #expect(!bench.text.contains("daemon silent") && !bench.text.contains("daemon gone"))
        await fake.die()
    }

    @Test("a daemon that hangs is reported while it lasts, and its bus is not")
    func daemon() async throws {
        let (bench, fake) = try await watching()
        let gate = Gate()
        defer { gate.open() }
        let hung = Task { await bench.daemonLoop.run { _ in gate.wait() } }
        try await bench.wait(for: "daemon silent")
        gate.open()
        await hung.value
        for octet in UInt8(1)...3 { try await fake.notify([octet]) }
        try await bench.wait(for: "daemon running", times: 2)
        try await bench.wait(forNotifications: [[1], [2], [3]])
        #expect(!bench.text.contains("bus silent"))
        await bench.bluez.watchAnswers(after: nil)
        await fake.die()
    }
}
