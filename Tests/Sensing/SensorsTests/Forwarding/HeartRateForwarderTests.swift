import BlueZ
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The forwarder of heart rates")
struct HeartRateForwarderTests {
    private static let strap = BluetoothAddress("C0:52:49:00:00:02") ?? BluetoothAddress(rawValue: 0)
    private static let other = BluetoothAddress("C0:52:49:00:00:03") ?? BluetoothAddress(rawValue: 0)
    private static let core = point(1)
    private static let success: [UInt8] = [0x80, 0x13, 1]

    private static func point(_ number: UInt64) -> CharacteristicReference {
        let address = BluetoothAddress(rawValue: 0xC052_4900_0100 + number)
        let uuid = CharacteristicType.coreControlPoint.uuid
        return CharacteristicReference(path: .adapter, uuid: uuid, service: uuid, peripheral: address)
    }

    private static func seconds(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(seconds * 1e9))
    }

    /// One that has told a CORE 72 beats a minute at 0 s, as the first and answered procedure.
    private static func telling() -> HeartRateForwarder {
        var forwarder = HeartRateForwarder()
        _ = forwarder.handle(.found(core), at: seconds(0))
        _ = forwarder.handle(.measured(72, by: strap), at: seconds(0))
        _ = forwarder.handle(.finished(core, number: 1, succeeded: true), at: seconds(0))
        _ = forwarder.handle(.answered(core, success), at: seconds(0))
        return forwarder
    }

    @Test("subscribes before the first command, and not before there is something to tell")
    func begins() {
        var forwarder = HeartRateForwarder()
        #expect(forwarder.handle(.found(Self.core), at: Self.seconds(0)).isEmpty)
        #expect(
            forwarder.handle(.measured(72, by: Self.strap), at: Self.seconds(1)) == [.subscribe(Self.core, number: 1)])
        #expect(forwarder.handle(.measured(73, by: Self.strap), at: Self.seconds(2)).isEmpty)
        #expect(
            forwarder.handle(.finished(Self.core, number: 1, succeeded: true), at: Self.seconds(2))
                == [.write([0x13, 73], Self.core, number: 2)])
    }

    @Test("tells each measured rate once, and the newest when an answer came late")
    func newest() {
        var forwarder = Self.telling()
        #expect(forwarder.handle(.tick(Self.core.peripheral), at: Self.seconds(1)).isEmpty)
        #expect(
            forwarder.handle(.measured(74, by: Self.strap), at: Self.seconds(1)) == [
                .write([0x13, 74], Self.core, number: 3)
            ])
        #expect(forwarder.handle(.measured(75, by: Self.strap), at: Self.seconds(2)).isEmpty)
        #expect(forwarder.handle(.measured(76, by: Self.strap), at: Self.seconds(3)).isEmpty)
        #expect(
            forwarder.handle(.answered(Self.core, Self.success), at: Self.seconds(3)) == [
                .write([0x13, 76], Self.core, number: 4)
            ])
    }

    @Test("ends it at once when the strap measures none, and after 10 seconds without a word of it")
    func ends() {
        var forwarder = Self.telling()
        #expect(
            forwarder.handle(.measured(nil, by: Self.strap), at: Self.seconds(1)) == [
                .write([0x13], Self.core, number: 3)
            ])
        forwarder = Self.telling()
        #expect(forwarder.handle(.tick(Self.core.peripheral), at: Self.seconds(10)).isEmpty)
        #expect(
            forwarder.handle(.tick(Self.core.peripheral), at: Self.seconds(10.5)) == [
                .write([0x13], Self.core, number: 3)
            ])
        #expect(forwarder.handle(.tick(Self.core.peripheral), at: Self.seconds(11)).isEmpty)
    }

    @Test("takes one strap until that measures nothing any more")
    func oneStrap() {
        var forwarder = Self.telling()
        #expect(forwarder.handle(.measured(140, by: Self.other), at: Self.seconds(1)).isEmpty)
        #expect(forwarder.source == Self.strap)
        #expect(
            forwarder.handle(.measured(140, by: Self.other), at: Self.seconds(11)) == [
                .write([0x13, 140], Self.core, number: 3)
            ])
        #expect(forwarder.source == Self.other)
    }

    @Test(
        "gives up with a sentence when it is refused",
        arguments: [
            ([0x80, 0x13, 2], "cannot be told the heart rate: opcode not supported."),
            ([0x80, 0x13, 4], "cannot be told the heart rate: operation failed."),
        ] as [([UInt8], String)])
    func refused(octets: [UInt8], sentence: String) {
        var forwarder = Self.telling()
        _ = forwarder.handle(.measured(74, by: Self.strap), at: Self.seconds(1))
        #expect(forwarder.handle(.answered(Self.core, octets), at: Self.seconds(1)) == [.refused(Self.core, sentence)])
        #expect(forwarder.handle(.measured(75, by: Self.strap), at: Self.seconds(2)).isEmpty)
    }

    @Test("tells it the end of a rate again when the first attempt failed")
    func endFails() {
        var forwarder = Self.telling()
        _ = forwarder.handle(.measured(nil, by: Self.strap), at: Self.seconds(1))
        #expect(forwarder.handle(.finished(Self.core, number: 3, succeeded: false), at: Self.seconds(2)).isEmpty)
        #expect(
            forwarder.handle(.tick(Self.core.peripheral), at: Self.seconds(3)) == [.write([0x13], Self.core, number: 4)]
        )
    }

    @Test("gives up after three commands without an answer, and begins anew with the next link")
    func silent() {
        var forwarder = Self.telling()
        var actions: [HeartRateForwarder.Action] = []
        for second in 1...40 {
            actions += forwarder.handle(.measured(UInt8(60 + second), by: Self.strap), at: Self.seconds(Double(second)))
        }
        #expect(actions.count == 4)
        #expect(actions.last == .refused(Self.core, "does not answer when it is told the heart rate."))
        _ = forwarder.handle(.lost(Self.core.peripheral), at: Self.seconds(41))
        guard case .subscribe(Self.core, _)? = forwarder.handle(.found(Self.core), at: Self.seconds(42)).first else {
            Issue.record("it does not begin anew")
            return
        }
    }

    @Test("never tells a rate that was not measured since the one before, whatever happens in whatever order")
    func anyOrder() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var history = ForwardingHistory()
            for _ in 0..<300 { history.continueRandomly(&random, point: Self.point, straps: [Self.strap, Self.other]) }
            #expect(history.faults.isEmpty, "seed \(seed)")
        }
    }
}

/// What a forwarder was told and did, with what of it must not be.
private struct ForwardingHistory {
    private var forwarder = HeartRateForwarder()
    private var now = 0.0
    private var newest: (rate: UInt8?, at: Double) = (nil, -100)
    /// Counts what the told strap has measured.
    private var measured = 0
    /// Which of them each CORE was told last over its present link.
    private var lastTold: [CharacteristicReference: Int] = [:]
    private var links: Set<CharacteristicReference> = []
    /// The procedures under way, with their beginnings.
    private var open: [CharacteristicReference: (number: Int, since: Double, isSubscription: Bool)] = [:]
    /// Those that go by a rate that they were told.
    private var told: Set<CharacteristicReference> = []
    private var gaveUp: Set<CharacteristicReference> = []
    private(set) var faults: [String] = []

    mutating func continueRandomly(
        _ random: inout SeededGenerator, point: (UInt64) -> CharacteristicReference, straps: [BluetoothAddress]
    ) {
        now += Double.random(in: 0...(Int.random(in: 0..<20, using: &random) == 0 ? 15 : 2), using: &random)
        let core = point(UInt64.random(in: 1...2, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: find(core)
        case 1: lose(core)
        case 2, 3, 4:
            guard let ended = open[core] else { break }
            let succeeded = Int.random(in: 0..<30, using: &random) > 0
            if !succeeded || ended.isSubscription { open[core] = nil }
            handle(.finished(core, number: ended.number, succeeded: succeeded))
        case 5, 6, 7:
            if open[core]?.isSubscription == false { open[core] = nil }
            handle(.answered(core, [0x80, 0x13, Int.random(in: 0..<60, using: &random) == 0 ? 4 : 1]))
        case 8: handle(.tick(core.peripheral))
        default: measure(&random, by: straps[Int.random(in: 0...1, using: &random)])
        }
        checkEnd()
    }

    private mutating func find(_ core: CharacteristicReference) {
        lose(core)
        links.insert(core)
        handle(.found(core))
    }

    private mutating func lose(_ core: CharacteristicReference) {
        links.remove(core)
        open[core] = nil
        told.remove(core)
        lastTold[core] = nil
        gaveUp.remove(core)
        handle(.lost(core.peripheral))
    }

    private mutating func measure(_ random: inout SeededGenerator, by strap: BluetoothAddress) {
        let rate = Int.random(in: 0..<8, using: &random) == 0 ? nil : UInt8.random(in: 40...200, using: &random)
        let isSource = forwarder.source == nil || forwarder.source == strap || now - newest.at > 10
        if isSource {
            newest = (rate, now)
            measured += 1
        }
        handle(.measured(rate, by: strap))
    }

    private mutating func handle(_ event: HeartRateForwarder.Event) {
        for action in forwarder.handle(event, at: MonotonicTime(nanoseconds: Int64(now * 1e9))) {
            switch action {
            case .subscribe(let core, let number):
                check(links.contains(core), "subscribes without a link")
                check(open[core] == nil, "two procedures at once")
                open[core] = (number, now, true)
            case .write(let octets, let core, let number):
                check(links.contains(core), "writes without a link")
                let isOver = open[core].map { !$0.isSubscription && now - $0.since > 10 } ?? true
                check(isOver, "two procedures at once")
                open[core] = (number, now, false)
                write(octets, to: core)
            case .refused(let core, _):
                gaveUp.insert(core)
                told.remove(core)
            }
        }
    }

    private mutating func write(_ octets: [UInt8], to core: CharacteristicReference) {
        check(octets.first == 0x13 && octets.count <= 2, "an unknown command")
        guard octets.count == 2 else {
            told.remove(core)
            return
        }
        check(newest.rate == octets[1], "tells \(octets[1]), which is not the newest")
        check(now - newest.at <= 10, "tells an old rate")
        check(lastTold[core] != measured, "tells a rate again")
        lastTold[core] = measured
        told.insert(core)
    }

    /// A CORE that is told nothing any more goes by its own rate again as soon as it can be told so.
    private mutating func checkEnd() {
        guard now - newest.at > 10 else { return }
        for core in told where !gaveUp.contains(core) && open[core] == nil {
            handle(.tick(core.peripheral))
            check(!told.contains(core), "does not end an old rate")
        }
    }

    private mutating func check(_ isRight: Bool, _ fault: String) {
        if !isRight { faults.append("\(fault) at \(now)") }
    }
}
