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
