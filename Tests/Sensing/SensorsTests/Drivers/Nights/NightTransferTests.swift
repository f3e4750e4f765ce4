import SensorDrivers
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The stored nights of a ring")
struct NightTransferTests {
    typealias Generation = SensorNights.RingGeneration

    static let names = ["20251230220000", "20251231220000", "20260101220000"]
    private static let start = DateTime(year: 2025, month: 12, day: 30, hour: 22, minute: 0, second: 0)

    private static func file(_ generation: Generation, samples: Int = 900, isComplete: Bool = true) -> [UInt8] {
        NightFileExample.octets(generation, samples: samples, start: start, isComplete: isComplete)
    }

    /// A ring with three nights of different lengths.
    private static func ring(_ generation: Generation, contact: UInt8 = 0) -> FakeRing {
        var files: [String: [UInt8]] = [:]
        for (index, name) in names.enumerated() { files[name] = file(generation, samples: 300 + index) }
        var ring = FakeRing(generation, files)
        ring.contact = contact
        return ring
    }

    private static func isValues(_ command: UInt8, _ generation: Generation) -> Bool {
        command == (generation == .older ? 0x17 : 0x04)
    }

    // MARK: When

    @Test(
        "are fetched once, the oldest first, where that is wanted and it is not worn; then values go on",
        arguments: Generation.allCases)
    func all(_ generation: Generation) {
        var ring = Self.ring(generation)
        var bench = ring.played(DriverNights(policy: .always, known: [Self.names[1]], fetching: .unasked))
        #expect(bench.fetched.map(\.name) == [Self.names[0], Self.names[2]])
        #expect(bench.fetched.map(\.octets) == [Self.names[0], Self.names[2]].map { ring.files[$0] })
        #expect(bench.nights?.nights?.map(\.state) == [.received, .stored, .received])
        #expect(bench.nights?.isTransferring == false && bench.nights?.generation == generation)
        #expect(ring.commands.last.map { Self.isValues($0, generation) } == true)
        bench.handle(.nights(.handled(name: Self.names[0], problem: nil)))
        bench.handle(.nights(.handled(name: Self.names[2], problem: "the disk is full")))
        #expect(bench.nights?.nights?.map(\.state) == [.stored, .stored, .failed("the disk is full")])
        let asked = ring.pieces.count
        ring.wait(30, &bench)
        #expect(ring.pieces.count == asked && bench.state == .streaming)
    }

    @Test("are not fetched unasked while it is worn", arguments: Generation.allCases, NightPolicy.allCases)
    func worn(_ generation: Generation, _ policy: NightPolicy) {
        var ring = Self.ring(generation, contact: 1)
        var bench = ring.played(DriverNights(policy: policy))
        ring.wait(60, &bench)
        #expect(ring.pieces.isEmpty && bench.fetched.isEmpty && bench.reconnects.isEmpty)
        #expect((bench.nights?.nights?.count ?? 0) == (policy == .never ? 0 : 3))
        #expect(bench.nights?.nights?.allSatisfy { $0.state == .onRing } ?? true)
    }

    @Test("are only listed where a key is to fetch them", arguments: Generation.allCases)
    func ask(_ generation: Generation) {
        var ring = Self.ring(generation)
        var bench = ring.played(DriverNights(policy: .ask))
        ring.wait(10, &bench)
        #expect(bench.fetched.isEmpty && bench.reconnects.isEmpty && bench.nights?.new.count == 3)
        bench.handle(.nights(.wanted))
        ring.wait(4, &bench)
        guard generation == .oxyII else {
            #expect(bench.fetched.map(\.name) == Self.names)
            return
        }
        // Its files are closed to whoever has asked for values on the same link.
        #expect(bench.reconnects == [.asked] && bench.fetched.isEmpty)
        let next = ring.played(DriverNights(policy: .ask, fetching: .asked))
        #expect(next.fetched.map(\.name) == Self.names)
    }

    @Test("of a newer ring need a link of their own, which it asks for when it is taken off")
    func ownLink() {
        var ring = Self.ring(.oxyII, contact: 1)
        var bench = ring.played(DriverNights(policy: .always))
        ring.wait(20, &bench)
        #expect(bench.reconnects.isEmpty)
        ring.contact = 0
        ring.wait(20, &bench)
        #expect(bench.reconnects == [.unasked] && bench.fetched.isEmpty)
        // The night that it has completed since is fetched before it is left alone.
        ring.wait(130, &bench)
        #expect(bench.reconnects == [.unasked, .unasked])
    }

    @Test("are not fetched because a worn ring slips for a moment", arguments: Generation.allCases)
    func slipped(_ generation: Generation) {
        var ring = Self.ring(generation, contact: 1)
        var bench = ring.played(DriverNights(policy: .always))
        ring.wait(20, &bench)
        for _ in 0..<5 {
            ring.contact = 0
            ring.wait(4, &bench)
            ring.contact = 1
            ring.wait(20, &bench)
        }
        #expect(ring.pieces.isEmpty && bench.reconnects.isEmpty)
    }

    @Test("are not fetched on a link that comes long after they were wanted")
    func lateLink() {
        for (fetching, patience) in [(DriverNights.Fetching.unasked, 30), (.asked, 600)] {
            var nights = SessionNights()
            let now = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
            nights.want(fetching, at: now)
            #expect(nights.takeWish(at: now.advanced(by: .seconds(patience))) == fetching)
            #expect(nights.takeWish(at: now) == .none)
            nights.want(fetching, at: now)
            #expect(nights.takeWish(at: now.advanced(by: .seconds(patience + 1))) == .none)
        }
    }

    @Test("of an older ring are fetched once more when it has completed the last one, and then it may sleep")
    func completed() {
        var ring = Self.ring(.older, contact: 1)
        var bench = ring.played(DriverNights(policy: .always, known: Set(Self.names)))
        ring.files["20260102220000"] = Self.file(.older)
        ring.contact = 0
        ring.wait(200, &bench)
        #expect(bench.fetched.map(\.name) == ["20260102220000"])
        #expect(bench.state == .finished)
    }

    @Test("that failed too often are left out unasked, and fetched when somebody asks", arguments: Generation.allCases)
    func leftOut(_ generation: Generation) {
        let nights = DriverNights(policy: .always, leftOut: [Self.names[0]], fetching: .unasked)
        var ring = Self.ring(generation)
        #expect(ring.played(nights).fetched.map(\.name) == Array(Self.names.dropFirst()))
        var asked = nights
        asked.fetching = .asked
        var bench = ring.played(asked)
        bench.handle(.nights(.wanted))
        ring.wait(4, &bench)
        #expect(Set(bench.fetched.map(\.name)) == Set(Self.names))
    }

    @Test(
        "pause the values, which are absent with each look at the ring",
        arguments: Generation.allCases, [DriverNights.Fetching.unasked, .asked])
    func paused(_ generation: Generation, _ fetching: DriverNights.Fetching) {
        var ring = Self.ring(generation)
        ring.piecesLeft = 1
        var bench = ring.played(DriverNights(policy: .always, fetching: fetching))
        if generation == .older, fetching == .asked {
            ring.contact = 1
            bench = ring.connected(DriverNights(policy: .never))
            bench.handle(.nights(.wanted))
            ring.beginLink()
            ring.play(&bench)
        }
        let absent = DriverAction.reading(
            .oxygenSaturation, .noMeasurement(fetching == .asked ? .handingOver : .offBody))
        let before = bench.reports.count { $0 == absent }
        #expect(before > 0 && bench.nights?.isTransferring == true)
        bench.wait(.seconds(2))
        #expect(bench.reports.count { $0 == absent } > before)
    }

    // MARK: Breaks

    @Test("go on after a link that broke at any piece, without a piece twice", arguments: Generation.allCases)
    func resumed(_ generation: Generation) {
        let octets = Self.file(generation, samples: 900)
        let count = (octets.count + FakeRing.pieceLength - 1) / FakeRing.pieceLength
        for broken in 0..<count {
            var ring = FakeRing(generation, [Self.names[0]: octets])
            ring.piecesLeft = broken
            let first = ring.played(DriverNights(policy: .always, fetching: .unasked))
            #expect(first.fetched.isEmpty)
            ring.piecesLeft = .max
            let bench = ring.played(DriverNights(policy: .always, fetching: .unasked, part: first.part))
            #expect(bench.fetched.map(\.octets) == [octets], "broken after \(broken)")
            let places = (0..<count).map { generation == .older ? $0 : $0 * FakeRing.pieceLength }
            #expect(ring.pieces == places, "broken after \(broken)")
        }
    }

    @Test("begin anew where the ring has written on since", arguments: Generation.allCases)
    func grown(_ generation: Generation) {
        var ring = FakeRing(generation, [Self.names[0]: Self.file(generation, samples: 800)])
        ring.piecesLeft = 2
        let first = ring.played(DriverNights(policy: .always, fetching: .unasked))
        #expect(first.part?.octets.count == 2 * FakeRing.pieceLength)
        ring.piecesLeft = .max
        ring.files[Self.names[0]] = Self.file(generation, samples: 900)
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked, part: first.part))
        #expect(bench.fetched.map(\.octets) == [ring.files[Self.names[0]]])
    }

    @Test("that stall end within ten seconds, and values go on", arguments: Generation.allCases, [0, 1, 3])
    func stalled(_ generation: Generation, _ pieces: Int) {
        var ring = Self.ring(generation)
        ring.piecesLeft = pieces
        var bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        ring.wait(10, &bench)
        #expect(bench.nights?.isTransferring == false)
        #expect(bench.notices.contains { $0.contains("stopped answering") })
        #expect(bench.reports.last(where: { $0.isSaturation }) == .reading(.oxygenSaturation, .noMeasurement(.offBody)))
        if pieces == 3 { #expect(bench.nights?.nights?.contains { $0.state.percent ?? 0 > 0 } == true) }
    }

    @Test("that stop at the same place on each link are counted as failed", arguments: Generation.allCases)
    func stalledAgain(_ generation: Generation) {
        var ring = FakeRing(generation, [Self.names[0]: Self.file(generation)])
        ring.piecesLeft = 2
        var first = ring.played(DriverNights(policy: .always, fetching: .unasked))
        ring.wait(10, &first)
        #expect(first.stalled.isEmpty && first.part?.octets.count == 2 * FakeRing.pieceLength)
        ring.piecesLeft = 0
        var second = ring.played(DriverNights(policy: .always, fetching: .unasked, part: first.part))
        ring.wait(10, &second)
        #expect(second.stalled == [Self.names[0]] && second.failed.isEmpty)
    }

    @Test("pause for present values after twenty seconds where nobody has asked, and end where it is worn again")
    func turns() {
        for isWornAgain in [false, true] {
            var ring = FakeRing(.older, [Self.names[0]: Self.file(.older, samples: 3600)])
            ring.isSlow = true
            var bench = ring.connected(DriverNights(policy: .always))
            ring.wait(10, &bench)
            if isWornAgain { ring.contact = 1 }
            ring.wait(26, &bench)
            #expect(bench.fetched.isEmpty)
            let before = ring.pieces.count
            #expect(before > 3)
            #expect(bench.nights?.isTransferring == !isWornAgain)
            ring.wait(120, &bench)
            #expect(bench.fetched.count == (isWornAgain ? 0 : 1))
            if isWornAgain { #expect(ring.pieces.count == before) }
            // No piece comes twice.
            #expect(Set(ring.pieces).count == ring.pieces.count)
        }
    }

    @Test("that are not even listed delay the values by seconds only", arguments: Generation.allCases)
    func silentList(_ generation: Generation) {
        var ring = Self.ring(generation, contact: 1)
        ring.instead = { [0x14, 0x00, 0xE1, 0xF1, 0xF4].contains($0) ? .nothing : nil }
        var bench = ring.played(DriverNights(policy: .always))
        ring.wait(5, &bench)
        #expect(
            bench.reports.contains { if case .reading(.oxygenSaturation, .measured, _) = $0 { true } else { false } })
        #expect(bench.nights?.nights == nil)
    }

    // MARK: What is not believed

    @Test("are asked for again of a busy ring, three times, and then left", arguments: [2, 9])
    func busy(times: Int) {
        var ring = Self.ring(.oxyII)
        let left = Counter(times)
        ring.instead = { command in command == 0xF2 && left.takeOne() ? .error(0xFB) : nil }
        var bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        ring.wait(40, &bench)
        let states = bench.nights?.nights?.map(\.state)
        if times == 2 {
            #expect(states == [.received, .received, .received])
        } else {
            #expect(states?.first == .failed("the ring is busy"))
        }
    }

    @Test(
        "that the ring refuses are left with its reason, and the others follow",
        arguments: [(UInt8(0xF2), "refuses to open"), (0xE0, "no longer"), (0xFD, "does not know"), (0x7F, "error 7F")])
    func refused(code: UInt8, reason: String) {
        var ring = Self.ring(.oxyII)
        let left = Counter(1)
        ring.instead = { command in command == 0xF2 && left.takeOne() ? .error(code) : nil }
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        guard case .failed(let clause)? = bench.nights?.nights?.first?.state else {
            Issue.record("\(String(describing: bench.nights))")
            return
        }
        #expect(clause.contains(reason))
        #expect(bench.fetched.map(\.name) == Array(Self.names.dropFirst()) && bench.failed == [Self.names[0]])
    }

    @Test("whose sizes are lies fail alone", arguments: Generation.allCases, [0, 1 << 21, 0x7FFF_FFFF, 100, 5000])
    func sizes(_ generation: Generation, _ size: Int) {
        var ring = Self.ring(generation)
        let left = Counter(1)
        ring.instead = { command in
            guard command == (generation == .older ? 0x03 : 0xF2), left.takeOne() else { return nil }
            return .data(NightFileExample.word(size))
        }
        ring.files[Self.names[0]] = Self.file(generation, samples: 300)
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        #expect(bench.nights?.nights?.first.map { if case .failed = $0.state { true } else { false } } == true)
        #expect(bench.fetched.map(\.name).contains(Self.names[0]) == false)
        #expect(bench.nights?.isTransferring == false)
    }

    @Test("in endless or empty pieces end", arguments: Generation.allCases, [0, 1, 600])
    func endless(_ generation: Generation, _ length: Int) {
        var ring = FakeRing(generation, [Self.names[0]: Self.file(generation, samples: 900)])
        ring.instead = { command in
            command == (generation == .older ? 0x04 : 0xF3) ? .data(Array(repeating: 3, count: length)) : nil
        }
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        #expect(bench.fetched.isEmpty && bench.nights?.isTransferring == false)
        #expect(ring.commands.count < 20)
    }

    @Test("with a wrong sum, or of another kind, are not handed over", arguments: Generation.allCases)
    func wrongSum(_ generation: Generation) {
        var ring = Self.ring(generation)
        if generation == .oxyII { ring.files[Self.names[0]]?[20] ^= 1 } else { ring.files[Self.names[0]]?[0] = 9 }
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        #expect(bench.fetched.map(\.name) == Array(Self.names.dropFirst()))
        #expect(bench.failed == [Self.names[0]])
    }

    @Test("that the ring is still writing are not stored")
    func incomplete() {
        var ring = Self.ring(.oxyII)
        ring.files[Self.names[2]] = Self.file(.oxyII, isComplete: false)
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        #expect(bench.nights?.nights?.map(\.state) == [.received, .received, .incomplete])
        #expect(bench.fetched.count == 2)
    }

    @Test("whose answers are damaged are asked for again", arguments: Generation.allCases)
    func damaged(_ generation: Generation) {
        var ring = Self.ring(generation)
        let left = Counter(2)
        ring.instead = { command in
            command == (generation == .older ? 0x04 : 0xF3) && left.takeOne() ? .damaged : nil
        }
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        #expect(bench.fetched.map(\.name) == Self.names)
    }

    @Test("with hostile names are left out", arguments: Generation.allCases)
    func hostileNames(_ generation: Generation) {
        var ring = Self.ring(generation)
        ring.listed = ["../../etc", "a b", "\u{1B}[2J", "a/b", Self.names[0], Self.names[0]]
        let bench = ring.played(DriverNights(policy: .always, fetching: .unasked))
        #expect(bench.nights?.nights?.map(\.name) == [Self.names[0]])
        #expect(bench.notices.contains { $0.hasPrefix("5 of its stored nights are left out") })
        #expect(bench.nights?.isCoherent == true)
    }

    @Test("are a bounded number, however many it lists")
    func many() {
        var ring = FakeRing(.older, [:])
        ring.listed = (0..<60).map { "n\($0)" }
        let bench = ring.played(DriverNights(policy: .ask))
        #expect(bench.nights?.nights?.count == SensorNights.limit)
    }

    // MARK: Clocks

    @Test("begin by the ring's clock as local time where that is right", arguments: Generation.allCases)
    func rightClock(_ generation: Generation) throws {
        var ring = Self.ring(generation)
        let night = try #require(ring.played(DriverNights(policy: .always, fetching: .unasked)).fetched.first)
        let time = try #require(DeviceTime(Self.start))
        #expect(night.start == DriverBench.milliseconds(time))
        #expect(night.clockAhead == 0)
    }

    @Test("begin as long ago as the ring's clock says where that is wrong", arguments: Generation.allCases, [-3, 1])
    func wrongClock(_ generation: Generation, hours: Int) throws {
        var ring = Self.ring(generation)
        ring.clock = DateTime(year: 2026, month: 1, day: 2, hour: UInt8(3 + hours), minute: 0, second: 0)
        let night = try #require(ring.played(DriverNights(policy: .always, fetching: .unasked)).fetched.first)
        let time = try #require(DeviceTime(Self.start))
        let local = try #require(DriverBench.milliseconds(time))
        #expect(night.start == local - Int64(hours) * 3_600_000)
        #expect(night.clockAhead == Int64(hours) * 3600)
    }

    // MARK: Speed

    @Test("of ten hours cost no time beside the ring's own: the next request follows each answer at once")
    func fast() {
        let octets = Self.file(.oxyII, samples: 36_000)
        var ring = FakeRing(.oxyII, [Self.names[0]: octets])
        var bench = ring.connected(DriverNights(policy: .always, fetching: .unasked))
        let begun = bench.now
        ring.play(&bench)
        #expect(bench.fetched.map(\.octets) == [octets] && bench.now == begun)
        #expect(ring.pieces.count == (octets.count + FakeRing.pieceLength - 1) / FakeRing.pieceLength)
        // Each percent is reported once.
        #expect(bench.nightReports.count { if case .all = $0 { true } else { false } } < 110)
    }
}

/// A number of times.
private final class Counter: @unchecked Sendable {
    private var left: Int

    init(_ left: Int) { self.left = left }

    func takeOne() -> Bool {
        left -= 1
        return left >= 0
    }
}

extension DriverBench {
    /// The last report of all nights.
    var nights: SensorNights? {
        nightReports.reversed().lazy.compactMap { if case .all(let nights) = $0 { nights } else { nil } }.first
    }

    /// The nights that were handed over.
    var fetched: [FetchedNight] { nightReports.compactMap { if case .fetched(let night) = $0 { night } else { nil } } }

    /// The nights that could not be fetched.
    var failed: [String] { nightReports.compactMap { if case .failed(let name) = $0 { name } else { nil } } }

    /// The nights of which nothing more came.
    var stalled: [String] { nightReports.compactMap { if case .stalled(let name) = $0 { name } else { nil } } }

    /// The links that were asked for.
    var reconnects: [DriverNights.Fetching] {
        nightReports.compactMap { if case .reconnect(let fetching) = $0 { fetching } else { nil } }
    }

    /// What the supervisor keeps of the last file that was not finished.
    var part: NightPart? {
        var kept = SessionNights()
        for report in nightReports {
            switch report {
            case .piece(let piece, let name, let size, let isFirst):
                kept.append(piece, of: name, size: size, isFirst: isFirst)
            case .fetched, .failed: kept.part = nil
            case .all, .asking, .stalled, .reconnect: break
            }
        }
        return kept.part
    }

    /// The sentences for the user.
    var notices: [String] { reports.compactMap { if case .notice(let sentence) = $0 { sentence } else { nil } } }
}

extension DriverAction {
    fileprivate var isSaturation: Bool { if case .reading(.oxygenSaturation, _, _) = self { true } else { false } }
}

extension SensorNights.State {
    fileprivate var percent: Int? {
        switch self {
        case .partial(let percent), .fetching(let percent): percent
        default: nil
        }
    }
}
