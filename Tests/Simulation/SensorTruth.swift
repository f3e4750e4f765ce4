import TestSupport

/// What one sensor truly measures in a night, and when nothing of it can arrive.
struct SensorTruth: Sendable {
    /// The sensors of a night.
    enum Kind: CaseIterable, Sendable {
        case thermometer, strap, oximeter
    }

    /// A value, and while it is measured.
    struct Step: Sendable {
        var start: Double
        var end: Double
        /// As the sensor sends it, a temperature in °C.
        var value: String

        /// Whether a number of hundredths, as the store holds it, is this value.
        func hasHundredths(_ number: Int) -> Bool {
            Double(value).map { Int(($0 * 100).rounded()) == number } ?? false
        }

        /// Whether a number on the screen is this value; a temperature may be in °F, to a tenth.
        func isShown(as number: String) -> Bool {
            if number == value { return true }
            guard value.contains("."), let celsius = Double(value), let shown = Double(number) else { return false }
            return abs(celsius * 1.8 + 32 - shown) < 0.11
        }
    }

    /// What it measures.
    let kind: Kind
    /// Its place among the sensors of the night; the first one of each kind has that of its kind.
    let place: Int
    /// What it is.
    let model: Model
    /// All values, in the order of time.
    let steps: [Step]
    /// The values as far as they can arrive.
    var arriving: [Step]

    /// Draws values that come again only after a while, so that an old one is known by itself.
    ///
    /// - Parameters:
    ///   - kind: The sensor.
    ///   - isWell: Whether no value is one for an alarm.
    ///   - pace: How long a value stays, in seconds.
    ///   - end: The end of the night.
    init(
        _ kind: Kind, isWell: Bool, pace: ClosedRange<Double> = 12...50, until end: Double,
        using random: inout SeededGenerator
    ) {
        (self.kind, place, model) = (kind, kind.index, .usual)
        var steps: [Step] = []
        var last: [String] = []
        var time = 0.0
        while time < end {
            let next = time + Double.random(in: pace, using: &random)
            var value: String
            repeat { value = kind.value(isWell: isWell, using: &random) } while last.contains(value)
            last = last.suffix(4) + [value]
            steps.append(Step(start: time, end: min(next, end), value: value))
            time = next
        }
        self.steps = steps
        arriving = steps
    }

    /// Draws values of one more sensor, none for an alarm, that differ from those of the others of its kind at the time.
    init(
        _ model: Model, beside others: [SensorTruth], until end: Double, using random: inout SeededGenerator
    ) {
        (kind, place, self.model) = (model.kind, others.count, model)
        let steps = others.filter { $0.kind == model.kind }.flatMap(\.steps)
        var drawn: [Step] = []
        var time = 0.0
        while time < end {
            let next = time + Double.random(in: 12...50, using: &random)
            let avoided = Set(steps.filter { $0.start < next + 20 && $0.end > time - 20 }.map(\.value))
            var (value, attempts) = ("", 0)
            repeat {
                value = model.kind.value(isWell: true, using: &random)
                attempts += 1
            } while attempts < 200 && (avoided.contains(value) || drawn.last?.value == value)
            drawn.append(Step(start: time, end: min(next, end), value: value))
            time = next
        }
        (self.steps, arriving) = (drawn, drawn)
    }

    /// Whether a number on the screen is a value that arrives in some part of a time.
    func isTrue(_ number: String, from start: Double, to end: Double) -> Bool {
        arriving.contains { $0.start <= end && $0.end >= start && $0.isShown(as: number) }
    }

    /// The value that arrives now, where a number on the screen is this value.
    func step(shownAs number: String, at time: Double) -> Step? {
        arriving.first { $0.start <= time && $0.end > time && $0.isShown(as: number) }
    }

    /// Leaves out the time in which a fault keeps values from arriving.
    mutating func leaveOut(_ fault: Fault) {
        guard fault.silences(self) else { return }
        arriving = arriving.flatMap { step -> [Step] in
            // The fault takes effect with the first message after its beginning.
            [
                Step(start: step.start, end: min(step.end, fault.start + 0.5), value: step.value),
                Step(start: max(step.start, fault.end), end: step.end, value: step.value),
            ].filter { $0.start < $0.end }
        }
        // The world sleeps with the computer, and wakes up with what it would have measured next.
        if fault.kind == .suspension {
            arriving += steps.filter { $0.start <= fault.start + 2.5 && $0.end > fault.start }
                .map { Step(start: fault.end, end: fault.end + 1.5, value: $0.value) }
        }
    }
}

extension SensorTruth {
    /// What a sensor is.
    enum Model: CaseIterable, Sendable {
        /// The first one of its kind.
        case usual
        /// One more, with the same services.
        case thermometer, strap, oximeter
        /// Oximeters with conversations of their own.
        case jumper, ring

        /// What it measures.
        fileprivate var kind: Kind {
            switch self {
            case .thermometer: .thermometer
            case .strap: .strap
            case .usual, .oximeter, .jumper, .ring: .oximeter
            }
        }
    }

    /// The Bluetooth address of the sensor at a place.
    static func address(at place: Int) -> String { "C0:52:49:00:00:0\(String(place + 1, radix: 16, uppercase: true))" }

    /// Its Bluetooth address.
    var address: String { Self.address(at: place) }

    /// What a finding calls it.
    var name: String { model == .usual ? kind.word : "sensor \(place)" }

    /// The longest time, in seconds, that a value may stand without a newer one before it must not be said to be measured: until
    /// it is lost, with what a message may take on a slow bus.
    var longestAge: Double { Self.longestAge(interval: interval) }

    fileprivate static func longestAge(interval: Double) -> Double { 6 * interval + 5 }

    /// The longest time from one value to the next, in seconds; of a fast sensor the program takes one a second at most.
    var interval: Double { model == .jumper || model == .ring ? 2 : kind.interval }

    /// The sensor in the scenario of a run that begins at a time.
    func description(from start: Double) -> String {
        let head = "address: '\(address)', rssi: -58"
        let present = steps.last { $0.start <= start } ?? steps[0]
        if model == .usual { return kind.description(head, present.value) }
        // A curve of steps.
        let points = steps.filter { $0.end > start }.flatMap { step in
            ["[\(step.start - start), \(step.value)]", "[\(step.end - start - 0.000_000_001), \(step.value)]"]
        }
        let curve = "{ value: [\(points.joined(separator: ", "))] }"
        let values =
            switch kind {
            case .thermometer: "temperature: \(curve)"
            case .strap: "heartRate: \(curve)"
            case .oximeter: "oxygenSaturation: \(curve), pulseRate: 72"
            }
        let names =
            switch model {
            case .thermometer: "name: 'Thermo \(place)', kind: 'thermometer', interval: 2"
            case .strap: "name: 'HRM \(place)', kind: 'heartRateStrap', interval: 1"
            case .usual, .oximeter: "name: 'Oxi \(place)', kind: 'oximeter', interval: 1"
            case .jumper: "name: 'My Oximeter \(place)', kind: 'jumperOximeter', interval: 1"
            case .ring: "name: 'O2Ring 000\(place)', kind: 'oximeterRing'"
            }
        return "{ \(names), \(head), \(values) }"
    }
}

extension SensorTruth.Kind {
    /// The word for it in commands to a world.
    var word: String {
        switch self {
        case .thermometer: "temp"
        case .strap: "hr"
        case .oximeter: "spo2"
        }
    }

    /// Its place among the faults' sensors.
    var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The titles that its panel may have, the longest first.
    var titles: [String] {
        switch self {
        case .thermometer: ["TEMPERATURE", "TEMPERATURE, BODY", "TEMP", "TEMP, BODY", "CORE"]
        case .strap: ["HEART RATE", "HR"]
        case .oximeter: ["SpO₂"]
        }
    }

    /// The seconds from one value to the next.
    var interval: Double { self == .thermometer ? 2 : 1 }

    /// The longest time, in seconds, that the number of such a sensor may stand (``SensorTruth/longestAge``).
    var longestAge: Double { SensorTruth.longestAge(interval: interval) }

    fileprivate func value(isWell: Bool, using random: inout SeededGenerator) -> String {
        switch self {
        case .thermometer:
            let tenths = Int.random(in: isWell ? 362...374 : 358...396, using: &random)
            return "\(tenths / 10).\(tenths % 10)"
        case .strap:
            let rate = Int.random(in: isWell ? 60...99 : 42...135, using: &random)
            // Few are far beyond the limits.
            return String(rate > 132 ? rate + 15 : rate)
        case .oximeter: return String(Int.random(in: isWell ? 93...99 : 82...99, using: &random))
        }
    }

    /// The first sensor of the kind in a scenario.
    fileprivate func description(_ head: String, _ value: String) -> String {
        let head = "\(head), interval: \(interval), "
        return switch self {
        case .thermometer: "{ name: 'CORE 1A', kind: 'thermometer', \(head) temperature: \(value) }"
        case .strap: "{ name: 'Polar H10 1234', kind: 'heartRateStrap', \(head) heartRate: \(value) }"
        case .oximeter: "{ name: 'e-Oximeter', kind: 'oximeter', \(head) oxygenSaturation: \(value), pulseRate: 71 }"
        }
    }
}
