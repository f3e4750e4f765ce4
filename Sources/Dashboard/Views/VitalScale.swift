import Monitoring
import VitalDecoders
import Vitals

/// The vertical scale of a vital's trend: fixed and sensible, wider when values demand it, never zoomed into noise.
struct VitalScale {
    /// The ends, in hundredths of the unit that is shown.
    var range: ClosedRange<Int>

    /// The usual range, widened in steps until all spans fit in.
    init(_ vital: Vital, unit: TemperatureUnit, spans: [TrendSpan?]) {
        let step: Int
        switch vital {
        case .heartRate, .pulseRate:
            range = 4000...18_000
            step = 2000
        case .oxygenSaturation:
            range = 8000...10_000
            step = 1000
        case .bodyTemperature:
            range = unit == .celsius ? 3500...4100 : 9500...10_600
            step = 100
        case .skinTemperature:
            range = unit == .celsius ? 3000...4000 : 8600...10_400
            step = 100
        }
        var low = range.lowerBound
        var high = range.upperBound
        for case let span? in spans {
            low = min(low, span.low)
            high = max(high, span.high)
        }
        low = max(low, -1_000_000)
        high = min(high, 1_000_000)
        let below = (range.lowerBound - low + step - 1) / step
        let above = (high - range.upperBound + step - 1) / step
        range = range.lowerBound - below * step...range.upperBound + above * step
    }

    /// A value of the scale as a label.
    static func label(_ hundredths: Int) -> String {
        "\(hundredths / 100)"
    }
}
