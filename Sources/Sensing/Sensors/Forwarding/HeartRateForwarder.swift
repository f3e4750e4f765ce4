import BlueZ
import VitalDecoders
import Vitals

/// Sends CORE sensors the heart rate of a strap, which improves their core temperature.
///
/// A pure state machine. Only one procedure of a control point is open at a time; each sent rate is newer than the last
/// one, and when the strap stops measuring, the procedure ends, so that CORE never uses an old rate.
///
/// Source: CORE Body Temperature Service Specification 2.2, control point, external heart rate (13).
struct HeartRateForwarder: Sendable {
    /// The strap whose heart rate is sent: the first that measures one, until it stops.
    private(set) var source: BluetoothAddress?
    private var rate: UInt8?
    private var measuredAt: MonotonicTime = .distantPast
    /// Counts the measurements, so that none is sent twice.
    private var measured = 0
    private var receivers: [CharacteristicReference: Receiver] = [:]
    private var number = 0

    /// How long without a heart rate until CORE uses its own again; it doubts a constant one after 15 s.
    static let patience = Duration.seconds(10)
    /// The number of consecutive procedures that may fail.
    static let attempts = 3

    /// What happened.
    enum Event: Hashable, Sendable {
        /// A strap has measured a heart rate; `nil` if it reports none.
        case measured(UInt8?, by: BluetoothAddress)
        /// A CORE is connected and has this control point.
        case found(CharacteristicReference)
        /// The link to a CORE has ended.
        case lost(BluetoothAddress)
        /// A CORE has sent a value, as it does every second.
        case tick(BluetoothAddress)
        /// A subscription or a write has succeeded or failed.
        case finished(CharacteristicReference, number: Int, succeeded: Bool)
        /// A control point has sent octets.
        case answered(CharacteristicReference, [UInt8])
    }

    /// What to do; ``Event/finished(_:number:succeeded:)`` answers both.
    enum Action: Hashable, Sendable {
        case subscribe(CharacteristicReference, number: Int)
        case write([UInt8], CharacteristicReference, number: Int)
        /// A CORE does not accept a heart rate; a sentence for the user.
        case refused(CharacteristicReference, String)
    }

    private struct Receiver {
        var phase = Phase.new
        /// The number of the last measurement sent to it.
        var told = 0
        /// Whether it may be using a sent rate.
        var isTold = false
        var unanswered = 0
    }

    private enum Phase: Equatable {
        case new, subscribing(number: Int), idle
        /// A procedure has been open since this time; whether it sends a rate.
        case asked(number: Int, since: MonotonicTime, tells: Bool)
        case refused
    }

    /// Whether it needs the values of a characteristic.
    func listens(to reference: CharacteristicReference) -> Bool { receivers[reference] != nil }

    /// Handles an event; returns the actions in order.
    mutating func handle(_ event: Event, at now: MonotonicTime) -> [Action] {
        if now.since(measuredAt) > Self.patience { (source, rate) = (nil, nil) }
        switch event {
        case .measured(let rate, let strap): record(rate, by: strap, at: now)
        case .found(let reference): receivers[reference] = Receiver()
        case .lost(let address): receivers = receivers.filter { $0.key.peripheral != address }
        case .tick: break
        case .finished(let reference, let number, let succeeded):
            return finished(reference, number, succeeded, at: now)
        case .answered(let reference, let octets): return answered(reference, octets, at: now)
        }
        return receivers.keys.sorted { $0.peripheral < $1.peripheral }.flatMap { advance($0, at: now) }
    }

    private mutating func record(_ newest: UInt8?, by strap: BluetoothAddress, at now: MonotonicTime) {
        guard source == nil || source == strap else { return }
        (source, rate, measuredAt) = (newest == nil ? nil : strap, newest, now)
        measured += 1
    }

    private mutating func advance(_ reference: CharacteristicReference, at now: MonotonicTime) -> [Action] {
        if case .asked(_, let since, _) = receivers[reference]?.phase, now.since(since) > Self.patience {
            let refusals = failed(reference, "does not answer when it is told the heart rate.", then: .idle)
            if !refusals.isEmpty { return refusals }
        }
        guard var receiver = receivers[reference] else { return [] }
        defer { receivers[reference] = receiver }
        switch receiver.phase {
        case .new where rate != nil:
            number += 1
            receiver.phase = .subscribing(number: number)
            return [.subscribe(reference, number: number)]
        case .idle where rate == nil ? receiver.isTold : receiver.told != measured:
            number += 1
            receiver.phase = .asked(number: number, since: now, tells: rate != nil)
            receiver.told = measured
            receiver.isTold = true
            return [.write(CoreControlMessage.externalHeartRate(rate).octets, reference, number: number)]
        default: return []
        }
    }

    private mutating func finished(
        _ reference: CharacteristicReference, _ number: Int, _ succeeded: Bool, at now: MonotonicTime
    ) -> [Action] {
        let refusal = "does not let itself be told the heart rate."
        switch receivers[reference]?.phase {
        case .subscribing(number) where succeeded:
            receivers[reference]?.phase = .idle
            return advance(reference, at: now)
        case .subscribing(number): return failed(reference, refusal, then: .new)
        case .asked(number, _, _) where !succeeded: return failed(reference, refusal, then: .idle)
        default: return []
        }
    }

    /// Counts a failed procedure, possibly because of a lost link; gives up after several in succession.
    private mutating func failed(_ reference: CharacteristicReference, _ sentence: String, then phase: Phase)
        -> [Action]
    {
        receivers[reference]?.phase = phase
        receivers[reference]?.unanswered += 1
        guard receivers[reference]?.unanswered == Self.attempts else { return [] }
        receivers[reference]?.phase = .refused
        return [.refused(reference, sentence)]
    }

    private mutating func answered(
        _ reference: CharacteristicReference, _ octets: [UInt8], at now: MonotonicTime
    ) -> [Action] {
        guard case .asked(_, _, let tells) = receivers[reference]?.phase,
            let message = try? CoreControlMessage(octets), message.opcode == .externalHeartRate,
            let result = message.result
        else { return [] }
        receivers[reference]?.unanswered = 0
        guard result == .success else {
            receivers[reference]?.phase = .refused
            return [.refused(reference, "cannot be told the heart rate: \(result.words).")]
        }
        receivers[reference]?.phase = .idle
        receivers[reference]?.isTold = tells
        return advance(reference, at: now)
    }
}

extension CoreControlResult {
    /// The result's name in words.
    fileprivate var words: String { String(name.map { $0 == "_" ? " " : $0 }) }
}

// Sends CORE sensors the heart rate of a strap, if the user wants that.
extension SensorSupervisor {
    /// Sets whether CORE sensors get the heart rate; call it before ``start()``.
    public func forwardHeartRate(_ isWanted: Bool) { forwarder = isWanted ? HeartRateForwarder() : nil }

    /// Begins with a CORE whose services are known.
    func beginForwarding(to session: SensorSession, having offered: [Characteristic], at moment: Moment) {
        guard session.identity.kind == .core,
            let point = offered.first(where: { $0.uuid == CharacteristicType.coreControlPoint.uuid }),
            point.flags.contains(.write), point.flags.contains(.indicate)
        else { return }
        forward(.found(point.reference), at: moment)
    }

    /// Handles a strap's reading, and each value of a CORE, for the forwarder.
    func considerForwarding(_ reading: Reading, from session: SensorSession) {
        guard reading.late == nil else { return }
        if session.identity.kind == .core { return forward(.tick(session.address), at: reading.moment) }
        guard session.identity.kind == .heartRateStrap, reading.vital == .heartRate else { return }
        var rate: UInt8?
        if case .measured(let value, .good) = reading.outcome {
            rate = UInt8(exactly: value.hundredths / 100).flatMap { $0 > 0 ? $0 : nil }
        }
        forward(.measured(rate, by: session.address), at: reading.moment)
    }

    /// Passes an event to the forwarder, and performs its actions.
    func forward(_ event: HeartRateForwarder.Event, at moment: Moment) {
        guard let actions = forwarder?.handle(event, at: moment.monotonic) else { return }
        for action in actions {
            switch action {
            case .subscribe(let reference, let number):
                finish(reference, number) { try await $0.startNotify(reference, timeout: Self.limit) }
            case .write(let octets, let reference, let number):
                finish(reference, number) {
                    try await $0.write(octets, to: reference, .withResponse, timeout: Self.limit)
                }
            case .refused(let reference, let sentence):
                guard let name = sessions[reference.peripheral]?.identity.name else { break }
                notices.send("\(name) \(sentence)")
            }
        }
    }

    private func finish(
        _ reference: CharacteristicReference, _ number: Int,
        _ perform: @escaping @Sendable (any Central) async throws -> Void
    ) {
        let central = central
        Task(executorPreference: loop) {
            var succeeded = true
            do { try await perform(central) } catch { succeeded = false }
            await self.forward(.finished(reference, number: number, succeeded: succeeded), at: .now())
        }
    }
}
