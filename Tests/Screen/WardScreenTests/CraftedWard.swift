import Appearance
import Base
import Monitoring
import TestSupport
import TextGrid
import Vitals

@testable import Ward
@testable import WardMessages
@testable import WardScreen

/// A ward of live beds, each with the alarms and values that a test gives it.
struct CraftedWard {
    var ward: WardState
    private(set) var beds: [WardBed] = []
    private var encoder = WardEncoder()
    private var random = SeededGenerator(seed: 21)
    private var sessions: [WardBed: WardToken] = [:]
    private var sequence: Int64 = 0
    /// What the ward has asked of each bed and was not answered.
    private var requests: [WardBed: WardToken] = [:]
    /// Milliseconds since the beginning.
    var now: Int64 = 0
    /// All effects so far.
    var effects: [WardEffect] = []

    init() {
        var settings = WardSettings()
        settings.showsSimulated = true
        ward = WardState(settings: settings, name: WardToken(random: &random), start: FaultyWorld.moment(0))
        _ = ward.brokerChanged(.connected, at: FaultyWorld.moment(0))
    }

    var moment: Moment { FaultyWorld.moment(now) }

    static func alarm(
        _ id: Int, _ kind: AlarmKind, _ vital: Vital? = nil, _ priority: AlarmPriority, isAcknowledged: Bool = false,
        text: String? = nil
    ) -> WardAlarm {
        WardAlarm(
            AlarmReport(
                id: id, kind: kind, priority: priority, state: isAcknowledged ? .acknowledged : .active, vital: vital,
                text: text ?? "\(kind.rawValue) \(vital?.rawValue ?? "")"))
    }

    /// Adds a bed, or gives one other values and alarms.
    @discardableResult
    mutating func bed(
        _ name: String, _ values: [Vital: Int] = [:], alarms: [WardAlarm] = [], isSimulated: Bool = false,
        isReplay: Bool = false
    ) -> WardBed {
        let bed = Self.bed(name)
        var facts = Self.facts
        (facts.isSimulated, facts.isReplay) = (isSimulated, isReplay)
        if sessions[bed] == nil {
            sessions[bed] = WardToken(random: &random)
            beds.append(bed)
            presence(name, .online, facts)
        }
        handle(ward.advance(to: moment))
        sequence += 1
        guard let session = sessions[bed] else { return bed }
        let vitals = values.sorted { $0.key.rawValue < $1.key.rawValue }.map { vital, hundredths in
            WardVital(
                reading: Reading(
                    sensor: SensorIdentity(address: "C0:52:49:00:00:02", name: "Sensor", kind: .other), vital: vital,
                    outcome: .measured(VitalValue(hundredths: hundredths), .good), moment: moment),
                ageMilliseconds: 0, intervalMilliseconds: 1000)
        }
        let birth = WardBirth(
            stamp: WardStamp(
                session: session, sequence: sequence, bootMilliseconds: 1_000_000 + now,
                wallMilliseconds: moment.wallMilliseconds), facts: facts, request: requests.removeValue(forKey: bed),
            vitals: vitals,
            alarms: alarms)
        handle(
            ward.receive(
                topic: WardTopic(bed, .birth).text, payload: encoder.encode(birth), isRetained: false, at: moment))
        return bed
    }

    static func bed(_ name: String) -> WardBed {
        guard let site = WardToken("north"), let token = WardToken(name) else { fatalError("no names") }
        return WardBed(site: site, bed: token)
    }

    private static var facts: WardFacts {
        WardFacts(isSimulated: false, since: 1_772_373_000_000, program: "bedside test", host: "pc")
    }

    /// A presence that the broker has kept: of the bed's session, or of one that was never heard.
    mutating func presence(_ name: String, _ state: WardSession.State, _ facts: WardFacts = Self.facts) {
        let bed = Self.bed(name)
        let session = sessions[bed] ?? WardToken(random: &random)
        let payload = encoder.encode(
            WardSession(session: session, state: state, facts: facts), wallMilliseconds: moment.wallMilliseconds)
        handle(
            ward.receive(topic: WardTopic(bed, .session).text, payload: payload, isRetained: true, at: moment))
    }

    /// A heartbeat of a session that nobody announced: all that a bed without a place needs to be heard.
    mutating func heartbeat(_ name: String) {
        let bed = Self.bed(name)
        let session = sessions[bed] ?? WardToken(random: &random)
        sessions[bed] = session
        sequence += 1
        let stamp = WardStamp(
            session: session, sequence: sequence, bootMilliseconds: 1_000_000 + now,
            wallMilliseconds: moment.wallMilliseconds)
        let payload = encoder.encode(WardHeartbeat(stamp: stamp, alarms: [], sound: .on), isSimulated: false)
        handle(
            ward.receive(topic: WardTopic(bed, .heartbeat).text, payload: payload, isRetained: false, at: moment))
    }

    /// Lets time pass.
    mutating func pass(_ milliseconds: Int64) {
        now += milliseconds
        handle(ward.advance(to: moment))
    }

    private mutating func handle(_ effects: [WardEffect]) {
        self.effects += effects
        for case .publish(let topic, .birth) in effects {
            if case .command(.birth, let asked) = topic.subject { requests[topic.bed] = asked }
        }
    }

    func grid(_ columns: Int, _ rows: Int, _ glyphs: GlyphSet = .braille, _ screen: WardScreenState = .init())
        -> [String]
    {
        var screen = screen
        (screen.glyphs, screen.isMotionReduced) = (glyphs, true)
        let grid = drawWard(ward, screen, size: (columns, rows), now: moment)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }
}

/// Draws the whole ward screen.
func drawWard(
    _ state: WardState, _ screen: WardScreenState, size: (columns: Int, rows: Int), now: Moment
) -> Grid {
    WardFrame(state, screen, size: size, now: now).grid
}

extension WardScreenState {
    /// The beds to show, in their order.
    func shownBeds(_ state: WardState) -> [BedState] { shownPlaces(state).map { state.beds[$0] } }
}
