import VitalDecoders

/// The commands that control sensors, adapter and bluetoothd while the simulator runs.
///
/// The virtual machine with the real bluetoothd understands the same lines, so one suite of tests drives both.
struct CommandLanguage: Sendable {
    let sensors: [SensorDescription]

    /// Every command with its arguments, for `help`.
    static let help = """
        temp N|nan; unit c|f; stamp on|off; ttype N|off; hr N; contact on|off|none; rr MS...|auto|none; energy N|off; \
        wide on|off; spo2 N|nan; pulse N|nan; spot; battery WHO N; interval WHO S; quiet [WHO]; loud [WHO]; burst WHO \
        N [MS]; raw WHO HEX; off WHO; on WHO; measure WHO; set WHO NAME N; rhythm WHO \
        normal|ectopic|fibrillation; lose WHO N; flood WHO N; restart-clock WHO; drop WHO; bye WHO; vanish [WHO]; return \
        [WHO]; adv WHO on|off; \
        services-changed WHO; refuse WHO N; rssi WHO DBM [JITTER]; rename WHO NAME; rotate WHO [ADDRESS]; pairing WHO \
        yes|no|hang|refuse; forget-bond WHO; dupfilter on|off; unplug; plug; power on|off; rfkill block|unblock; \
        latency S; bluez-stop; bluez-kill; bluez-start; bluez-restart; dbus-stop; dbus-start; permit on|off; sleep S; \
        events [N]; stats; state; help (WHO: temp, hr, spo2, all, an address or a name; left out: all)
        """

    func parse(_ line: String) throws(ControlCommandError) -> Command {
        var words = CommandArguments(line)
        guard let word = words.next() else { throw ControlCommandError(reason: "an empty command") }
        let command = try parse(word.lowercased(), &words)
        if let rest = words.next() { throw ControlCommandError(reason: "'\(word)' does not take '\(rest)'") }
        return command
    }

    private func parse(_ word: String, _ words: inout CommandArguments) throws(ControlCommandError) -> Command {
        switch word {
        case "state": return .state
        case "help": return .help
        case "stats": return .statistics
        case "events": return .events(words.isAtEnd ? 50 : try words.integer(0...EventLog.capacity))
        case "sleep": return .sleep(try words.number(0...86_400))
        case "bluez-stop": return .action(.daemon(.stop))
        case "bluez-kill": return .action(.daemon(.kill))
        case "bluez-start": return .action(.daemon(.start))
        case "bluez-restart": return .action(.daemon(.restart))
        case "plug": return .action(.adapter(.plug))
        case "unplug": return .action(.adapter(.unplug))
        case "power": return .action(.adapter(try words.isOn() ? .powerOn : .powerOff))
        case "rfkill": return .action(.adapter(try words.choice(["block": .block, "unblock": .unblock])))
        case "dbus-stop": return .action(.bus(.stop))
        case "dbus-start": return .action(.bus(.start))
        case "permit": return .action(.bus(.permit(try words.isOn())))
        case "latency": return .action(.latency(try words.number(0...10)))
        case "dupfilter": return .action(.adapter(.filterDuplicates(try words.isOn())))
        default: break
        }
        if let (group, change) = try vitalChange(word, &words) {
            return .action(.sensors(first(of: group), .vitals(change)))
        }
        if word == "spot" { return .action(.sensors(first(of: .oximetry), .spotCheck)) }
        guard let (sensors, action) = try sensorAction(word, &words) else {
            throw ControlCommandError(reason: "unknown command: \(word) (try help)")
        }
        return .action(.sensors(sensors, action))
    }

    // MARK: Which sensors

    private enum Group: CaseIterable {
        case temperature, heartRate, oximetry

        /// The words for the group.
        var words: [String] {
            switch self {
            case .temperature: ["temp", "core", "thermometer"]
            case .heartRate: ["hr", "heart", "polar", "strap"]
            case .oximetry: ["spo2", "oximeter", "plx", "oxi"]
            }
        }

        func contains(_ kind: SensorDescription.Kind) -> Bool {
            switch kind {
            case .thermometer, .core: self == .temperature
            case .heartRateStrap: self == .heartRate
            case .oximeter: self == .oximetry
            default: false
            }
        }
    }

    private func first(of group: Group) -> [Int] {
        sensors.firstIndex { group.contains($0.kind) }.map { [$0] } ?? []
    }

    private func who(_ words: inout CommandArguments) throws(ControlCommandError) -> [Int] {
        guard let word = words.next() else { throw ControlCommandError(reason: "which sensor?") }
        return try who(word)
    }

    private func who(_ word: String) throws(ControlCommandError) -> [Int] {
        if word == "all" { return Array(sensors.indices) }
        if let group = Group.allCases.first(where: { $0.words.contains(word) }) {
            let found = first(of: group)
            if !found.isEmpty { return found }
        }
        if let index = sensors.firstIndex(where: { $0.address == word.uppercased() || $0.name == word }) {
            return [index]
        }
        throw ControlCommandError(reason: "no such sensor: \(word)")
    }

    // MARK: What

    private func vitalChange(
        _ word: String, _ words: inout CommandArguments
    ) throws(ControlCommandError) -> (Group, VitalChange)? {
        switch word {
        case "temp": return (.temperature, .temperature(try words.numberOrNaN()))
        case "unit": return (.temperature, .unit(try words.choice(["c": .celsius, "f": .fahrenheit])))
        case "stamp": return (.temperature, .timestamp(try words.isOn()))
        case "ttype": return (.temperature, .temperatureType(try words.integerOrOff(0...255).map(UInt8.init)))
        case "hr": return (.heartRate, .heartRate(try words.integer(0...65535)))
        case "contact": return (.heartRate, .contact(try words.choice(["on": true, "off": false, "none": nil])))
        case "rr": return (.heartRate, .intervals(try intervals(&words)))
        case "energy": return (.heartRate, .energy(try words.integerOrOff(0...65535).map(UInt16.init)))
        case "wide": return (.heartRate, .wide(try words.isOn()))
        case "spo2": return (.oximetry, .saturation(try words.numberOrNaN()))
        case "pulse": return (.oximetry, .pulseRate(try words.numberOrNaN()))
        default: return nil
        }
    }

    private func intervals(_ words: inout CommandArguments) throws(ControlCommandError)
        -> SimulatedVitals.HeartRate.Intervals
    {
        var milliseconds: [Double] = []
        while let word = words.next() {
            switch word {
            case "auto": return .computed
            case "none": return .none
            default:
                guard let number = Double(word), (0...63_999).contains(number) else {
                    throw ControlCommandError(reason: "expected milliseconds, found '\(word)'")
                }
                milliseconds.append(number)
            }
        }
        return .fixed(milliseconds)
    }

    private func sensorAction(
        _ word: String, _ words: inout CommandArguments
    ) throws(ControlCommandError) -> ([Int], SensorAction)? {
        switch word {
        case "vanish", "return": return (try who(words.next() ?? "all"), word == "vanish" ? .outOfRange : .inRange)
        case "quiet", "loud": return (try who(words.next() ?? "all"), word == "quiet" ? .silence : .speak)
        case "off": return (try who(&words), .offBody)
        case "on": return (try who(&words), .onBody)
        case "measure": return (try who(&words), .measure)
        case "set":
            let sensors = try who(&words)
            guard let name = words.next() else { throw ControlCommandError(reason: "which quantity?") }
            return (sensors, .quantity(name, try words.number(-1_000_000...1_000_000)))
        case "rhythm":
            let sensors = try who(&words)
            let choices = HeartRhythm.allCases.map { ($0.rawValue, $0) }
            return (sensors, .vitals(.rhythm(try words.choice(Dictionary(uniqueKeysWithValues: choices)))))
        case "lose": return (try who(&words), .loseFrames(try words.integer(0...1_000_000)))
        case "flood": return (try who(&words), .flood(try words.integer(WaveFaults.repetitionRange)))
        case "restart-clock": return (try who(&words), .restartClock)
        case "bye": return (try who(&words), .hangUp)
        case "drop":
            let sensors = try who(&words)
            // The virtual machine expects a reason here, which no D-Bus client learns.
            _ = words.next()
            return (sensors, .linkLoss)
        case "battery": return (try who(&words), .battery(try words.integer(0...255)))
        case "interval": return (try who(&words), .interval(try words.number(0.001...86_400)))
        case "burst":
            let (sensors, count) = (try who(&words), try words.integer(0...10_000_000))
            let milliseconds = words.isAtEnd ? 0 : try words.number(0...3_600_000)
            return (sensors, .burst(count, seconds: milliseconds / 1000))
        case "raw":
            let sensors = try who(&words)
            guard let octets = try? Hexadecimal.octets(words.rest().utf8), octets.count <= 512 else {
                throw ControlCommandError(reason: "expected at most 512 octets as pairs of hexadecimal digits")
            }
            return (sensors, .octets(octets))
        default: return try radioAction(word, &words)
        }
    }

    private func radioAction(
        _ word: String, _ words: inout CommandArguments
    ) throws(ControlCommandError) -> ([Int], SensorAction)? {
        switch word {
        case "services-changed": return (try who(&words), .servicesChange)
        case "forget-bond": return (try who(&words), .forgetBond)
        case "pairing":
            let sensors = try who(&words)
            let choices = PairingBehaviour.Conduct.allCases.map { ($0.rawValue, $0) }
            return (sensors, .pairing(try words.choice(Dictionary(uniqueKeysWithValues: choices))))
        case "adv": return (try who(&words), .advertise(try words.isOn()))
        case "refuse":
            let (sensors, count) = (try who(&words), try words.integer(0...1_000_000))
            // The virtual machine expects a reason here, which no D-Bus client learns.
            _ = words.next()
            return (sensors, .refuse(count))
        case "rssi":
            let (sensors, strength) = (try who(&words), try words.integer(-127...20))
            return (sensors, .signalStrength(strength, noise: words.isAtEnd ? 0 : try words.integer(0...40)))
        case "rename":
            let (sensors, name) = (try who(&words), words.rest())
            if name.utf8.contains(0) { throw ControlCommandError(reason: "a name cannot hold a NUL") }
            return (sensors, .rename(name))
        case "rotate":
            let sensors = try who(&words)
            guard let address = words.next()?.uppercased() else { return (sensors, .rotate(nil)) }
            guard BluetoothAddress(address) != nil else {
                throw ControlCommandError(reason: "expected an address such as 'C0:52:49:00:00:77'")
            }
            return (sensors, .rotate(address))
        default: return nil
        }
    }
}

/// A parsed line of the command language.
enum Command: Hashable, Sendable {
    case action(SimulatedAction)
    case state
    case help
    case statistics
    /// The newest events, up to this number.
    case events(Int)
    /// A number of seconds.
    case sleep(Double)
}

/// Why a line is not a valid command.
struct ControlCommandError: Error, Hashable {
    let reason: String
}

/// The words of a command line, in order.
struct CommandArguments {
    private var text: Substring

    init(_ line: String) {
        text = line[...].drop { $0 == " " }
        while text.last == " " || text.last == "\n" { text.removeLast() }
    }

    var isAtEnd: Bool { text.isEmpty }

    mutating func next() -> String? {
        guard !text.isEmpty else { return nil }
        let word = text.prefix { $0 != " " }
        text = text.dropFirst(word.count).drop { $0 == " " }
        return String(word)
    }

    /// The rest of the line, including spaces.
    mutating func rest() -> String {
        defer { text = "" }
        return String(text)
    }

    mutating func number(_ range: ClosedRange<Double>) throws(ControlCommandError) -> Double {
        let word = try expected("a number")
        guard let number = Double(word), range.contains(number) else {
            throw ControlCommandError(
                reason: "expected a number from \(range.lowerBound) to \(range.upperBound), found '\(word)'")
        }
        return number
    }

    mutating func numberOrNaN() throws(ControlCommandError) -> Double? {
        let word = try expected("a number or nan")
        if word.lowercased() == "nan" { return nil }
        guard let number = Double(word), (-100_000...100_000).contains(number) else {
            throw ControlCommandError(reason: "expected a number or nan, found '\(word)'")
        }
        return number
    }

    mutating func integer(_ range: ClosedRange<Int>) throws(ControlCommandError) -> Int {
        let word = try expected("a whole number")
        guard let integer = Int(word), range.contains(integer) else {
            throw ControlCommandError(
                reason: "expected a whole number from \(range.lowerBound) to \(range.upperBound), found '\(word)'")
        }
        return integer
    }

    mutating func integerOrOff(_ range: ClosedRange<Int>) throws(ControlCommandError) -> Int? {
        if text == "off" {
            text = ""
            return nil
        }
        return try integer(range)
    }

    mutating func isOn() throws(ControlCommandError) -> Bool {
        try choice(["on": true, "off": false])
    }

    mutating func choice<Value>(_ choices: [String: Value]) throws(ControlCommandError) -> Value {
        let names = choices.keys.sorted().joined(separator: " or ")
        let word = try expected(names)
        guard let value = choices[word.lowercased()] else {
            throw ControlCommandError(reason: "expected \(names), found '\(word)'")
        }
        return value
    }

    private mutating func expected(_ what: String) throws(ControlCommandError) -> String {
        guard let word = next() else { throw ControlCommandError(reason: "expected \(what)") }
        return word
    }
}
