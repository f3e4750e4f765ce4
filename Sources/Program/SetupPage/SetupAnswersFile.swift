import Base
import BluetoothValues
import Configuration
import Vitals

/// An administrator's answers in a file: sections and keys as in the configuration, and a section `[setup]`.
public struct SetupAnswersFile: Hashable, Sendable {
    /// The answered values of settings, by name.
    public private(set) var values: [String: ConfigurationValue] = [:]
    /// Addresses and labels of sensors to remember; a label may be `nil`.
    public private(set) var sensors: [Sensor] = []
    /// Who the limits are for.
    public private(set) var profile: SetupProfile?
    /// When a monitor starts automatically.
    public private(set) var start: SetupStart?

    /// A sensor to remember.
    public struct Sensor: Hashable, Sendable {
        /// Its address, in upper case.
        public var address: String
        /// Its label.
        public var label: String?
    }

    /// The section that does not exist in the configuration.
    static let section = "setup"
    /// The greatest number of sensors.
    static let sensorLimit = 64
    private static let keys = ["profile", "start", "sensors"]

    /// Reads a file.
    ///
    /// - Throws: All errors in the file, with line and column.
    public init(_ document: ConfigurationDocument) throws(ConfigurationErrors) {
        var settings: ConfigurationErrors?
        do throws(ConfigurationErrors) {
            _ = try Settings(document, besides: Self.section)
        } catch {
            settings = error
        }
        var errors = settings?.list ?? []
        for entry in document.entries {
            if entry.section == Self.section {
                do throws(ConfigurationError) {
                    try read(entry)
                } catch {
                    errors.append(error)
                }
            } else if let setting = SettingTable.setting(entry.key, in: entry.section) {
                values[setting.name] = entry.value
            }
        }
        if let errors = ConfigurationErrors(errors) { throw errors }
    }

    private mutating func read(_ entry: ConfigurationDocument.Entry) throws(ConfigurationError) {
        switch entry.key {
        case "profile": profile = try Self.word(entry)
        case "start": start = try Self.word(entry)
        case "sensors": sensors = try Self.sensors(entry)
        default:
            let hint = nearestWord(to: entry.key, among: Self.keys).map { "did you mean '\($0)'?" }
            throw ConfigurationError(
                entry.keyPosition,
                "there is no key '\(entry.key)' in [\(Self.section)]; "
                    + (hint ?? "there are \(Self.keys.joined(separator: ", "))"))
        }
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ entry: ConfigurationDocument.Entry
    ) throws(ConfigurationError) -> Word where Word.RawValue == String {
        if case .text(let text) = entry.value, let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw ConfigurationError(
            entry.valuePosition, "\(entry.key): expected one of \(words), found \(entry.value.shownLiteral)")
    }

    private static func sensors(_ entry: ConfigurationDocument.Entry) throws(ConfigurationError) -> [Sensor] {
        let form = "a list such as [{ address = \"A0:9E:1A:00:00:01\", label = \"Strap\" }]"
        guard case .list(let values) = entry.value, values.count <= sensorLimit else {
            throw ConfigurationError(
                entry.valuePosition, "sensors: expected \(form), of \(sensorLimit) sensors at most")
        }
        var sensors: [Sensor] = []
        for value in values {
            guard case .table(let table) = value else {
                throw ConfigurationError(
                    entry.valuePosition, "sensors: expected \(form), found \(value.shownLiteral) in it")
            }
            let sensor = try sensor(table, at: entry.valuePosition)
            if sensors.contains(where: { $0.address == sensor.address }) {
                throw ConfigurationError(entry.valuePosition, "sensors: \(sensor.address) is there twice")
            }
            sensors.append(sensor)
        }
        return sensors
    }

    private static func sensor(
        _ table: ConfigurationTable, at position: TextPosition
    ) throws(ConfigurationError) -> Sensor {
        for member in table.members where !["address", "label"].contains(member.key) {
            throw ConfigurationError(
                member.keyPosition, "a sensor has address and label, not '\(member.key)'")
        }
        guard let member = table["address"] else {
            throw ConfigurationError(position, "sensors: a sensor has no address")
        }
        guard case .text(let text) = member.value, let address = BluetoothAddress(text) else {
            throw ConfigurationError(
                member.valuePosition,
                "address: expected a Bluetooth address such as \"A0:9E:1A:00:00:01\", found \(member.value.shownLiteral)"
            )
        }
        guard let label = table["label"] else { return Sensor(address: address.description, label: nil) }
        guard case .text(let text) = label.value, text.unicodeScalars.count <= RememberedSensor.labelLimit else {
            throw ConfigurationError(
                label.valuePosition, "label: expected a text of at most \(RememberedSensor.labelLimit) characters")
        }
        return Sensor(address: address.description, label: text)
    }
}

extension SetupState {
    /// Goes through all steps with the answers of a file; steps without answers are skipped.
    ///
    /// - Throws: Contradictions to the settings answered so far.
    public mutating func answer(_ file: SetupAnswersFile) throws(ConfigurationError) {
        while step != .review {
            switch step {
            case .sensors where !file.sensors.isEmpty:
                try answer(SetupAnswer(sensors: file.sensors.map(remembered)))
            // Values in the file have precedence over those of the profile; both together must not contradict each
            // other.
            case .profile where file.profile != nil || !file.values.isEmpty:
                let values = (file.profile?.values ?? [:]).merging(file.values) { $1 }
                try answer(SetupAnswer(values: values, profile: file.profile))
            case .start where file.start != nil: try answer(SetupAnswer(start: file.start))
            default: skip()
            }
        }
    }

    private func remembered(_ sensor: SetupAnswersFile.Sensor) -> RememberedSensor {
        // A sensor that is not in range reports its name and kind when it is connected.
        var wanted =
            remembered.first { $0.address == sensor.address }
            ?? RememberedSensor(address: sensor.address, name: sensor.address, kind: .other, isWanted: true)
        wanted.isWanted = true
        if let label = sensor.label { wanted.setLabel(label) }
        return wanted
    }
}
