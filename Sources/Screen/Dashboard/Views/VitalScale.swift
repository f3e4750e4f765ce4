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
        let traits = Self.traits(of: vital, unit)
        let (step, least, most) = (traits.fittedStep, traits.fittedLeast, traits.fittedMost)
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
        let traits = Self.traits(of: vital, unit)
        let step = traits.step
        range = traits.usual
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

    /// What the vital's traits say of its scale in the unit that is shown.
    private static func traits(of vital: Vital, _ unit: DisplayUnits) -> VitalTraits.Scale {
        let isConverted =
            switch vital.traits.unit {
            case .celsius: unit.temperature == .fahrenheit
            case .milligramsPerDecilitre: unit.glucose == .millimolesPerLitre
            default: false
            }
        return isConverted ? vital.traits.convertedScale ?? vital.traits.scale : vital.traits.scale
    }

    /// A value of the scale as a label.
    static func label(_ hundredths: Int) -> String {
        let tenths = abs(hundredths) % 100 / 10
        return tenths == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(tenths)"
    }
}
