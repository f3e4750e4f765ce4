import VitalDecoders

/// The measured quantities of a sensor and how it sends them; commands can change them.
struct SimulatedVitals: Hashable, Sendable {
    var temperature = Temperature()
    var heartRate = HeartRate()
    var oximetry = Oximetry()
    var body = Body()
    /// The ECG of a strap; `nil` for a strap without Polar's service for it.
    var electrocardiogram: Electrocardiogram?

    /// What waves show of a body besides the pulse.
    struct Body: Hashable, Sendable {
        /// The rhythm of the heart; `nil` for a normal one, of which RR intervals show the scripted rate alone.
        var rhythm: HeartRhythm?
        /// Breaths a minute.
        var respirationRate = Quantity(constant: 14)
        /// How much the sensor is moved, from 0 to 1.
        var motion = Quantity(constant: 0)
    }

    /// The ECG and the acceleration of a strap (Polar Measurement Data).
    struct Electrocardiogram: Hashable, Sendable {
        /// How high the heart's potential is, 1 for an R peak of 1.2 mV.
        var amplitude = Quantity(constant: 1)
        /// The hum of the mains in millivolts.
        var mains = Quantity(constant: 0)
        /// The true rate of an ECG that the sensor says has 130 samples a second; its other streams are as much off.
        var sampleRate = 130.0
        /// The seconds from the start of the ECG to its first sample.
        var delay = 0.0
        /// Whether the acceleration is sent compressed.
        var isCompressed = false
    }

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
            /// Those of the beats since the previous measurement, while there is contact: of the body's heart where the
            /// sensor has an ECG or a rhythm, else computed from the heart rate.
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
