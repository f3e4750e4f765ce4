import Glibc
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("The recorder")
struct RecorderTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()
    private let inbox = RecorderInbox()
    private let states = TestSupport.Recorder<StorageState>()
    private var path: String { "\(folder.path)/data/store.sqlite" }

    init() throws {
        folder = try ScratchFolder()
    }

    private func recorder(
        _ inbox: RecorderInbox? = nil, onState: @escaping @Sendable (StorageState) -> Void = { _ in }
    ) -> Recording.Recorder {
        Recording.Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox ?? self.inbox, loop: running.loop,
            retryDelay: .milliseconds(10), now: { .at(1) }
        ) { [states] in
            onState($0)
            states.record($0)
        }
    }

    private func stored() throws -> [AlarmLogEntry] {
        var entries: [AlarmLogEntry] = []
        try AlarmHistory.forEach(in: path) { entries.append($0) }
        return entries
    }

    @Test("writes what happens while the program runs, and the next run finds it")
    func surviving() async throws {
        let first = recorder()
        #expect(await first.open(at: .at(0)) == .init(memory: StoredMemory()))
        inbox.append(AlarmLogEntry.fever(at: 1))
        try await awaitCondition("it is written without being asked") { try stored().count == 1 }
        inbox.append(AlarmLogEntry.acknowledgement(at: 2))
        #expect(await first.close() == 0)

        let second = recorder(RecorderInbox())
        let opening = await second.open(at: .at(10))
        #expect(opening.log.map(\.moment) == [.at(1), .at(2), .at(2)])
        #expect(opening.trouble == nil)
        await second.close()
        #expect(states.elements.isEmpty)
    }

    /// The states of the alarms in the store, with the run that they were in.
    private func states(of entries: [AlarmLogEntry]) -> [String] {
        entries.compactMap { entry in
            if case .change(let change) = entry.content { "\(entry.run) \(change.state.rawValue)" } else { nil }
        }
    }

    @Test("ends the alarms of a run that was killed, once, and leaves those of a program that still runs alone")
    func interrupted() async throws {
        let first = recorder()
        _ = await first.open(at: .at(0))
        inbox.append(AlarmLogEntry.fever(at: 1))
        inbox.append(AlarmLogEntry.adapterOff(at: 2))
        try await awaitCondition("it is written") { try stored().count == 2 }

        let beside = recorder(RecorderInbox())
        #expect(states(of: await beside.open(at: .at(3)).log) == ["1 active", "1 ended"])
        await beside.close()
        // A killed program leaves its alarms as they are.
        await first.close()

        let next = recorder(RecorderInbox())
        let log = await next.open(at: .at(10)).log
        #expect(states(of: log) == ["1 active", "1 ended", "1 interrupted"])
        // When it was known to go on last; nothing is known of the time after that.
        #expect(log.last?.moment == .at(2))
        await next.close()
        let again = recorder(RecorderInbox())
        #expect(await again.open(at: .at(20)).log == log)
        await again.close()
    }

    @Test("hands over alarms that go on, with the extremes that were recorded, and the temperatures of this patient")
    func outstanding() async throws {
        let first = recorder()
        _ = await first.open(at: .at(0))
        func temperature(_ hundredths: Int, at second: Int, site: BodySite? = nil) -> Reading {
            Reading(
                sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: hundredths), .good),
                moment: .at(second), site: site)
        }
        inbox.append(temperature(3600, at: 0))
        inbox.append(AlarmLogEntry.fever(at: 1))
        inbox.append(temperature(4160, at: 2))
        inbox.append(temperature(4200, at: 3, site: .skin))
        inbox.append(temperature(3800, at: 4))
        try await awaitCondition("it is written") { try stored().count == 1 }
        // A killed program leaves its alarms as they are.
        await first.close()

        let next = recorder(RecorderInbox())
        let opening = await next.open(at: .at(100))
        #expect(opening.log.last?.moment.wallMilliseconds == Moment.at(4).wallMilliseconds)
        let settings = MonitorSettings()
        let temperatures = await next.temperatures(
            from: opening.alarms.feverStart(at: .at(100), settings.fever), until: .at(100))
        #expect(temperatures.count == 4)
        var state = MonitorState(settings: settings, start: .at(100))
        _ = state.resume(
            EarlierRun(opening.alarms, temperatures: temperatures, settings: settings.fever, at: .at(100)), at: .at(100)
        )
        let alarm = try #require(state.alarms.first)
        #expect(alarm.peak == VitalValue(hundredths: 4160) && alarm.value == VitalValue(hundredths: 3800))
        #expect(alarm.id == 3 && alarm.kind == .feverSingle && alarm.state == .suspended)
        // The numbers go on after the greatest, whatever that alarm was about.
        inbox.append(AlarmLogEntry.adapterOff(at: 101))
        await next.close()
    }

    @Test("continues in memory while there is no place for the store, and writes all of it when there is")
    func returning() async throws {
        let obstacle = try folder.write("in the way", to: "data")
        let recorder = recorder()
        let opening = await recorder.open(at: .at(0))
        #expect(opening.trouble?.hasPrefix("Nothing is recorded for now: ") == true)
        inbox.append(AlarmLogEntry.fever(at: 1))
        inbox.append(AlarmLogEntry.acknowledgement(at: 2))
        #expect(states.elements.count == 1)
        unlink(obstacle)
        try await awaitCondition("the store is back") { states.elements.last == .working }
        try await awaitCondition("all is written") { try stored().count == 2 }
        #expect(await recorder.close() == 0)
    }

    /// What the store remembers, read by another connection.
    private func remembered() throws -> StoredMemory? {
        try StoreFile.openForReading(path).map { try MemoryStore(database: $0).read() }
    }

    @Test("writes a decision at once, beside a batch that waits, and the next run finds it")
    func decisions() async throws {
        let first = recorder()
        #expect(await first.open(at: .at(0)).memory == StoredMemory())
        inbox.append(AlarmLogEntry.fever(at: 1))
        inbox.append(.remembered(.strap), at: .at(1))
        inbox.append(.patient(.everyRule), at: .at(1))
        inbox.append(.links([.strap]), at: .at(1))
        let expected = StoredMemory(sensors: [.strap], patient: .everyRule, links: [.strap])
        try await awaitCondition("all is written") { try remembered() == expected }
        inbox.append(memoryOf: MonitorEvent(moment: .at(2), kind: .forgotten(RememberedSensor.strap.identity)))
        // As in a program that ends in the same moment.
        await first.close()
        let second = recorder(RecorderInbox())
        #expect(await second.open(at: .at(10)).memory == StoredMemory(patient: .everyRule, links: [.strap]))
        await second.close()
    }

    @Test("remembers also where nothing can be written, and hands over later what a store knew that could not be read")
    func lateMemory() async throws {
        let first = recorder()
        _ = await first.open(at: .at(0))
        inbox.append(.patient(.everyRule), at: .at(1))
        inbox.append(AlarmLogEntry.fever(at: 1))
        await first.close()

        // A store that only a newer program understands.
        func setVersion(_ version: Int64) throws {
            try SQLiteDatabase(path: path).execute("PRAGMA user_version = \(version)")
        }
        try setVersion(1000)
        let late = TestSupport.Recorder<Recording.Recorder.Opening>()
        let second = Recording.Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: RecorderInbox(), loop: running.loop,
            retryDelay: .milliseconds(10), now: { .at(1) }, onLateOpening: { late.record($0) }
        ) { _ in }
        let opening = await second.open(at: .at(10))
        #expect(opening.memory == nil)
        #expect(opening.trouble?.contains("newer version") == true)
        try setVersion(Schema.version)
        try await awaitCondition("it is opened") { late.count == 1 }
        #expect(late.elements.first?.memory == StoredMemory(patient: .everyRule))
        #expect(late.elements.first?.log.isEmpty == false)
        await second.close()

        // Another program holds the store.
        let other = try SQLiteDatabase(path: path)
        try other.execute("BEGIN IMMEDIATE")
        let third = recorder(RecorderInbox())
        let locked = await third.open(at: .at(20))
        #expect(locked.trouble?.hasPrefix("Nothing is recorded for now: ") == true)
        #expect(locked.memory == StoredMemory(patient: .everyRule))
        try other.execute("COMMIT")
        await third.close()
    }

    @Test("says so when a damaged store was set aside")
    func damaged() async throws {
        try #require(mkdir("\(folder.path)/data", 0o700) == 0)
        _ = try folder.write("no store", to: "data/store.sqlite")
        let recorder = recorder()
        let trouble = try #require(await recorder.open(at: .at(0)).trouble)
        #expect(trouble.contains("\(path).damaged-2026-01-02"))
        inbox.append(AlarmLogEntry.fever(at: 1))
        await recorder.close()
        #expect(try stored().count == 1)
        #expect(states.elements.last == .incomplete(reason: "earlier values are in store.sqlite.damaged-2026-01-02"))

        let second = self.recorder(RecorderInbox())
        let reminder = try #require(await second.open(at: .at(2)).trouble)
        #expect(reminder.contains("kept as \(path).damaged-2026-01-02."), "as long as it lies there")
        await second.close()
        try #require(unlink("\(path).damaged-2026-01-02") == 0)
        let third = self.recorder(RecorderInbox())
        #expect(await third.open(at: .at(3)).trouble == nil)
        await third.close()
    }

    @Test("waits while another program holds the store, and loses nothing")
    func locked() async throws {
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        let other = try SQLiteDatabase(path: path)
        try other.execute("BEGIN IMMEDIATE")
        inbox.append(AlarmLogEntry.fever(at: 1))
        try await awaitCondition("the trouble is reported") {
            if case .failed = states.elements.last { true } else { false }
        }
        try other.execute("COMMIT")
        try await awaitCondition("it is over") { states.elements.last == .working }
        #expect(try stored().count == 1)
        await recorder.close()
    }

    @Test("reports how much it could not write when it is closed")
    func closing() async throws {
        _ = try folder.write("in the way", to: "data")
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        inbox.append(AlarmLogEntry.fever(at: 1))
        #expect(await recorder.close() == 1)
    }

    private func storedReadings() throws -> [Reading] { try Self.readings(in: path) }

    private static func readings(in path: String) throws -> [Reading] {
        var found: [Reading] = []
        try StoredHistory.open(path)?.forEachReading(in: .min..<(.max)) {
            found.append($0.reading)
            return true
        }
        return found
    }

    @Test("writes what came before it was opened, in its order, and everything of one stream")
    func inboxFirst() async throws {
        inbox.append(MonitorEvent(moment: .at(1), kind: .reading(.rate(70, at: .at(1)))))
        inbox.append(MonitorEvent(moment: .at(2), kind: .tick))
        inbox.append(
            MonitorEvent(
                moment: .at(2),
                kind: .malformed(
                    .strap, MalformedOctets(characteristic: "2a37", octets: [9], reason: "short", offset: 1))))
        inbox.append(
            MonitorEvent(moment: .at(5), kind: .gap(Gap(from: .at(3), to: .at(5), reason: .asleep))))
        inbox.append(Reading.noRate(.silent, at: .at(6)))
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        try await awaitCondition("all is written") { try storedReadings().count == 2 }
        #expect(try storedReadings() == [.rate(70, at: .at(1)), .noRate(.silent, at: .at(6))])
        let database = try SQLiteDatabase(path: path, for: .read)
        #expect(try database.integer("SELECT count(*) FROM notification WHERE mistake = 'short'") == 1)
        #expect(try database.integer("SELECT count(*) FROM gap") == 1)
        #expect(await recorder.close() == 0)
    }

    @Test("records no readings if so configured, but still the alarm log")
    func readingsOff() async throws {
        let inbox = RecorderInbox(recordsReadings: false)
        let recorder = recorder(inbox)
        _ = await recorder.open(at: .at(0))
        inbox.append(MonitorEvent(moment: .at(1), kind: .reading(.rate(70, at: .at(1)))))
        inbox.append(Reading.noRate(.silent, at: .at(6)))
        inbox.append(AlarmLogEntry.fever(at: 1))
        await recorder.close()
        #expect(try storedReadings().isEmpty)
        #expect(try stored().count == 1)
    }

    @Test("says so when another program records into the same store, and both are kept")
    func twoInstances() async throws {
        let first = recorder()
        #expect(await first.open(at: .at(0)).trouble == nil)
        let otherInbox = RecorderInbox()
        let second = recorder(otherInbox)
        let trouble = try #require(await second.open(at: .at(1)).trouble)
        #expect(trouble == "Another Bedside records into \(path), too; shared values are stored twice.")
        inbox.append(Reading.rate(70, at: .at(2)))
        otherInbox.append(Reading.rate(71, at: .at(2)))
        #expect(await first.close() == 0)
        #expect(await second.close() == 0)
        #expect(try storedReadings().count == 2)
        // Nothing is missing where the other one recorded all the time.
        #expect(try StoredHistory.open(path)?.gaps(in: .min..<(.max)) == [])
    }

    @Test("continues in the same run after an error")
    func sameRun() async throws {
        let obstacle = try folder.write("in the way", to: "data")
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        inbox.append(Reading.rate(70, at: .at(1)))
        unlink(obstacle)
        try await awaitCondition("it is written") { try storedReadings().count == 1 }
        try #require(chmod(path, 0o400) == 0)
        inbox.append(Reading.rate(70, at: .at(2)))
        await recorder.close()
        let database = try SQLiteDatabase(path: path, for: .read)
        #expect(try database.integer("SELECT count(*) FROM epoch") == 1)
    }

    @Test("reports a full store, keeps new items, and writes them when there is room")
    func full() async throws {
        // Counted while the recorder reports, because it writes again soon after.
        let counts = TestSupport.Recorder<Int>()
        let recorder = recorder { [path] in
            if $0 == .full { counts.record((try? Self.readings(in: path).count) ?? -1) }
        }
        _ = await recorder.open(at: .at(0))
        inbox.append(Reading.rate(70, at: .at(1)))
        try await awaitCondition("the first is written") { try storedReadings().count == 1 }
        try await recorder.setGrowth(false)
        for second in 2..<5000 { inbox.append(Reading.rate(70, at: .at(second))) }
        try await awaitCondition("the full store is reported") { counts.count == 1 }
        // A first few may have been a batch of their own, for which there was room; a batch is written whole or not.
        let written = try #require(counts.elements.first)
        #expect((1..<4999).contains(written))
        try await recorder.setGrowth(true)
        try await awaitCondition("it is over") {
            try storedReadings() == (1..<5000).map { .rate(70, at: .at($0)) }
        }
        try await awaitCondition("that is reported") { states.elements.last == .working }
        #expect(states.elements.filter { $0 == .full }.count == 1)
        #expect(await recorder.close() == 0)
    }

    @Test("gives up the oldest when it cannot write for very long, and the store says from when to when")
    func overflow() throws {
        var waiting = WaitingItems()
        for second in 0...WaitingItems.limit { waiting.append(.reading(.rate(70, at: .at(second)))) }
        #expect(waiting.items.count == WaitingItems.limit * 9 / 10 + 1)
        #expect(
            waiting.loss
                == .init(
                    count: WaitingItems.limit / 10, from: Moment.at(0).wallMilliseconds,
                    to: Moment.at(WaitingItems.limit / 10 - 1).wallMilliseconds))
        var more = WaitingItems()
        for second in 0..<WaitingItems.limit { more.append(.alarmLog(.fever(at: second))) }
        waiting.append(more)
        #expect(waiting.items.count == WaitingItems.limit)
        #expect(waiting.count == 2 * WaitingItems.limit + 1)
    }
}
