import TestSupport
import Vitals

@testable import KnownSensors
@testable import Sensors

/// Sensors, a radio and bluetoothd in virtual time, around the machines and the queue that are tested.
///
/// It answers as bluetoothd does, at random moments, late, or not at all; and it can fail in every way that the
/// machines handle.
struct TroubledWorld {
    /// One sensor and the machine that keeps it connected.
    struct Sensor {
        var machine = ConnectionMachine()
        var timer: Moment?
        var isWanted = false
        var isInRange = true
        var isKnown = false
        var isLinked = false
        var isResolved = false
        /// Which `Connect` is pending, until it is answered or cancelled.
        var pendingConnect: Int?
        /// Counts links, for what was begun on a former one.
        var link = 0
    }

    /// What bluetoothd is about to do or say.
    enum Step {
        case turn
        case answerConnect(Int, ConnectFailure?)
        case resolve(link: Int)
        case answerSubscribe(link: Int, ConnectFailure?)
        case answerDisconnect
        case dropLink
    }

    var sensors: [Sensor]
    private(set) var now = at(0)
    private(set) var trouble: ConnectionState.DisconnectReason?
    private var queue = ConnectQueue<Int>()
    private var agenda: [(due: Moment, sensor: Int, daemon: Int, step: Step)] = []
    /// Counts the daemons, whose successors do not answer for them.
    private var daemon = 0
    private var random: SeededGenerator

    init(sensorCount: Int, seed: Int) {
        sensors = Array(repeating: Sensor(), count: sensorCount)
        random = SeededGenerator(seed: UInt64(seed))
        for index in sensors.indices { want(index, true) }
    }

    // MARK: Time

    /// Lets time pass, with a word of the air once a second.
    mutating func pass(_ seconds: Int) {
        for _ in 0..<seconds {
            let end = now.advanced(by: .seconds(1))
            while let due = nextDue, due <= end { act(at: due) }
            now = end
            for index in sensors.indices { advertise(index) }
        }
    }

    private var nextDue: Moment? {
        (agenda.map(\.due) + sensors.compactMap(\.timer)).min()
    }

    private mutating func act(at due: Moment) {
        now = max(now, due)
        if let index = sensors.firstIndex(where: { $0.timer.map { $0 <= due } ?? false }) {
            sensors[index].timer = nil
            return send(.timerFired, index)
        }
        guard let index = agenda.firstIndex(where: { $0.due <= due }) else { return }
        let item = agenda.remove(at: index)
        if case .turn = item.step { return send(.turnCame, item.sensor) }
        // Nothing is sent for a daemon or an adapter that is gone.
        if item.daemon == daemon { carryOut(item.step, item.sensor) }
    }

    private mutating func later(_ milliseconds: ClosedRange<Int>, _ sensor: Int, _ step: Step) {
        let delay = Duration.milliseconds(Int.random(in: milliseconds, using: &random))
        agenda.append((now.advanced(by: delay), sensor, daemon, step))
    }

    // MARK: bluetoothd

    private mutating func carryOut(_ step: Step, _ index: Int) {
        switch step {
        case .turn: break
        case .answerConnect(let attempt, let failure):
            guard sensors[index].pendingConnect == attempt else { return }
            sensors[index].pendingConnect = nil
            if failure == nil { linkUp(index) }
            send(.connectAnswered(attempt: attempt, failure), index)
        case .resolve(let link):
            guard sensors[index].isLinked, sensors[index].link == link else { return }
            sensors[index].isResolved = true
            send(.servicesResolved, index)
        case .answerSubscribe(let link, let failure):
            // The supervisor keeps back what belongs to a former link.
            guard sensors[index].link == link else { return }
            send(.subscribed(failure), index)
        case .answerDisconnect:
            linkDown(index)
            send(.disconnectAnswered, index)
        case .dropLink: linkDown(index)
        }
    }

    private mutating func send(_ event: ConnectionMachine.Event, _ index: Int) {
        let chance = Double.random(in: 0..<1, using: &random)
        for action in sensors[index].machine.handle(event, at: now, random: chance) { perform(action, index) }
    }

    private mutating func perform(_ action: ConnectionMachine.Action, _ index: Int) {
        switch action {
        case .requestTurn: give(queue.request(index))
        case .releaseTurn: give(queue.release(index))
        case .connect(let attempt): connect(index, attempt)
        case .disconnect: disconnect(index)
        case .subscribe:
            let link = sensors[index].link
            let failure: ConnectFailure? = Int.random(in: 0..<8, using: &random) == 0 ? .noServices : nil
            later(50...300, index, .answerSubscribe(link: link, failure))
        case .setTimer(let due): sensors[index].timer = due
        case .cancelTimer: sensors[index].timer = nil
        case .rearm, .report: break
        }
    }

    private mutating func give(_ next: Int?) {
        guard let next else { return }
        agenda.append((now, next, daemon, .turn))
    }

    private mutating func connect(_ index: Int, _ attempt: Int) {
        guard trouble == nil, sensors[index].isKnown else {
            return send(
                .connectAnswered(attempt: attempt, trouble == nil ? .unknownPeripheral : .adapterNotReady), index)
        }
        sensors[index].pendingConnect = attempt
        guard sensors[index].isInRange else {
            return later(40_000...40_000, index, .answerConnect(attempt, .abortedLink))
        }
        let failures: [ConnectFailure?] = [nil, nil, nil, .abortedLink, .busy, .settling, .other, .adapterNotReady]
        later(100...900, index, .answerConnect(attempt, failures.randomElement(using: &random) ?? nil))
    }

    private mutating func disconnect(_ index: Int) {
        if let attempt = sensors[index].pendingConnect {
            agenda.append((now, index, daemon, .answerConnect(attempt, .abortedLink)))
        }
        // Sometimes no answer comes at all.
        if Int.random(in: 0..<6, using: &random) > 0 { later(10...2500, index, .answerDisconnect) }
    }

    private mutating func linkUp(_ index: Int) {
        guard trouble == nil, !sensors[index].isLinked else { return }
        sensors[index].isLinked = true
        sensors[index].isKnown = true
        sensors[index].link += 1
        // Sometimes the services never come.
        if Int.random(in: 0..<8, using: &random) > 0 { later(100...800, index, .resolve(link: sensors[index].link)) }
        send(.linkUp, index)
    }

    private mutating func linkDown(_ index: Int) {
        guard sensors[index].isLinked else { return }
        sensors[index].isLinked = false
        sensors[index].isResolved = false
        sensors[index].link += 1
        send(.linkDown, index)
    }

    private mutating func advertise(_ index: Int) {
        guard trouble == nil, sensors[index].isInRange, !sensors[index].isLinked else { return }
        sensors[index].isKnown = true
        send(.heard, index)
    }

    // MARK: The user

    mutating func want(_ index: Int, _ isWanted: Bool) {
        sensors[index].isWanted = isWanted
        send(isWanted ? .wanted : .unwanted, index)
    }

    // MARK: Trouble

    /// Something happens to somebody.
    mutating func trouble(_ index: Int) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: linkDown(index)
        case 1:
            linkDown(index)
            sensors[index].isInRange.toggle()
        case 2: vanish(index)
        case 3: loseRadio(.daemon)
        case 4: loseRadio(.bus)
        case 5: loseRadio(.adapter)
        case 6, 7: returnRadio()
        case 8: want(index, Bool.random(using: &random))
        case 9: linkUp(index)
        case 10 where sensors[index].isResolved:
            sensors[index].isResolved = false
            send(.servicesLost, index)
            later(10...5000, index, .resolve(link: sensors[index].link))
        case 11 where sensors[index].isResolved: send(.servicesChanged, index)
        default: send([.awoke, .stalled, .valueCame, .timerFired].randomElement(using: &random) ?? .awoke, index)
        }
    }

    private mutating func vanish(_ index: Int) {
        linkDown(index)
        sensors[index].isKnown = false
        sensors[index].pendingConnect = nil
        send(.vanished, index)
    }

    private mutating func loseRadio(_ reason: ConnectionState.DisconnectReason) {
        daemon += 1
        trouble = reason
        for index in sensors.indices {
            if Bool.random(using: &random) { linkDown(index) }
            sensors[index].isLinked = false
            sensors[index].isResolved = false
            sensors[index].link += 1
            sensors[index].pendingConnect = nil
            if reason != .adapter { sensors[index].isKnown = false }
            send(.radioLost(reason), index)
            if reason != .adapter { send(.vanished, index) }
        }
    }

    private mutating func returnRadio() {
        guard trouble != nil else { return }
        trouble = nil
        for index in sensors.indices { send(.radioReturned, index) }
    }

    /// The world is well again.
    mutating func heal() {
        returnRadio()
        for index in sensors.indices { sensors[index].isInRange = true }
    }
}
