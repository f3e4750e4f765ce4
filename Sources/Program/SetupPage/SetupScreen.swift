import Appearance
import Base
import Configuration
import Dashboard
import Doctor
import Vitals

/// The page of the first setup: the steps so far, the choices in the present one, and the findings about the computer
/// and the sensors in range.
public struct SetupScreen: Hashable, Sendable {
    /// The answers so far.
    public internal(set) var state: SetupState
    /// The findings about this computer; `nil` while it is being checked.
    public private(set) var checks: [Check]?
    /// The sensors in range, in the order of their first reception.
    private(set) var heard: [HeardSensor] = []
    /// Why no sensors can be received, with the remedy; `nil` if no reason is known.
    private(set) var searchTrouble: String?
    /// Whether the sensors are simulated.
    public var isSimulated = false
    /// The number of limits that were changed on the monitor's screen, which override those of the file.
    private(set) var changedLimits = 0
    /// The characters to draw with.
    public var glyphs = GlyphSet.braille
    /// A sentence in place of the keys, until the next key.
    public var message: String?
    /// Whether a tone has been played here, so that somebody could hear it.
    public var hasSounded = false

    /// Whether it is a trial with simulated sensors, which ends without writing anything.
    let isTrial: Bool
    /// Whether it opened by itself at the first start, before the screen.
    let isFirstStart: Bool
    /// The configuration file.
    let path: String
    /// The commands for each kind of start.
    let commands: [SetupStart: [String]]
    /// The settings with the changes of the present step.
    var desk: SettingsStore
    /// The settings that were changed in the present step.
    var touched: Set<String> = []
    /// The sensors that were answered in the present step, by address.
    var chosen: [String: RememberedSensor] = [:]
    /// The selected row.
    var selection = 0
    /// The input for the selected row.
    var prompt: TextPrompt?
    /// Whether the page asks whether to leave without writing.
    var asksToQuit = false
    /// The answers that were taken back; they are shown again when their step returns.
    private var drafts: [SetupStep: SetupAnswer] = [:]

    public struct HeardSensor: Hashable, Sendable {
        /// Its address, name and kind.
        public var identity: SensorIdentity
        /// Its signal strength in dBm; `nil` where it is not known.
        public var strength: Int?
        /// Whether another program, or a running monitor, is connected to it.
        public var isTaken: Bool

        /// Creates a sensor.
        ///
        /// - Parameters:
        ///   - identity: Its address, name and kind.
        ///   - strength: Its signal strength in dBm.
        ///   - isTaken: Whether another program is connected to it.
        public init(_ identity: SensorIdentity, strength: Int?, isTaken: Bool) {
            (self.identity, self.strength, self.isTaken) = (identity, strength, isTaken)
        }
    }

    /// A request to the program.
    public enum Wish: Hashable, Sendable {
        /// Check the computer again.
        case look
        /// Play a test tone through the loudspeaker.
        case playTone
        /// Ring the terminal's bell.
        case ringBell
        /// Write everything, and end.
        case write
        /// End, and write nothing.
        case quit
    }

    /// Begins at the first step.
    ///
    /// - Parameters:
    ///   - state: The existing configuration.
    ///   - path: The configuration file.
    ///   - commands: The commands for each kind of start.
    ///   - isTrial: Whether it is a trial with simulated sensors, which ends without writing anything.
    ///   - isFirstStart: Whether it opened by itself at the first start, before the screen.
    public init(
        _ state: SetupState, path: String, commands: [SetupStart: [String]], isTrial: Bool = false,
        isFirstStart: Bool = false
    ) {
        (self.state, self.path, self.commands, self.isTrial) = (state, path, commands, isTrial)
        self.isFirstStart = isFirstStart
        isSimulated = isTrial
        desk = SettingsStore(state.settings)
    }

    /// Whether the last step ends without writing.
    var writesNothing: Bool { isTrial || state.changesNothing }

    /// Sets the findings about this computer; `nil` while it is being checked again.
    ///
    /// - Parameter checks: The checks of the doctor.
    public mutating func found(_ checks: [Check]?) {
        self.checks = checks
        // The first problem is selected, so that its remedy can be read.
        if state.step == .look { selection = 0 }
    }

    /// Sets the data from the patient's store.
    ///
    /// - Parameters:
    ///   - sensors: The remembered sensors.
    ///   - changedLimits: The number of limits that were changed on the monitor's screen.
    public mutating func learn(_ sensors: [RememberedSensor], changedLimits: Int) {
        keepingSelection {
            $0.state.remembered = sensors
            $0.changedLimits = changedLimits
        }
    }

    /// Sets the sensors in range.
    ///
    /// - Parameters:
    ///   - sensors: The sensors, in the order of their first reception.
    ///   - trouble: Why no sensors can be received, with the remedy.
    public mutating func heard(_ sensors: [HeardSensor], trouble: String?) {
        keepingSelection {
            $0.heard = sensors
            $0.searchTrouble = trouble
        }
    }

    /// Changes rows, and keeps the selected row selected.
    private mutating func keepingSelection(_ change: (inout SetupScreen) -> Void) {
        let row = selected
        change(&self)
        if let index = rows.firstIndex(of: row) { selection = index }
    }

    // MARK: Rows

    /// A row that can be selected.
    enum Row: Hashable {
        case check(Check)
        case lookAgain
        case sensor(String)
        case field(SetupField)
        case profile(SetupProfile)
        case start(SetupStart)
        case playTone, ringBell
        case line(String)
        case write
        /// The end of the step, with its answer.
        case next
        /// The end of the step, without its answer.
        case leave
    }

    /// The rows of the step, from the top.
    var rows: [Row] {
        switch state.step {
        case .look:
            guard let checks else { return [.next] }
            let problems = checks.filter { $0.verdict > .ok }.sorted { $0.verdict > $1.verdict }
            return problems.map(Row.check) + (problems.isEmpty ? [.next, .lookAgain] : [.lookAgain, .next])
        case .sensors: return addresses.map(Row.sensor) + [.next]
        case .patient, .units, .limits: return state.step.fields.map(Row.field) + [.next]
        case .alarms: return state.step.fields.map(Row.field) + [.playTone, .ringBell, .next]
        case .profile: return SetupProfile.allCases.map(Row.profile) + [.leave]
        case .start: return SetupStart.allCases.map(Row.start) + [.leave]
        case .review:
            let plan = state.plan(path: path) { commands[$0] ?? [] }
            return [.write] + plan.map(Row.line)
        }
    }

    var selected: Row {
        let rows = rows
        return rows[min(max(0, selection), rows.count - 1)]
    }

    /// The addresses of the sensors: first the remembered ones, then those in range.
    private var addresses: [String] {
        var addresses = state.remembered.map(\.address)
        addresses += heard.map(\.identity.address).filter { !addresses.contains($0) }
        return addresses
    }

    /// The sensor as it will be remembered; `nil` for one that was neither remembered nor chosen.
    func sensor(_ address: String) -> RememberedSensor? {
        chosen[address] ?? state.remembered.first { $0.address == address }
    }

    /// A setting as the page of settings shows it.
    func item(_ field: SetupField) -> SettingItem? { desk.items.first { $0.name == field.settings[0] } }

    // MARK: Steps

    /// The answer in the present step so far.
    private var draft: SetupAnswer {
        var values: [String: ConfigurationValue] = [:]
        for name in touched { values[name] = SettingTable.setting(named: name)?.value(in: desk.settings) }
        return SetupAnswer(values: values, sensors: chosen.values.sorted { $0.address < $1.address })
    }

    /// Answers the step with the changes in it.
    mutating func answer() { answer(draft) }

    mutating func answer(_ answer: SetupAnswer) {
        let step = state.step
        do throws(ConfigurationError) {
            try state.answer(answer)
        } catch {
            message = plain(error.reason)
            return
        }
        // Numbers that were typed for other limits may not be intended for these.
        if step == .profile, drafts[.profile] != answer { drafts[.limits] = nil }
        drafts[step] = nil
        enter()
    }

    mutating func skip() {
        drafts[state.step] = nil
        state.skip()
        enter()
    }

    mutating func back() {
        guard state.step != .look else {
            message = "This is the first step."
            return
        }
        // Looking back keeps incomplete answers.
        drafts[state.step] = draft
        let answer = state.back()
        drafts[state.step] = answer
        enter()
    }

    /// Begins the step, with its answer from before it was taken back.
    private mutating func enter() {
        let draft = drafts[state.step] ?? SetupAnswer()
        desk = SettingsStore(state.settings)
        for (name, value) in draft.values { _ = try? desk.change(name, .text(value.literal)) }
        touched = Set(draft.values.keys)
        chosen = Dictionary(draft.sensors.map { ($0.address, $0) }) { $1 }
        selection =
            rows.firstIndex { row in
                row == draft.profile.map(Row.profile) || row == draft.start.map(Row.start)
            } ?? 0
        (prompt, asksToQuit) = (nil, false)
    }
}
