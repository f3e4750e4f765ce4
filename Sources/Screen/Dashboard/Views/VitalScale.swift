import Monitoring
import Vitals
import Wording

/// The vertical scale of a vital's trend: fixed and sensible, wider if values require it, or fitted to the values, but
/// never zoomed into noise.
struct VitalScale {
    /// The ends, in hundredths of the shown unit.
    var range: ClosedRange<Int>

    /// A range that fits the spans, in round steps, and wide enough that noise looks like noise; the usual one without
    /// values.
    init(fitting spans: [TrendSpan?], _ vital: Vital, unit: DisplayUnits) {
        let known = spans.compactMap(\.self)
        guard let lowest = known.map(\.low).min(), let highest = known.map(\.high).max() else {
            self = VitalScale(vital, unit: unit, spans: [])
            return
        }
        let (step, least, most): (Int, Int, Int) =
            switch vital {
            case .heartRate, .pulseRate: (1000, 3000, 1_000_000)
            case .oxygenSaturation: (200, 600, 10_000)
            case .glucose: unit.glucose == .milligramsPerDecilitre ? (1000, 4000, 1_000_000) : (100, 200, 1_000_000)
            case .bodyTemperature, .skinTemperature:
                unit.temperature == .celsius ? (50, 100, 1_000_000) : (100, 200, 1_000_000)
            }
        func bounded(_ value: Int) -> Int { min(max(value, -1_000_000), 1_000_000) }
        func roundedDown(_ value: Int) -> Int { value - ((value % step) + step) % step }
        var low = roundedDown(bounded(lowest))
        var high = min(max(most, bounded(highest)), -roundedDown(-bounded(highest)))
        var isAbove = true
        while high - low < least {
            if isAbove, high + step <= most { high += step } else { low -= step }
            isAbove.toggle()
        }
        range = low...high
    }

    /// The usual range, widened in steps until all spans fit in.
    init(_ vital: Vital, unit: DisplayUnits, spans: [TrendSpan?]) {
        let step: Int
        switch vital {
        case .heartRate, .pulseRate:
            range = 4000...18_000
            step = 2000
        case .glucose:
            let isMolar = unit.glucose == .millimolesPerLitre
            range = isMolar ? 200...1400 : 4000...24_000
            step = isMolar ? 200 : 4000
        case .oxygenSaturation:
            range = 8000...10_000
            step = 1000
        case .bodyTemperature:
            range = unit.temperature == .celsius ? 3500...4100 : 9500...10_600
            step = 100
        case .skinTemperature:
            range = unit.temperature == .celsius ? 3000...4000 : 8600...10_400
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
        let tenths = abs(hundredths) % 100 / 10
        return tenths == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(tenths)"
    }
}
