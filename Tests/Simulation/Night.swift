import TestSupport

/// A night that follows from one number: what the sensors measure, what goes wrong, what a carer types.
struct Night: Sendable {
    /// What the night follows from.
    let number: UInt64
    /// Its length in seconds.
    let length: Double
    /// The size of the terminal at its beginning.
    let columns: Int
    let rows: Int
    /// When it begins, in milliseconds since 1970.
    let wallMilliseconds: Int64
    /// What each sensor measures, in its order.
    var truths: [SensorTruth] = []
    /// What goes wrong, in the order of its beginnings.
    var faults: [Fault] = []
    /// What is typed: the second, and the octets.
    var keys: [(time: Double, octets: [UInt8])] = []
    /// The seconds at which the power fails.
    var powerCuts: [Double] = []
    /// Whether the bed is published to a ward.
    var hasWard = false
    /// Whether the program prints lines instead of a screen.
    var printsLines = false
    /// Whether the program is to connect all sensors, rather than those of a list.
    var connectsAll = false
    /// Names of others that are heard.
    var neighbours: [String] = []

    /// The quiet at the end, in which all must be well again.
    static let quiet = 75.0

    /// Whether another program follows the status of the monitor.
    var followsStatus: Bool { number.isMultiple(of: 2) }

    /// Whether each vital has one sensor.
    var hasUsualSensorsAlone: Bool { truths.allSatisfy { $0.model == .usual } }

    /// When the last fault is over.
    var endOfFaults: Double { length - Self.quiet }

    /// A night in which only this goes wrong.
    init(number: UInt64, length: Double, faults: [Fault]) {
        var night = Night(number: number, length: length, isCalm: true)
        night.faults = faults
        self = night.without(faults: [], keys: [])
    }

    /// Draws a night.
    ///
    /// - Parameter isCalm: Whether nothing goes wrong, and nobody types.
    init(number: UInt64, length: Double, isCalm: Bool = false) {
        var random = SeededGenerator(seed: number)
        self.number = number
        self.length = length
        columns = [80, 100, 120, 120, 160, 200].randomElement(using: &random) ?? 120
        rows = [24, 30, 40, 50].randomElement(using: &random) ?? 40
        // Any hour of 2026; one night of six has a change of summer time in it (Europe/Berlin).
        let spring: Int64 = 1_774_745_940_000
        let autumn: Int64 = 1_792_889_940_000
        switch Int.random(in: 0..<12, using: &random) {
        case 0: wallMilliseconds = spring
        case 1: wallMilliseconds = autumn
        default: wallMilliseconds = Int64.random(in: 1_767_225_600_000..<1_798_675_200_000, using: &random)
        }
        truths = SensorTruth.Kind.allCases.map { SensorTruth($0, isWell: isWell, until: length, using: &random) }
        hasWard = Bool.random(using: &random)
        printsLines = Int.random(in: 0..<5, using: &random) == 0
        if !isCalm {
            if length > 3600 { drawLongFevers() }
            drawOtherSensors()
            drawFaults(using: &random)
            // What a carer does is synchronised, too.
            if !isUndisturbed, !printsLines { drawKeys(using: &random) }
        }
        for fault in faults { for index in truths.indices { truths[index].leaveOut(fault) } }
        let strangers = ["MI_SCALE2", "LE-Bose", "\u{1B}[2J\u{07}PWN", "TV \u{202E}gnp", "Polar H10", ""]
        neighbours = (0..<Int.random(in: 0...9, using: &random)).map { _ in
            strangers.randomElement(using: &random) ?? ""
        }
    }

    /// The night without some of its faults and keys, by their places; what the sensors measure stays.
    func without(faults leftOutFaults: Set<Int>, keys leftOutKeys: Set<Int>) -> Night {
        var night = self
        night.faults = faults.indices.filter { !leftOutFaults.contains($0) }.map { faults[$0] }
        night.keys = keys.indices.filter { !leftOutKeys.contains($0) }.map { keys[$0] }
        night.powerCuts = night.faults.filter { $0.kind == .powerCut }.map(\.start)
        for index in night.truths.indices {
            night.truths[index].arriving = night.truths[index].steps
            for fault in night.faults { night.truths[index].leaveOut(fault) }
        }
        return night
    }

    /// Draws up to nine more sensors in half of the nights.
    private mutating func drawOtherSensors() {
        // Other numbers, so that three sensors measure the same whether or not there are more.
        var random = SeededGenerator(seed: number ^ 0x6D6F_7265)
        connectsAll = Bool.random(using: &random)
        guard Bool.random(using: &random) else { return }
        for _ in 0..<Int.random(in: 1...9, using: &random) {
            let model = SensorTruth.Model.allCases.dropFirst().randomElement(using: &random) ?? .strap
            truths.append(SensorTruth(model, beside: truths, until: length, using: &random))
        }
    }

    /// Whether hardly any alarm is raised: each one is synchronised to the disk with all before it.
    private var isWell: Bool { number % 5 == 3 }

    /// Whether nothing happens but a power cut, which finds what was not synchronised for long.
    private var isUndisturbed: Bool { number % 10 == 3 }

    private mutating func drawFaults(using random: inout SeededGenerator) {
        if isUndisturbed {
            // Each minute the store is maintained, and synchronised with that: just before it the most is lost.
            let isLate = Bool.random(using: &random)
            let time = Double.random(in: isLate ? 60...max(60, endOfFaults - 25) : 45...59, using: &random)
            faults = [Fault(kind: .powerCut, sensor: 0, start: time, end: time + Self.restart, strength: 0)]
            powerCuts = [time]
            return
        }
        var time = Double.random(in: 25...45, using: &random)
        // In some nights everything happens at once.
        let longestPause: Double = [4.0, 15.0, 40].randomElement(using: &random) ?? 40
        while time < endOfFaults - 30 {
            let kind = drawnKind(using: &random)
            // What was not synchronised for long is lost by a power cut, and each alarm synchronises.
            if kind == .powerCut { time = min(time + Double.random(in: 0...40, using: &random), endOfFaults - 30) }
            let sensor = drawnSensor(using: &random)
            var fault = Fault(kind: kind, sensor: sensor, start: time, end: time, strength: random.next())
            let room = endOfFaults - 5 - time
            // A sleep is as long as it is.
            if fault.sleep > room { fault.strength = UInt64.random(in: 0..<UInt64(room - 4), using: &random) }
            var length = fault.sleep > 0 ? fault.sleep : min(Double.random(in: kind.length, using: &random), room)
            // A link takes two seconds to end, in which a carer may think better of it.
            if kind == .separation, fault.strength % 2 == 0 { length = Double.random(in: 0.3...0.9, using: &random) }
            fault.end = time + length
            guard !faults.contains(where: { $0.excludes(fault) }) else {
                time += Double.random(in: 1...5, using: &random)
                continue
            }
            if kind == .suspension {
                // Nothing ends while the computer sleeps.
                for index in faults.indices where faults[index].end > time {
                    faults[index].end = max(faults[index].end, fault.end + 1)
                }
            }
            faults.append(fault)
            if kind == .powerCut { powerCuts.append(time) }
            // Most begin when the last one is over, some while it lasts.
            time +=
                Double.random(in: (longestPause / 8)...longestPause, using: &random)
                + (Bool.random(using: &random) ? length : 0)
        }
        // Nothing of the computer's goes on when its power fails.
        for cut in powerCuts {
            for index in faults.indices
            where faults[index].kind != .powerCut && faults[index].start < cut && faults[index].end > cut {
                faults[index].end = cut
            }
        }
    }

    /// In a long night a temperature may stay for an hour and more, as a fever does.
    private mutating func drawLongFevers() {
        var random = SeededGenerator(seed: ~number)
        if Bool.random(using: &random) { return }
        truths[SensorTruth.Kind.thermometer.index] = SensorTruth(
            .thermometer, isWell: false, pace: 1200...7200, until: length, using: &random)
    }

    /// A kind of fault, one of four of those of every night.
    ///
    /// Nothing happens to a broker that is not used, nor by keys where none are read.
    private func drawnKind(using random: inout SeededGenerator) -> Fault.Kind {
        let isUsual = Int.random(in: 0..<4, using: &random) == 0
        let kinds = isUsual ? [.offBody, .linkLoss, .outOfRange, .silence] : Fault.Kind.allCases
        let kind = kinds.randomElement(using: &random) ?? .linkLoss
        return kind.isOfBroker && !hasWard || kind == .separation && printsLines ? .linkLoss : kind
    }

    /// The sensor that a fault happens to, in half of the cases one of the first three.
    private func drawnSensor(using random: inout SeededGenerator) -> Int {
        let isUsual = Bool.random(using: &random)
        return Int.random(in: 0..<(isUsual ? SensorTruth.Kind.allCases.count : truths.count), using: &random)
    }

    /// Whether a carer stays beside the bed, and answers what is raised as soon as it is seen.
    private var isAttended: Bool { number % 3 == 1 }

    /// The habits of a carer: acknowledge, pause, look at pages and leave them.
    private mutating func drawKeys(using random: inout SeededGenerator) {
        let habits =
            isAttended
            ? ["a", "a", "a", "a", "a", "a", "p", "\t"]
            : [
                "a", "a", "p", "\t", "\u{1B}", "z", "z", "+", "-", "k\u{1B}", "?\u{1B}", "t", "l\u{1B}", "L\u{1B}",
                "D\u{1B}", "x", "u", "m", "en\(WardAuditor.note)\r\u{1B}",
            ]
        let pause = isAttended ? 1.5...8.0 : 2...60
        var time = 15.0
        while time < endOfFaults {
            keys.append((time, Array((habits.randomElement(using: &random) ?? "a").utf8)))
            time += Double.random(in: pause, using: &random)
        }
        // Nobody types into a computer that sleeps, or has not shown anything since, nor between two keys that belong together.
        keys.removeAll { key in
            faults.contains { fault in
                switch fault.kind {
                case .suspension: key.time >= fault.start && key.time < fault.end + 1
                case .separation: fault.typed().contains { abs($0.time - key.time) < 1 }
                default: false
                }
            }
        }
        // Nobody leaves a page open for the rest of the night.
        for step in 0..<4 { keys.append((endOfFaults + Double(step), [0x1B])) }
    }

    /// The runs of the program: when each begins and ends, in seconds.
    var runs: [(start: Double, end: Double)] {
        let starts = [0] + powerCuts.map { $0 + Self.restart }
        return zip(starts, powerCuts + [length]).map { (start: $0, end: $1) }
    }

    /// The seconds from a power cut to the next start.
    static let restart = 20.0
}

extension Night: CustomStringConvertible {
    /// The night in lines, for a person who has to understand a failure.
    var description: String {
        let events =
            faults.map { ($0.start, $0.description) }
            + keys.map { ($0.time, "a carer types \(String(decoding: $0.octets, as: UTF8.self).debugDescription)") }
        let lines = events.sorted { $0.0 < $1.0 }.map { "  \(seconds($0.0)) \($0.1)" }
        return (["night \(number): \(Int(length)) s, \(columns) x \(rows)"] + lines).joined(separator: "\n")
    }
}

/// A time of a night in seconds, to the millisecond.
func seconds(_ time: Double) -> String {
    let milliseconds = Int((time * 1000).rounded())
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    return "\(milliseconds / 1000).\(fraction) s"
}
