import Base
import Configuration
import Vitals

/// The first setup: the existing configuration, the answers so far, and the result.
///
/// A value. Every step is answered or skipped, and ``back()`` takes the last one back; nothing is written here.
public struct SetupState: Hashable, Sendable {
    /// The existing configuration file.
    public let document: ConfigurationDocument
    /// The settings in the file.
    public let present: Settings
    public var remembered: [RememberedSensor] = []
    /// The answers of the steps so far; `nil` for a step that was skipped.
    public private(set) var answers: [SetupAnswer?] = []

    /// Begins with the existing configuration.
    ///
    /// - Parameter document: The configuration file; an empty document if there is none.
    /// - Throws: All errors in the file.
    public init(_ document: ConfigurationDocument) throws(ConfigurationErrors) {
        self.document = document
        present = try Settings(document)
    }

    /// The present step.
    public var step: SetupStep { SetupStep(rawValue: answers.count) ?? .review }

    /// Answers the step, and goes to the next one; the last step has no answer.
    ///
    /// - Throws: Contradictions to the settings answered so far.
    public mutating func answer(_ answer: SetupAnswer) throws(ConfigurationError) {
        guard step != .review else { return }
        var next = self
        next.answers.append(answer)
        if let contradiction = try next.readSettings().contradiction {
            throw ConfigurationError(TextPosition(line: 1, column: 1), contradiction)
        }
        self = next
    }

    /// Leaves the settings of the step unchanged, and goes to the next one.
    public mutating func skip() {
        if step != .review { answers.append(nil) }
    }

    /// Goes back a step and takes back its answer.
    ///
    /// - Returns: The answer; `nil` for a skipped step, and at the first step.
    @discardableResult
    public mutating func back() -> SetupAnswer? { answers.popLast() ?? nil }

    // MARK: What follows

    private var given: [SetupAnswer] { answers.compactMap { $0 } }

    /// The answered values of settings, by name.
    public var values: [String: ConfigurationValue] {
        given.reduce(into: [:]) { $0.merge($1.values) { $1 } }
    }

    /// Who the limits are for; `nil` while that is not answered.
    public var profile: SetupProfile? { given.compactMap(\.profile).last }

    /// When a monitor starts automatically; `nil` to change nothing.
    public var start: SetupStart? { given.compactMap(\.start).last }

    /// The settings with all answers.
    public var settings: Settings { (try? readSettings()) ?? present }

    private func readSettings() throws(ConfigurationError) -> Settings {
        var settings = present
        for (name, value) in values { try SettingTable.setting(named: name)?.set(value.literal, in: &settings) }
        return settings
    }

    /// The file with all answers: nothing else changes in it, and new keys have their explanation above them.
    public var newDocument: ConfigurationDocument {
        let (values, order) = (values, SettingTable.order(for: settings))
        var changed = document
        for setting in SettingTable.settings(for: settings) {
            guard let value = values[setting.name], document.value(of: setting.key, in: setting.section) != value else {
                continue
            }
            changed.set(setting.key, in: setting.section, to: value, comment: setting.comment, order: order)
        }
        return changed
    }

    /// The sensors to remember: the answered ones, and for another patient all chosen ones.
    public var newSensors: [RememberedSensor] {
        let answered = given.flatMap(\.sensors)
        guard settings.patient.name != present.patient.name else { return answered.filter { !remembered.contains($0) } }
        let addresses = Set(answered.map(\.address))
        return (remembered.filter { !addresses.contains($0.address) } + answered).filter { $0.isWanted == true }
    }

    /// Whether there is nothing to write or to do.
    public var changesNothing: Bool { newDocument == document && newSensors.isEmpty && start == nil }

    /// The planned changes, line by line: the lines of the file without their explanations and with their old values,
    /// the sensors, and the commands.
    ///
    /// - Parameters:
    ///   - path: The configuration file.
    ///   - commands: The commands for each kind of start.
    public func plan(path: String, commands: (SetupStart) -> [String]) -> [String] {
        var lines: [String] = []
        let (values, sensors) = (values, newSensors)
        for (section, keys) in SettingTable.order(for: settings) {
            let entries = keys.compactMap { key -> String? in
                let old = document.value(of: key, in: section)
                guard let value = values["\(section).\(key)"], value != old else { return nil }
                return "  \(key) = \(value.literal)" + (old.map { "   (was \($0.literal))" } ?? "")
            }
            if entries.isEmpty { continue }
            if lines.isEmpty { lines.append("In \(path):") }
            lines += ["  [\(section)]"] + entries
        }
        if !sensors.isEmpty { lines.append("Sensors to remember:") }
        for sensor in sensors {
            let name = sensor.label ?? sensor.name
            let wish = sensor.isWanted == true ? "connect" : "leave alone"
            lines.append("  \(wish) \(name)" + (name == sensor.address ? "" : " (\(sensor.address))"))
        }
        if let start {
            lines.append("Commands to run:")
            lines += commands(start).map { "  \($0)" }
        }
        if profile == .child, !SetupField.limits.contains(where: { $0.settings.contains { values[$0] != nil } }) {
            lines.append("The limits stay as they are: they are not a child's unless you have typed them.")
        }
        if lines.isEmpty { lines.append("Nothing changes.") }
        if !expectsSensor {
            lines.append("No sensor is to be connected: nothing is monitored until you connect one on the screen.")
        }
        return lines
    }

    /// Whether a monitor that starts with all answers should connect any sensor.
    private var expectsSensor: Bool {
        if !settings.sensors.connect.isEmpty { return true }
        let (new, isOther) = (newSensors, settings.patient.name != present.patient.name)
        let old = isOther ? [] : remembered.filter { sensor in !new.contains { $0.address == sensor.address } }
        return (old + new).contains { $0.isWanted == true }
    }
}
