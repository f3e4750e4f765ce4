import VitalDecoders

/// The measured quantities of a sensor and how it sends them; commands can change them.
struct SimulatedVitals: Hashable, Sendable {
    var temperature = Temperature()
    var heartRate = HeartRate()
    var oximetry = Oximetry()

    /// A body temperature (Health Thermometer Service, CORE).
    struct Temperature: Hashable, Sendable {
        /// Degrees Celsius; `nil` is sent as "not a number".
        var value: Quantity? = Quantity(constant: 36.8)
        /// The skin temperature in degrees Celsius; sent by a CORE only.
        var skin: Quantity? = Quantity(constant: 34.2)
        var unit = TemperatureUnit.celsius
        /// The type octet of a measurement (2A1D), when it is sent.
        var type: TemperatureType?
        var isTimestamped = false
    }

    /// A heart rate (Heart Rate Service).
    struct HeartRate: Hashable, Sendable {
        /// Beats a minute.
        var value = Quantity(constant: 72)
        /// Whether there is skin contact; `nil` for a sensor that does not detect it.
        var contact: Bool? = true
        var intervals = Intervals.computed
        /// The expended energy in kilojoules, if it is sent.
        var energy: UInt16?
        var location = BodySensorLocation.chest
        /// Whether the rate is sent in 16 bits even where 8 are enough.
        var isWide = false

        /// Which RR intervals are sent.
        enum Intervals: Hashable, Sendable {
            /// Those of the beats since the previous measurement, computed from the heart rate, while there is contact.
            case computed
            case none
            /// Always these, in milliseconds.
            case fixed([Double])
        }
    }

    /// Oxygen saturation and pulse rate (Pulse Oximeter Service).
    struct Oximetry: Hashable, Sendable {
        /// Percent; `nil` is sent as "not a number".
        var saturation: Quantity? = Quantity(constant: 98)
        /// Beats a minute; `nil` is sent as "not a number".
        var pulseRate: Quantity? = Quantity(constant: 71)
        /// Pulse amplitude index in percent.
        var amplitude = Quantity(constant: 3.4)
        /// Whether both status fields and the pulse amplitude index are sent (flags 0x1C, as the PM100 does).
        var sendsStatus = false
    }
}

/// A value that changes with time, interpolated linearly between points.
struct Curve: Hashable, Sendable {
    /// A point of a curve.
    struct Keyframe: Hashable, Sendable {
        /// Seconds since the scenario began; negative for a time before.
        var seconds: Double
        var value: Double
    }

    /// Never empty; their times increase.
    private let keyframes: [Keyframe]

    /// A curve with a constant value.
    init(constant value: Double) {
        keyframes = [Keyframe(seconds: 0, value: value)]
    }

    /// A curve through points with increasing times; `nil` without points or when the times do not increase.
    init?(keyframes: [Keyframe]) {
        guard !keyframes.isEmpty, zip(keyframes, keyframes.dropFirst()).allSatisfy({ $0.seconds < $1.seconds }) else {
            return nil
        }
        self.keyframes = keyframes
    }

    var isConstant: Bool { keyframes.allSatisfy { $0.value == keyframes[0].value } }

    /// The value at a time; before the first point the first value, after the last point the last.
    func value(at seconds: Double) -> Double {
        guard let next = keyframes.firstIndex(where: { $0.seconds > seconds }) else {
            return keyframes[keyframes.count - 1].value
        }
        guard next > 0 else { return keyframes[0].value }
        let (from, to) = (keyframes[next - 1], keyframes[next])
        return from.value + (to.value - from.value) * (seconds - from.seconds) / (to.seconds - from.seconds)
    }
}

/// Pseudo-random numbers that are the same in every run.
///
/// A number depends only on its seed and index (SplitMix64 by Steele, Lea and Flood), so the order of access does not
/// matter.
struct Noise: Hashable, Sendable {
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    }

    /// An independent sequence, such as that of one quantity of one sensor.
    func stream(_ number: Int) -> Noise {
        Noise(seed: seed ^ Self.mix(UInt64(bitPattern: Int64(number)) &+ 0x2545_F491_4F6C_DD1D))
    }

    /// A number from -1 up to 1.
    func value(at index: Int) -> Double {
        Double(bits(at: index) >> 11) / Double(1 << 52) - 1
    }

    func bits(at index: Int) -> UInt64 {
        Self.mix(seed &+ UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
