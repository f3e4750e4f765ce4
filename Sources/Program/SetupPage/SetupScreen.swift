import Appearance
import Base
import Configuration
import Dashboard
import Doctor
import Vitals

/// The page on which a family answers: the steps so far, what is chosen and typed in the present one, and what is seen of
/// the computer and the air.
public struct SetupScreen: Hashable, Sendable {
    /// The answers so far.
    public internal(set) var state: SetupState
    /// What was found on this computer; `nil` while it is looked at.
    public private(set) var checks: [Check]?
    /// The sensors that are heard, in the order in which they were first heard.
    private(set) var heard: [HeardSensor] = []
    /// Why nothing can be heard, with the remedy; `nil` where nothing is known against it.
    private(set) var searchTrouble: String?
    /// Whether the sensors are simulated.
    public var isSimulated = false
    /// How many limits were changed on the screen of the monitor, and hold before those of the file.
    private(set) var changedLimits = 0
    /// The characters to draw with.
    public var glyphs = GlyphSet.braille
    /// A sentence in place of the keys, until the next key.
    public var message: String?

    /// The configuration file.
    let path: String
    /// The commands that bring about each start.
    let commands: [SetupStart: [String]]
    /// The settings with the changes of the present step.
    var desk: SettingsStore
    /// The settings that were changed in the present step.
    var touched: Set<String> = []
    /// The sensors that were answered about in the present step, by address.
    var chosen: [String: RememberedSensor] = [:]
    /// The selected row.
    var selection = 0
    /// What is being typed, for the selected row.
    var prompt: TextPrompt?
    /// Whether it is asked whether to leave without writing.
    var asksToQuit = false
    /// The answers that were taken back, which stand there again when their step comes.
    private var drafts: [SetupStep: SetupAnswer] = [:]

    public struct HeardSensor: Hashable, Sendable {
        /// Its address, name and kind.
        public var identity: SensorIdentity
        /// Its signal strength in dBm; `nil` where it is not known.
        public var strength: Int?
        /// Whether another program, or a monitor that runs, is connected to it.
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

    /// What the program must do.
    public enum Intent: Hashable, Sendable {
        /// Look at the computer again.
        case look
        /// Play a tone by the loudspeaker.
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
    ///   - state: What is there.
    ///   - path: The configuration file.
    ///   - commands: The commands that bring about each start.
    public init(_ state: SetupState, path: String, commands: [SetupStart: [String]]) {
        (self.state, self.path, self.commands) = (state, path, commands)
        desk = SettingsStore(state.settings)
    }

    /// Takes over what was found on this computer; `nil` while it is looked at again.
    ///
    /// - Parameter checks: The checks of the doctor.
    public mutating func found(_ checks: [Check]?) {
        self.checks = checks
        // The first problem is selected, so that its remedy can be read.
        if state.step == .look { selection = 0 }
    }

    /// Takes over what the patient's store remembers.
    ///
    /// - Parameters:
    ///   - sensors: The sensors.
    ///   - changedLimits: How many limits were changed on the screen of the monitor.
    public mutating func learn(_ sensors: [RememberedSensor], changedLimits: Int) {
        keepingSelection {
            $0.state.remembered = sensors
            $0.changedLimits = changedLimits
        }
    }

    /// Takes over what is heard.
    ///
    /// - Parameters:
    ///   - sensors: The sensors, in the order in which they were first heard.
    ///   - trouble: Why nothing can be heard, with the remedy.
    public mutating func heard(_ sensors: [HeardSensor], trouble: String?) {
        keepingSelection {
            $0.heard = sensors
            $0.searchTrouble = trouble
        }
    }

    /// Changes rows without moving the user's selection to another one.
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
        /// The end of the step: its answer holds.
        case next
        /// The end of the step: nothing of it holds.
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

    /// The addresses of the sensors: first those that are remembered, then those that are heard.
    private var addresses: [String] {
        var addresses = state.remembered.map(\.address)
        addresses += heard.map(\.identity.address).filter { !addresses.contains($0) }
        return addresses
    }

    /// What will be remembered of a sensor; `nil` for one that neither was nor is chosen.
    func sensor(_ address: String) -> RememberedSensor? {
        chosen[address] ?? state.remembered.first { $0.address == address }
    }

    /// A setting as the page of settings shows it.
    func item(_ field: SetupField) -> SettingItem? { desk.items.first { $0.name == field.settings[0] } }

    // MARK: Steps

    /// What was changed in the step.
    private var draft: SetupAnswer {
        var values: [String: ConfigurationValue] = [:]
        for name in touched { values[name] = SettingTable.setting(named: name)?.value(in: desk.settings) }
        return SetupAnswer(values: values, sensors: chosen.values.sorted { $0.address < $1.address })
    }

    /// Answers the step with what was changed in it.
    mutating func answer() { answer(draft) }

    mutating func answer(_ answer: SetupAnswer) {
        let step = state.step
        do throws(ConfigurationError) {
            try state.answer(answer)
        } catch {
            message = plain(error.reason)
            return
        }
        // Numbers that were typed on top of other limits may not be meant for these.
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
        // What is half answered is not lost by looking back.
        drafts[state.step] = draft
        let answer = state.back()
        drafts[state.step] = answer
        enter()
    }

    /// Begins the step, with what was answered there before it was taken back.
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
