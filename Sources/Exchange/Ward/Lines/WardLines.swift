import Formats
import Monitoring
import Vitals
import WardMessages

/// Writes the ward's state as lines for programs: one JSON object for each change.
///
/// The objects are those of the beds' messages and of `bedside watch --json`, with the bed. A reading is written only
/// while it is present, or absent for a reason, by the rules of the screen; when it no longer is, a line without a
/// value follows.
public struct WardLines {
    var encoder = WardEncoder()
    private var broker: BrokerLink?
    private var beds: [WardBed: WrittenBed] = [:]
    /// The links of beds without a place, and their version.
    private var unplaced: (links: [WardBed: BedLink], version: Int) = ([:], 0)

    /// A reader's state of a bed from the lines so far.
    private struct WrittenBed {
        var facts: BedFacts
        var vitals: [Vital: WrittenVital] = [:]
        var pressure: RecordEntry?
    }

    /// The facts in the line of a bed; a change causes another line.
    private struct BedFacts: Equatable {
        var link: BedLink
        var session: WardToken?
        var patient: String?
        var isSimulated: Bool
        var sound: String
        var claimants: [String]
        /// In whole seconds, from the shown difference on.
        var skew: Int64
    }

    private enum WrittenVital: Equatable {
        case reading(Reading)
        case stale, lost, unknown
    }

    public init() {}

    /// Whether no lines wait.
    public var isEmpty: Bool { encoder.watch.isEmpty }

    /// Passes the lines so far to `body` and removes them.
    public mutating func takeLines<Result>(_ body: ([UInt8]) throws -> Result) rethrows -> Result {
        try encoder.watch.takeLines(body)
    }

    /// Writes the lines for the changes.
    ///
    /// - Parameters:
    ///   - effects: The effects of the change.
    ///   - state: The ward after it.
    ///   - bed: The changed bed; `nil` for all beds.
    ///   - now: The present moment.
    public mutating func write(_ effects: [WardEffect], _ state: WardState, of bed: WardBed?, at now: Moment) {
        if broker != state.broker { write(state.broker, at: now) }
        if unplaced.version != state.unplaced.version { write(state.unplaced, at: now) }
        if let bed {
            if let bed = state[bed] { write(bed, state.settings, at: now) }
        } else {
            for bed in state.beds { write(bed, state.settings, at: now) }
        }
        for effect in effects {
            switch effect {
            case .logged(let entry): write(entry, session: entry.bed.flatMap { state[$0]?.current })
            case .warning(let sentence):
                begin("warning", now)
                encoder.watch.text("text", sentence)
                encoder.watch.end()
            case .publish: break
            }
        }
    }

    /// Writes the line that replaces lines dropped because the reader was too slow.
    ///
    /// - Parameters:
    ///   - count: The number of dropped lines.
    ///   - from: The time of the first dropped line.
    ///   - to: The time of the last dropped line.
    public mutating func writeLoss(ofLines count: Int, from: Moment, to: Moment) {
        encoder.mark(false, false)
        encoder.watch.writeLoss(ofLines: count, from: from, to: to)
        // Lost lines are written anew with the next change.
        (broker, beds, unplaced) = (nil, [:], ([:], -1))
    }

    // MARK: The lines

    private mutating func write(_ link: BrokerLink, at now: Moment) {
        broker = link
        begin("broker", now)
        switch link {
        case .connecting: encoder.watch.text("state", "connecting")
        case .connected: encoder.watch.text("state", "connected")
        case .lost(let reason):
            encoder.watch.text("state", "lost")
            encoder.watch.text("reason", reason)
        }
        encoder.watch.end()
    }

    /// Writes what is known of beds that have no place; of one that gets a place its own line tells.
    private mutating func write(_ unplaced: UnplacedBeds, at now: Moment) {
        let links = unplaced.links
        for (bed, link) in links.sorted(by: { $0.key < $1.key }) where self.unplaced.links[bed] != link {
            beds[bed] = nil
            begin("bed", now)
            encoder.watch.text("state", link.rawValue)
            write(bed)
            encoder.watch.end()
        }
        self.unplaced = (links, unplaced.version)
    }

    private mutating func write(_ bed: BedState, _ settings: WardSettings, at now: Moment) {
        let facts = facts(of: bed)
        if beds[bed.bed]?.facts != facts {
            beds[bed.bed, default: WrittenBed(facts: facts)].facts = facts
            write(facts, of: bed, at: now)
        }
        for vital in Vital.allCases { write(vital, of: bed, settings, at: now) }
        writePressure(of: bed, at: now)
    }

    private mutating func writePressure(of bed: BedState, at now: Moment) {
        guard let shown = bed.shownPressure(at: now) else {
            if beds[bed.bed]?.pressure != nil { writeFreshness("blood_pressure", "unknown", of: bed, at: now) }
            beds[bed.bed]?.pressure = nil
            return
        }
        guard let age = shown.age, beds[bed.bed]?.pressure != shown.entry else { return }
        var pressure = shown.held
        pressure.ageMilliseconds = age.nanoseconds / 1_000_000
        beds[bed.bed]?.pressure = shown.entry
        encoder.mark(bed.facts?.isSimulated == true, bed.facts?.isReplay == true)
        encoder.begin(pressure)
        write(bed.bed)
        encoder.watch.end()
    }

    private func facts(of bed: BedState) -> BedFacts {
        let skew = bed.link.isLive ? bed.skewMilliseconds ?? 0 : 0
        let sound =
            switch bed.sound {
            case .on: "on"
            case .paused: "paused"
            case .silent: "silent"
            case .off: "off"
            }
        return BedFacts(
            link: bed.link, session: bed.current, patient: bed.patient, isSimulated: bed.isSimulated, sound: sound,
            claimants: bed.claimants,
            skew: abs(skew) >= BedState.shownSkew ? (skew + (skew < 0 ? -500 : 500)) / 1000 : 0)
    }

    private mutating func write(_ facts: BedFacts, of bed: BedState, at now: Moment) {
        begin("bed", now, bed)
        encoder.watch.text("state", facts.link.rawValue)
        encoder.watch.text("session", facts.session?.text)
        encoder.watch.text("patient", facts.patient)
        if let facts = bed.facts {
            encoder.watch.text("program", facts.program)
            encoder.watch.text("host", facts.host)
        }
        if let heard = bed.lastHeard, !facts.link.isLive {
            encoder.watch.wallTime("last_heard", milliseconds: heard.wallMilliseconds)
        }
        if facts.link.isLive { encoder.watch.text("sound", facts.sound) }
        encoder.watch.number("clock_skew_s", facts.skew == 0 ? nil : Int(clamping: facts.skew))
        if !facts.claimants.isEmpty { encoder.watch.text("monitors", facts.claimants.joined(separator: ", ")) }
        encoder.watch.end()
    }

    private mutating func write(_ vital: Vital, of bed: BedState, _ settings: WardSettings, at now: Moment) {
        let before = beds[bed.bed]?.vitals[vital]
        let after: WrittenVital
        switch bed.shown(vital, at: now, settings) {
        case .present, .absent:
            guard var held = bed.values[vital] else { return }
            after = .reading(held.vital.reading)
            if before == after { return }
            held.vital.ageMilliseconds = bed.age(of: held, at: now) ?? held.vital.ageMilliseconds
            encoder.mark(bed.facts?.isSimulated == true, bed.facts?.isReplay == true)
            encoder.begin(held.vital)
            write(bed.bed)
            encoder.watch.end()
        // A reader that never got a value needs no line about its age.
        case .stale where before != nil: after = .stale
        case .lost where before != nil: after = .lost
        case .none where before != nil, .old where before != nil: after = .unknown
        case .stale, .lost, .none, .old: return
        }
        beds[bed.bed]?.vitals[vital] = after
        let word: String
        switch after {
        case .reading: return
        case .stale: word = "stale"
        case .lost: word = "lost"
        case .unknown: word = "unknown"
        }
        if before == after { return }
        writeFreshness(vital.rawValue, word, of: bed, at: now)
    }

    private mutating func writeFreshness(_ name: String, _ word: String, of bed: BedState, at now: Moment) {
        begin("freshness", now, bed)
        encoder.watch.text("vital", name)
        encoder.watch.text("state", word)
        encoder.watch.end()
    }

    private mutating func write(_ entry: WardLogEntry, session: WardToken?) {
        encoder.mark(false, false)
        switch entry.origin {
        case .bed(let alarm):
            encoder.mark(entry.bed.map { beds[$0]?.facts.isSimulated == true } ?? false, false)
            encoder.begin(alarm, wallMilliseconds: entry.moment.wallMilliseconds)
            encoder.watch.text("session", session?.text)
            encoder.watch.text("origin", "bed")
        case .ward(let kind):
            begin("alarm", entry.moment)
            encoder.watch.text("kind", kind.rawValue)
            encoder.watch.text("class", AlarmClass.technical.rawValue)
            encoder.watch.text("priority", entry.priority.rawValue)
            encoder.watch.text("state", entry.change.rawValue)
            encoder.watch.text("text", entry.text)
            encoder.watch.text("origin", "ward")
        }
        encoder.watch.text("change", entry.change.rawValue)
        if let bed = entry.bed { write(bed) }
        encoder.watch.end()
    }

    // MARK: The parts

    mutating func begin(_ event: String, _ now: Moment, isSimulated: Bool = false, isReplay: Bool = false) {
        encoder.mark(isSimulated, isReplay)
        encoder.watch.begin(event, now, nil)
    }

    private mutating func begin(_ event: String, _ now: Moment, _ bed: BedState) {
        encoder.mark(bed.facts?.isSimulated == true, bed.facts?.isReplay == true)
        encoder.watch.begin(event, now, nil)
        write(bed.bed)
    }

    /// Writes the bed of a line.
    private mutating func write(_ bed: WardBed) {
        encoder.watch.text("ward", bed.site.text)
        encoder.watch.text("bed", bed.bed.text)
    }
}
