import Base
import EDF
import Nights
import Vitals
import Waves

/// A signal of an exported recording: one quantity of one sensor, and how its values become whole numbers.
struct SignalTrack: Hashable, Sendable {
    /// What identifies it.
    var key: Key
    /// The sensor, under its newest name.
    var sensor: SensorIdentity
    /// The extreme values: of a wave its samples, of others hundredths of the unit.
    var least = Int.max, most = Int.min
    /// Samples of a wave, and the time that they take, from which their rate follows.
    var samples = 0
    var nanoseconds: Int64 = 0

    /// A quantity of a sensor.
    struct Key: Hashable, Sendable {
        var address: String
        var quantity: Quantity
    }

    /// What is measured, in the order of the signals in a file.
    enum Quantity: Hashable, Sendable {
        case vital(Vital)
        /// Of nights with a sample in so many seconds, each of which stands for these.
        case night(NightQuantity, interval: Int)
        case wave(WaveKind, channel: Int)
    }

    /// The quantities of a night that the sensor stored itself.
    enum NightQuantity: Int, CaseIterable, Hashable, Sendable {
        case saturation, pulseRate, movement

        /// The value of a sample, in hundredths.
        func value(of sample: NightSample) -> Int? {
            switch self {
            case .saturation: sample.saturation.map { Int($0) * 100 }
            case .pulseRate: sample.pulseRate.map { Int($0) * 100 }
            case .movement: sample.movement.map { Int($0) * 100 }
            }
        }
    }

    /// The greatest magnitude that is not cut off: far beyond every measurement, but a store may be damaged.
    static let limit = 1 << 40

    /// Whether a file can hold a sample of a wave: with a greater magnitude (of an ECG more than 8 V), which no body has, the
    /// ends of its scale would not fit into the eight characters of EDF.
    static func canHold(_ sample: Int32) -> Bool {
        sample != WavePiece.missing && abs(Int(sample)) <= 256 * 32767
    }

    mutating func include(_ value: Int) {
        let value = min(max(value, -Self.limit), Self.limit)
        (least, most) = (min(least, value), max(most, value))
    }
}

extension SignalTrack.Quantity {
    /// Where its signal stands in a file.
    var order: Int {
        let vitals: [Vital] = [
            .oxygenSaturation, .pulseRate, .perfusionIndex, .heartRate, .bodyTemperature, .skinTemperature, .glucose,
        ]
        return switch self {
        case .vital(let vital): vitals.firstIndex(of: vital) ?? vitals.count
        case .night(let quantity, _): 10 + quantity.rawValue
        case .wave(let kind, let channel): 20 + 4 * (WaveKind.allCases.firstIndex(of: kind) ?? 0) + channel
        }
    }

    /// Seconds that each sample stands for.
    var interval: Int { if case .night(_, let interval) = self { interval } else { 1 } }

    /// The label of its signal.
    var label: String {
        switch self {
        case .vital(.oxygenSaturation): "SpO2"
        case .vital(.pulseRate): "Pulse"
        case .vital(.perfusionIndex): "PI"
        case .vital(.heartRate): "HR"
        case .vital(.bodyTemperature): "Temp body"
        case .vital(.skinTemperature): "Temp skin"
        case .vital(.glucose): "Glucose"
        case .night(.saturation, _): "SpO2 stored"
        case .night(.pulseRate, _): "Pulse stored"
        case .night(.movement, _): "Movement"
        case .wave(.electrocardiogram, _): "ECG"
        case .wave(.plethysmogram, _): "Pleth"
        case .wave(.acceleration, let channel): "Accel " + ["X", "Y", "Z"][min(channel, 2)]
        }
    }

    /// The unit of its signal, as EDF+ and its readers spell it (EDF+, 2.1.3.6).
    var dimension: String {
        switch self {
        case .vital(.oxygenSaturation), .vital(.perfusionIndex), .night(.saturation, _): "%"
        case .vital(.pulseRate), .vital(.heartRate), .night(.pulseRate, _): "bpm"
        case .vital(.bodyTemperature), .vital(.skinTemperature): "degC"
        case .vital(.glucose): "mg/dL"
        case .night(.movement, _), .wave(.plethysmogram, _): ""
        case .wave(.electrocardiogram, _): "uV"
        case .wave(.acceleration, _): "mg"
        }
    }

    /// The greatest value that is usual, in whole units.
    fileprivate var usualMost: Int {
        switch self {
        case .vital(let vital): vital.measurable.upperBound / 100
        case .night(.saturation, _): Vital.oxygenSaturation.measurable.upperBound / 100
        case .night(.pulseRate, _): Vital.pulseRate.measurable.upperBound / 100
        case .night(.movement, _), .wave: 255
        }
    }

    fileprivate var isWave: Bool { if case .wave = self { true } else { false } }
}

/// How the values of a signal become whole numbers of 16 bits, of which the least one means that there is no value.
struct SignalScale: Hashable, Sendable {
    /// The values, in hundredths or steps of a wave, that a whole number stands for.
    let step: Int
    /// The physical values of the digital extremes, and these.
    let physical, digital: ClosedRange<Int>

    /// The code for no value: the least number.
    var none: Int16 { Int16(clamping: digital.lowerBound) }

    /// The scale that no value of a signal goes beyond.
    ///
    /// What cannot be below zero has the range from −1, which means no value; a wave that can, that of all numbers. One
    /// number stands for more than a hundredth, or a step of a wave, only where the values would not fit otherwise.
    init(_ track: SignalTrack) {
        let unit = track.key.quantity.isWave ? 1 : 100
        func whole(_ value: Int) -> Int { value / unit + (value % unit == 0 ? 0 : value < 0 ? -1 : 1) }
        let least = track.least == .max ? 0 : whole(track.least)
        let most = track.most == .min ? 0 : whole(track.most)
        if unit == 1, least < 0 {
            var step = 1
            while least < -32767 * step || most > 32767 * step { step *= 2 }
            (self.step, physical, digital) = (step, -32768 * step...32767 * step, -32768...32767)
            return
        }
        let low = least < 0 ? least - 1 : -1
        let high = max(most, track.key.quantity.usualMost)
        var step = 1
        while low * unit / step < -32768 || high * unit / step > 32767 || unit % step != 0 && step % unit != 0 {
            step *= 10
        }
        // A step that is more than the unit may not divide the ends of the range.
        let ends = max(1, step / unit)
        let (floor, ceiling) = ((low - ends + 1) / ends * ends, (high + ends - 1) / ends * ends)
        (self.step, physical) = (step, floor...ceiling)
        digital = floor * unit / step...ceiling * unit / step
    }

    /// The number of a value, in hundredths or steps of a wave.
    func code(_ value: Int) -> Int16 {
        let value = min(max(value, -SignalTrack.limit), SignalTrack.limit)
        let half = value < 0 ? -step / 2 : step / 2
        return Int16(clamping: min(max(digital.lowerBound + 1, (value + half) / step), digital.upperBound))
    }
}

extension SignalTrack {
    /// The samples in a second: of a wave at least as many as it has, so that none is lost.
    var rate: Int {
        guard nanoseconds > 0, key.quantity.isWave else { return 1 }
        let rate = Double(samples) * 1e9 / Double(nanoseconds)
        // What is measured is not exact.
        return min(max(1, Int(saturating: (rate - 0.001).rounded(.up))), 2000)
    }

    /// The signal of the file.
    ///
    /// - Parameter number: Which of the signals of this kind it is, from 1.
    func signal(_ number: Int) -> EDFSignal {
        let scale = SignalScale(self)
        let placing =
            switch key.quantity {
            case .wave: "none; for each 1/\(rate) s the nearest sample, repeated where the sensor is slower"
            case .night(_, let interval) where interval > 1: "held \(interval) s"
            case .night, .vital: ""
            }
        return EDFSignal(
            key.quantity.label + (number > 1 ? " \(number)" : ""), transducer: sensor.name,
            dimension: key.quantity.dimension, physical: scale.physical, digital: scale.digital,
            prefilter: placing, samplesPerRecord: rate)
    }
}
