import Monitoring
import TestSupport
import Vitals

@testable import Ward
@testable import WardMessages

/// Beds, a broker and a network with every fault, and a ward screen that knows only what reaches it.
struct FaultyWorld {
    /// A monitor with its connection to the broker.
    struct Peer {
        var monitor: SimulatedMonitor
        var link = Link.up
        /// When a fault of its own ends; `nil` without one.
        var restoredAt: Int64?
        /// What waits in the connection while it hangs.
        var held: [Message] = []
        /// Requests that wait while it is stopped.
        var waitingRequests: [WardToken] = []
    }

    /// The state of a connection.
    enum Link {
        case up
        /// Nothing comes through now; all of it later.
        case hanging
        /// The connection is lost; the next one is another session.
        case down
        /// The process does not run, but its connection stands.
        case stopped
        /// The process is killed.
        case killed
    }

    enum Fault: CaseIterable {
        case loseMessage, delayMessage, doubleMessage, doubleOldMessage, retainedByStranger, hang, drop, stop, kill
        case broker, wallClock, twin, alarm, lateWill, loseRequest, nonsense
    }

    var ward: WardState
    private(set) var now: Int64 = 0
    private(set) var faultCount = 0
    private(set) var counts: [Fault: Int] = [:]
    private(set) var peers: [[Peer]] = []
    let beds: [WardBed]
    /// When each monitor measured each value: by bed, vital and hundredths.
    private(set) var measured: [WardBed: [Vital: [Int: Int64]]] = [:]
    /// When each blood pressure was measured: by bed and systolic pressure.
    private(set) var measuredPressures: [WardBed: [Int: Int64]] = [:]
    /// When a message of a session, promptly delivered, last reached the ward.
    private(set) var prompt: [WardToken: Int64] = [:]

    /// When a message of another session than the present one last reached the ward.
    private(set) var foreign: [WardBed: Int64] = [:]

    private var random: SeededGenerator
    private var inFlight: [(at: Int64, message: Message, isPrompt: Bool)] = []
    private var requests: [(at: Int64, bed: WardBed, request: WardToken)] = []
    private var brokerBackAt: Int64?
    private var loseNext = false
    private var delayNext: Int64?
    private var doubleNext: Int64?
    private var loseRequest = false
    private var old: [Message] = []

    init(beds count: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        guard let site = WardToken("north"), let name = WardToken("screen") else { preconditionFailure("no names") }
        beds = (1...count).compactMap { WardToken("\($0)") }.map { WardBed(site: site, bed: $0) }
        ward = WardState(name: name, start: Self.moment(0))
        for (index, bed) in beds.enumerated() {
            let monitor = SimulatedMonitor(
                bed, host: "pc\(index)", session: WardToken(random: &generator),
                bootOffset: Int64(index) * 7_000_000 + 1000, partsPerMillion: Int64(index % 3 - 1) * 50,
                phase: index * 50, at: 0)
            peers.append([Peer(monitor: monitor)])
        }
        random = generator
        handle(ward.brokerChanged(.connected, at: Self.moment(0)))
        for index in peers.indices { connect(index, 0) }
    }

    static func moment(_ milliseconds: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: 50_000_000_000_000 + milliseconds * 1_000_000,
            wallMilliseconds: 1_772_373_000_000 + milliseconds)
    }

    var moment: Moment { Self.moment(now) }
    var isBrokerUp: Bool { brokerBackAt == nil }

    // MARK: Time

    /// Lets time pass.
    mutating func step(_ milliseconds: Int64) {
        now += milliseconds
        if let back = brokerBackAt, now >= back { restoreBroker() }
        for bed in peers.indices {
            for index in peers[bed].indices {
                if let restored = peers[bed][index].restoredAt, now >= restored { restore(bed, index) }
                run(bed, index)
            }
            // A second monitor that was killed does not come back.
            peers[bed] = peers[bed].enumerated().filter { $0.offset == 0 || $0.element.link != .killed }.map(\.element)
        }
        deliverRequests()
        deliver()
        handle(ward.advance(to: moment))
    }

    private mutating func run(_ bed: Int, _ index: Int) {
        switch peers[bed][index].link {
        case .stopped, .killed: return
        case .up, .hanging, .down: break
        }
        let messages = peers[bed][index].monitor.run(to: now)
        for (vital, newest) in peers[bed][index].monitor.newest {
            measured[beds[bed], default: [:]][vital, default: [:]][newest.value.hundredths] = newest.at
        }
        if let pressure = peers[bed][index].monitor.pressure {
            measuredPressures[beds[bed], default: [:]][pressure.value.systolic] = pressure.at
        }
        for message in messages { send(message, bed, index) }
    }

    private mutating func send(_ message: Message, _ bed: Int, _ index: Int) {
        switch peers[bed][index].link {
        case .hanging: peers[bed][index].held.append(message)
        case .up where isBrokerUp: publish(message)
        case .up, .down, .stopped, .killed: break
        }
    }

    /// Hands a message to the broker, which the faults of single messages are for.
    private mutating func publish(_ message: Message) {
        if loseNext, message.isQoS0 {
            loseNext = false
            return
        }
        if Int.random(in: 0..<20, using: &random) == 0, !message.topic.isSession {
            old.append(message)
            if old.count > 200 { old.removeFirst() }
        }
        let delay = delayNext ?? Int64.random(in: 1...40, using: &random)
        delayNext = nil
        inFlight.append((now + delay, message, delay <= 40))
        if let again = doubleNext {
            doubleNext = nil
            inFlight.append((now + again, message, false))
        }
    }

    private mutating func deliver() {
        let due = inFlight.filter { $0.at <= now }.sorted { $0.at < $1.at }
        inFlight.removeAll { $0.at <= now }
        guard isBrokerUp else { return }
        for (_, message, isPrompt) in due {
            if let session = message.session {
                // That a session began says nothing of the present: the broker may have kept it.
                if isPrompt, !message.topic.isSession { prompt[session] = now }
                let place = beds.firstIndex(of: message.topic.bed) ?? 0
                if peers[place][0].monitor.session != session { foreign[message.topic.bed] = now }
            }
            receive(message)
        }
    }

    private mutating func receive(_ message: Message) {
        handle(
            ward.receive(
                topic: message.topic.text, payload: message.payload, isRetained: message.isRetained, at: moment))
    }

    private mutating func handle(_ effects: [WardEffect]) {
        for effect in effects {
            guard case .publish(let topic, .birth) = effect, case .command(.birth, let request) = topic.subject else {
                continue
            }
            if loseRequest {
                loseRequest = false
                continue
            }
            requests.append((now + Int64.random(in: 1...40, using: &random), topic.bed, request))
        }
    }

    private mutating func deliverRequests() {
        let due = requests.filter { $0.at <= now }
        requests.removeAll { $0.at <= now }
        guard isBrokerUp else { return }
        for (_, bed, request) in due {
            guard let place = beds.firstIndex(of: bed) else { continue }
            for index in peers[place].indices {
                switch peers[place][index].link {
                case .up:
                    let birth = peers[place][index].monitor.birth(request, now)
                    send(birth, place, index)
                case .hanging, .stopped: peers[place][index].waitingRequests.append(request)
                case .down, .killed: break
                }
            }
        }
    }

    // MARK: Faults

    private mutating func connect(_ bed: Int, _ index: Int) {
        peers[bed][index].link = .up
        peers[bed][index].held = []
        peers[bed][index].waitingRequests = []
        let session = WardToken(random: &random)
        for message in peers[bed][index].monitor.connect(session, now) { send(message, bed, index) }
    }

    private mutating func restore(_ bed: Int, _ index: Int) {
        peers[bed][index].restoredAt = nil
        switch peers[bed][index].link {
        case .up: break
        case .down, .killed: if isBrokerUp { connect(bed, index) }
        case .hanging, .stopped:
            peers[bed][index].link = .up
            let held = peers[bed][index].held
            peers[bed][index].held = []
            // All at once, and in order.
            for message in held where isBrokerUp { inFlight.append((now + 1, message, false)) }
            let waiting = peers[bed][index].waitingRequests
            peers[bed][index].waitingRequests = []
            for request in waiting {
                let birth = peers[bed][index].monitor.birth(request, now)
                send(birth, bed, index)
            }
        }
    }

    /// Ends a connection without its own doing; the broker publishes the last will, sooner or later.
    private mutating func lose(_ bed: Int, _ index: Int, _ link: Link, will delay: Int64) {
        let will = peers[bed][index].monitor.presence(.offline(.lost), now)
        peers[bed][index].link = link
        peers[bed][index].held = []
        inFlight.append((now + delay, will, false))
    }

    private mutating func restoreBroker() {
        brokerBackAt = nil
        handle(ward.brokerChanged(.connected, at: moment))
        for bed in peers.indices {
            for index in peers[bed].indices
            where peers[bed][index].link != .killed && peers[bed][index].link != .stopped {
                peers[bed][index].restoredAt = nil
                connect(bed, index)
            }
        }
    }

    /// A story for a bed: an alarm, a killed monitor, a closed one, a clock that is off, a second monitor.
    mutating func raise(_ bed: Int) {
        switch bed {
        case 1: lose(bed, 0, .killed, will: 100)
        case 2:
            let closed = peers[bed][0].monitor.presence(.offline(.closed), now)
            send(closed, bed, 0)
            peers[bed][0].link = .killed
        case 3: peers[bed][0].monitor.wallSkew = 4000
        default:
            let alarm = peers[bed][0].monitor.changeAlarm(&random, now)
            send(alarm, bed, 0)
        }
    }

    /// One fault, of any kind.
    mutating func fault() {
        guard let fault = Fault.allCases.randomElement(using: &random) else { return }
        faultCount += 1
        counts[fault, default: 0] += 1
        let bed = Int.random(in: 0..<peers.count, using: &random)
        let length = Int64.random(in: 300...20_000, using: &random)
        let isUp = peers[bed][0].link == .up
        switch fault {
        case .loseMessage: loseNext = true
        case .delayMessage: delayNext = Int64.random(in: 50...30_000, using: &random)
        case .doubleMessage: doubleNext = Int64.random(in: 1...60_000, using: &random)
        case .doubleOldMessage:
            if let message = old.randomElement(using: &random) { inFlight.append((now, message, false)) }
        case .retainedByStranger:
            guard var message = old.randomElement(using: &random) else { return }
            message.isRetained = true
            inFlight.append((now, message, false))
        case .hang where isUp: (peers[bed][0].link, peers[bed][0].restoredAt) = (.hanging, now + length)
        case .drop where isUp:
            lose(bed, 0, .down, will: Int64.random(in: 0...7500, using: &random))
            peers[bed][0].restoredAt = now + length
        case .stop where isUp: (peers[bed][0].link, peers[bed][0].restoredAt) = (.stopped, now + length)
        case .kill where isUp:
            lose(bed, 0, .killed, will: 0)
            peers[bed][0].restoredAt = now + length
        case .lateWill where isUp:
            lose(bed, 0, .down, will: Int64.random(in: 5000...60_000, using: &random))
            peers[bed][0].restoredAt = now + 500
        case .broker where isBrokerUp && Int.random(in: 0..<4, using: &random) == 0:
            brokerBackAt = now + length
            inFlight = []
            requests = []
            handle(ward.brokerChanged(.lost("the broker ended the connection"), at: moment))
            for bed in peers.indices {
                for index in peers[bed].indices where peers[bed][index].link == .hanging {
                    peers[bed][index].link = .down
                    peers[bed][index].held = []
                }
            }
        case .wallClock: peers[bed][0].monitor.wallSkew = Int64.random(in: -3_600_000...3_600_000, using: &random)
        case .twin where peers[bed].count == 1 && isBrokerUp:
            let monitor = SimulatedMonitor(
                beds[bed], host: "twin\(bed)", session: WardToken(random: &random), bootOffset: 3_000_000,
                partsPerMillion: 0, phase: bed * 50 + 100, at: now)
            peers[bed].append(Peer(monitor: monitor))
            connect(bed, 1)
        case .twin where peers[bed].count == 2:
            lose(bed, 1, .killed, will: Int64.random(in: 0...9000, using: &random))
        case .alarm:
            for index in peers[bed].indices
            where peers[bed][index].link != .killed && peers[bed][index].link != .stopped {
                let message = peers[bed][index].monitor.changeAlarm(&random, now)
                send(message, bed, index)
            }
        case .loseRequest: loseRequest = true
        case .nonsense:
            guard var message = old.randomElement(using: &random), !message.payload.isEmpty else { return }
            for _ in 0..<3 {
                message.payload[Int.random(in: 0..<message.payload.count, using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            message.session = nil
            // A changed number may be a valid message of a liar; only what cannot be read is a fault of the network.
            if (try? WardDecoder.decode(message.topic.subject, message.payload)) == nil {
                inFlight.append((now, message, false))
            }
        case .hang, .drop, .stop, .kill, .lateWill, .broker, .twin: break
        }
    }

    /// Ends all faults; what is still on its way comes as it would.
    mutating func heal() {
        (loseNext, loseRequest, delayNext, doubleNext) = (false, false, nil, nil)
        if brokerBackAt != nil { restoreBroker() }
        for bed in peers.indices {
            if peers[bed].count == 2, peers[bed][1].link != .killed { lose(bed, 1, .killed, will: 0) }
            for index in peers[bed].indices where index == 0 && peers[bed][index].link != .up { restore(bed, index) }
        }
    }
}

extension WardTopic {
    var isSession: Bool { subject == .session }
}
