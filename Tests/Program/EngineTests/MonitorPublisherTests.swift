import EventLoops
import Foundation
import MonitorLink
import LineSocket
import Monitoring
import TestSupport
import Testing
import Vitals
import Waves

@testable import Engine

@Suite("A monitor and its remote views")
struct MonitorPublisherTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()

    init() throws {
        folder = try ScratchFolder()
    }

    private static let strap = SensorIdentity(
        address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap)

    private static func reading(_ rate: Int) -> MonitorInput {
        let now = Moment.now()
        let reading = Reading(
            sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: rate), .good), moment: now)
        return .event(MonitorEvent(moment: now, kind: .reading(reading)))
    }

    /// A monitor with its socket, on a test's loop.
    private final class Host {
        var state = MonitorState(start: .now())
        var wishes: [Wish] = []
        var provenance = Provenance.real
        /// The waves that views want, each time that changed.
        var wantedWaves: [Set<WaveKind>] = []
        private(set) var publisher: MonitorPublisher?
        private var server: LineSocketServer?

        init(path: String, on loop: EventLoop, process: Int32 = 1, limits: LineSocketLimits? = nil) throws {
            let publisher = MonitorPublisher(on: loop, command: "record", process: process) { [unowned self] in
                MonitorSnapshot(state: state, log: [], provenance: provenance, isRecording: true)
            } carryOut: { [unowned self] in
                wishes.append($0)
            }
            publisher.wantsWaves = { [unowned self] in wantedWaves.append($0) }
            self.publisher = publisher
            server = try LineSocketServer(path: path, loop: loop, limits: limits ?? MonitorPublisher.limits) {
                _ = publisher.handle($1, from: $0)
            }
        }

        func fold(_ input: MonitorInput) {
            publisher?.publish(input)
            _ = state.apply(input)
        }

        /// As when its process is killed.
        func end() {
            publisher?.close()
            server?.close()
        }
    }

    /// A view on a test's loop.
    private final class Guest {
        var state: MonitorState?
        var losses: [String] = []
        var snapshotCount = 0
        var refusal: String?
        var waves: [WaveUpdate] = []
        private(set) var attached: AttachedMonitor?

        convenience init(path: String, on loop: EventLoop) {
            self.init(paths: { _ in [path] }, on: loop)
        }

        init(paths: @escaping (Provenance) -> [String], on loop: EventLoop) {
            attached = AttachedMonitor(paths: paths, on: loop) { [unowned self] news in
                for news in news {
                    switch news {
                    case .snapshot(let snapshot):
                        state = snapshot.state
                        snapshotCount += 1
                    case .input(let input): _ = state?.apply(input)
                    case .lost(let reason): losses.append(reason)
                    case .refused(let sentence): refusal = sentence
                    case .waves(let updates): waves += updates
                    case .notice, .connect: break
                    }
                }
            }
            attached?.begin()
        }
    }

    @Test("have the same state, also from before; the requests of one reach the monitor")
    func same() async throws {
        let path = folder.path + "/s"
        try await running.run { actor in
            let host = try Host(path: path, on: actor.loop)
            for rate in 60..<90 { host.fold(Self.reading(rate)) }
            let guests = [Guest(path: path, on: actor.loop), Guest(path: path, on: actor.loop)]
            try await awaitCondition("both know") { guests.allSatisfy { $0.state == host.state } }
            for rate in 90..<120 { host.fold(Self.reading(rate)) }
            host.fold(.wish(.pauseAudio(nil), at: .now()))
            try await awaitCondition("both know the news") { guests.allSatisfy { $0.state == host.state } }
            #expect(guests.allSatisfy { $0.snapshotCount == 1 && $0.losses.isEmpty })
            guests[0].attached?.send(.patient(.acknowledgeAll))
            guests[1].attached?.send(.sensor(.connect(address: Self.strap.address)))
            try await awaitCondition("the wishes have come") { host.wishes.count == 2 }
            #expect(host.wishes.contains(.patient(.acknowledgeAll)))
            host.state.restore([], now: .now())
            host.publisher?.publishSnapshot()
            try await awaitCondition("both begin anew") { guests.allSatisfy { $0.snapshotCount == 2 } }
            for guest in guests { guest.attached?.end() }
            host.end()
        }
    }

    @Test("get the waves that they ask for and no others, also from the next monitor; the last to go ends them")
    func waves() async throws {
        let path = folder.path + "/s"
        let now = Moment.now()
        let updates = [WaveKind.electrocardiogram, .plethysmogram].map { kind in
            WaveUpdate.block(
                WaveBlock(
                    sensor: Self.strap, kind: kind, samples: [1, -2, WavePiece.missing], beats: [1],
                    start: now.monotonic, interval: 7_692_307.692, lost: 3, isContinuing: false, arrived: now))
        }
        try await running.run { actor in
            let host = try Host(path: path, on: actor.loop)
            let guests = [Guest(path: path, on: actor.loop), Guest(path: path, on: actor.loop)]
            try await awaitCondition("both know") { guests.allSatisfy { $0.state != nil } }
            guests[0].attached?.use(waves: [.electrocardiogram])
            try await awaitCondition("the wish has come") { host.wantedWaves == [[.electrocardiogram]] }
            host.publisher?.publish(waves: updates)
            try await awaitCondition("it has come") { guests[0].waves == [updates[0]] }
            guests[1].attached?.use(waves: [.plethysmogram])
            try await awaitCondition("both are wanted") { host.wantedWaves.last?.count == 2 }
            guests[1].attached?.end()
            try await awaitCondition("one is") { host.wantedWaves.last == [.electrocardiogram] }
            #expect(guests[1].waves.isEmpty)
            host.end()
            let next = try Host(path: path, on: actor.loop, process: 2)
            try await awaitCondition("the next one is asked, too") { next.wantedWaves == [[.electrocardiogram]] }
            guests[0].attached?.end()
            try await awaitCondition("nobody wants it") { next.wantedWaves.last == [] }
            next.end()
        }
    }

    @Test("learn at once that the monitor has gone, and continue with the next one")
    func restart() async throws {
        let path = folder.path + "/s"
        try await running.run { actor in
            let first = try Host(path: path, on: actor.loop)
            let guest = Guest(path: path, on: actor.loop)
            try await awaitCondition("it knows") { guest.state != nil }
            first.end()
            try await awaitCondition("the loss is reported") { guest.losses == ["has ended"] }
            let second = try Host(path: path, on: actor.loop, process: 2)
            second.fold(Self.reading(77))
            try await awaitCondition("it goes on") { guest.state == second.state }
            #expect(guest.attached?.trouble == nil)
            #expect(guest.attached?.monitor?.process == 2)
            guest.attached?.end()
            second.end()
        }
    }

    @Test("follow it to its new socket when its sensors turn out to be simulated, and never to another monitor")
    func moved() async throws {
        let (real, simulated) = (folder.path + "/real", folder.path + "/simulated")
        try await running.run { actor in
            // As the places of `--view`: nothing simulated after what was real, and the other way round.
            func guest() -> Guest {
                Guest(
                    paths: {
                        ($0 == .simulated ? [] : [real]) + ($0 == .real ? [] : [simulated])
                    }, on: actor.loop)
            }
            let first = try Host(path: real, on: actor.loop)
            first.provenance = .unknown
            let early = guest()
            try await awaitCondition("it knows the monitor") { early.snapshotCount == 1 }
            first.end()
            let second = try Host(path: simulated, on: actor.loop, process: 2)
            second.provenance = .simulated
            try await awaitCondition("it has gone with it") { early.snapshotCount == 2 }
            early.attached?.end()
            second.end()

            let third = try Host(path: real, on: actor.loop, process: 3)
            let late = guest()
            try await awaitCondition("it knows the patient's monitor") { late.snapshotCount == 1 }
            third.end()
            let other = try Host(path: simulated, on: actor.loop, process: 4)
            other.provenance = .simulated
            let again = try Host(path: real, on: actor.loop, process: 5)
            try await awaitCondition("it has waited for the patient's") { late.snapshotCount == 2 }
            #expect(late.attached?.monitor?.process == 5)
            late.attached?.end()
            for host in [other, again] { host.end() }
        }
    }

    @Test("never delay the monitor: one that does not read is disconnected")
    func slow() async throws {
        let path = folder.path + "/s"
        try await running.run { actor in
            let host = try Host(path: path, on: actor.loop, limits: LineSocketLimits(unread: 50_000))
            let client = try LineSocketClient(path: path)
            try client.send(LinkCoder.line(ViewerLine.attach(form: LinkForm.current)) + [UInt8(ascii: "\n")])
            try await awaitCondition("it is let go") {
                for _ in 0..<1000 { host.fold(Self.reading(80)) }
                do throws(LineSocketError) {
                    try client.send([UInt8(ascii: "\n")], within: .zero)
                    return false
                } catch {
                    return error == .closed
                }
            }
            host.end()
        }
    }

    @Test("receive only the monitor's identity when they are of another version")
    func version() async throws {
        let path = folder.path + "/s"
        try await running.run { actor in
            let host = try Host(path: path, on: actor.loop)
            let client = try LineSocketClient(path: path)
            var lines: [[UInt8]] = []
            let connection = client.attach(to: actor.loop) { lines.append($1) }
            var isClosed = false
            connection.closed = { _ in isClosed = true }
            connection.send(try LinkCoder.line(ViewerLine.attach(form: "0-other")) + [UInt8(ascii: "\n")])
            try await awaitCondition("the connection has ended") { isClosed }
            #expect(lines.count == 1)
            guard case .hello(let hello)? = try lines.first.map({ try LinkCoder.value(MonitorLine.self, $0) }) else {
                Issue.record("no hello: \(lines)")
                return
            }
            #expect(hello.name == "bedside record, process 1")
            host.end()
        }
    }
}
