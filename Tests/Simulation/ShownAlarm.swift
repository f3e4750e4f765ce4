/// An alarm as a frame shows it: in a line of its own, or named in the line of those that have none.
struct ShownAlarm: Hashable {
    /// Whether it is over, or nothing is measured by which it could end.
    enum Standing {
        case present, suspended, over
    }

    /// What it is about, without marks, tick, standing and key: "SpO₂ SEVERELY LOW 83 % < 85 · since 01:59".
    var text: String
    var isAcknowledged: Bool
    var standing: Standing
    /// One mark for low, two for medium, three for high priority; 0 where it is only named.
    var marks: Int
    /// Its title, where it is one of those that nights are about.
    var title: AlarmTitle?
    /// The sensor whose name it has.
    var sensor: SensorTruth.Kind?
    /// Whether "SEVERELY" may have been left out.
    var isShortened: Bool

    /// Reads an alarm's text.
    ///
    /// - Parameters:
    ///   - statement: Its text behind the marks.
    ///   - marks: How many there are.
    init(_ statement: some StringProtocol, marks: Int) {
        var rest = Substring(statement)
        isAcknowledged = rest.dropPrefix("✓ ")
        standing = .present
        for (word, standing) in [("susp. ", Standing.suspended), ("suspended ", .suspended), ("over ", .over)]
        where rest.dropPrefix(word) {
            self.standing = standing
        }
        let text = String(rest)
        self.text = text
        self.marks = marks
        if marks > 0 {
            if text.contains(" · susp") { standing = .suspended }
            if text.contains(" · over") { standing = .over }
        }
        title = AlarmTitle.longestFirst.first { text.hasPrefix($0.rawValue) }
        sensor = SensorTruth.Kind.allCases.first { text.contains($0.calledOnScreen) }
        // Where there is room for the sensor's name, the title is not shortened.
        isShortened = marks == 0 && sensor == nil
    }

    /// Whether its value is within its limits again, and it has only not ended yet; it makes no sound then.
    var isBack: Bool { standing == .present && text.contains(" now ") }

    /// Whether it may be an alarm of a title.
    func isPossibly(_ title: AlarmTitle) -> Bool {
        self.title == title || isShortened && self.title == title.shortened
    }
}

/// The titles of the alarms that nights are about, as the articles have them.
enum AlarmTitle: String, CaseIterable {
    case saturationSeverelyLow = "SpO₂ SEVERELY LOW"
    case saturationLow = "SpO₂ LOW"
    case rateSeverelyHigh = "HR SEVERELY HIGH"
    case rateHigh = "HR HIGH"
    case rateSeverelyLow = "HR SEVERELY LOW"
    case rateLow = "HR LOW"
    case fever = "FEVER"
    case sustainedFever = "SUSTAINED FEVER"
    case temperatureHigh = "TEMP HIGH"
    case temperatureLow = "TEMP LOW"
    case sensorOff = "SENSOR OFF"
    case noMeasurement = "NO MEASUREMENT"
    case sensorSilent = "SENSOR SILENT"
    case linkLost = "LINK LOST"
    case noBus = "NO MESSAGE BUS"
    case busSilent = "BUS DOES NOT ANSWER"
    case notRunning = "BLUETOOTH NOT RUNNING"
    case bluetoothSilent = "BLUETOOTH DOES NOT ANSWER"
    case refused = "BLUETOOTH REFUSES US"
    case isOff = "BLUETOOTH IS OFF"
    case blocked = "BLUETOOTH BLOCKED"
    case noAdapter = "NO BLUETOOTH ADAPTER"
    case notUsable = "BLUETOOTH ADAPTER NOT USABLE"
    case storage = "STORAGE"
    case clockSet = "CLOCK WAS SET"
    case notMonitored = "NOT MONITORED"

    /// Of two titles of which one begins with the other, the longer one comes first.
    static let longestFirst = allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }

    /// The title where there is no room for the information that the marks give.
    var shortened: AlarmTitle? {
        switch self {
        case .saturationSeverelyLow: .saturationLow
        case .rateSeverelyHigh: .rateHigh
        case .rateSeverelyLow: .rateLow
        default: self
        }
    }

    /// What says why a sensor's value is missing.
    static let aboutAbsence: [AlarmTitle] = [.sensorOff, .noMeasurement, .sensorSilent, .linkLost]

    /// What says that Bluetooth cannot be used.
    static let aboutBluetooth: [AlarmTitle] = [
        .noBus, .busSilent, .notRunning, .bluetoothSilent, .refused, .isOff, .blocked, .noAdapter,
        .notUsable,
    ]
}

extension SensorTruth.Kind {
    /// The name of the sensor, as a night's scenario gives it.
    var calledOnScreen: String {
        switch self {
        case .thermometer: "CORE 1A"
        case .strap: "Polar H10 1234"
        case .oximeter: "e-Oximeter"
        }
    }
}

/// All that a frame shows of alarms.
struct ShownAlarms {
    /// The alarms with a line, then those that are only named, in their order.
    var named: [ShownAlarm] = []
    /// How many are counted, and not named.
    var unnamed = 0

    /// Reads the lines of alarms of a frame.
    init(_ rows: [[UInt8]]) {
        for row in rows where Self.marks.contains(where: row.starts(with:)) {
            let text = String(decoding: row, as: UTF8.self)
            let marked = text.drop { $0 == " " }
            let marks = marked.prefix { $0 == "▲" }.count
            let parts = Self.parts(marked.dropFirst(marks))
            if parts.left.hasPrefix("+") {
                readSummary(parts.left)
            } else if parts.right.contains("[a]") || parts.right.contains("acknowledged") {
                named.insert(ShownAlarm(parts.left, marks: marks), at: named.count { $0.marks > 0 })
                readSummary(parts.right)
            }
        }
    }

    /// The beginnings of such a line.
    private static let marks = [" ▲", "▲"].map { Array($0.utf8) }

    /// What stands at the left of a line, and at its right.
    private static func parts(_ line: Substring) -> (left: Substring, right: Substring) {
        let line = line.drop { $0 == " " }
        guard let gap = line.firstRange(of: "  ") else { return (line, "") }
        return (line[..<gap.lowerBound], line[gap.upperBound...].drop { $0 == " " })
    }

    /// Reads "+2 more: LINK LOST e-Oximeter · STORAGE  [a]".
    private mutating func readSummary(_ text: Substring) {
        guard text.first == "+" else { return }
        let (count, rest) = (Int(text.dropFirst().prefix { $0.isNumber }) ?? 0, Self.parts(text).left)
        let names = rest.firstRange(of: ": ").map { rest[$0.upperBound...] } ?? ""
        let alarms = names.split(separator: " · ").filter { !$0.hasSuffix("…") }.map { ShownAlarm($0, marks: 0) }
        named += alarms
        unnamed = max(0, count - alarms.count)
    }

    /// Whether an alarm of one of these titles is shown, or may be among those that are only counted.
    ///
    /// - Parameters:
    ///   - sensor: The sensor that it must have, if it has one.
    ///   - marks: Its marks; behind a lesser alarm none of them may stand.
    func show(_ titles: [AlarmTitle], of sensor: SensorTruth.Kind? = nil, marks: Int = 1) -> Bool {
        if unnamed > 0, named.allSatisfy({ $0.marks == 0 || $0.marks >= marks }) { return true }
        return named.contains { alarm in
            titles.contains(where: alarm.isPossibly) && (sensor == nil || alarm.sensor == nil || alarm.sensor == sensor)
        }
    }
}

extension Substring {
    /// Leaves out a beginning.
    ///
    /// - Returns: Whether it was there.
    fileprivate mutating func dropPrefix(_ beginning: String) -> Bool {
        guard hasPrefix(beginning) else { return false }
        self = dropFirst(beginning.count)
        return true
    }
}
