import Base
import Vitals

/// The limits of a vital in hundredths, calculated once instead of at each event.
struct LimitBounds: Codable, Hashable, Sendable {
    let limits: VitalLimits
    /// Within these no limit is crossed; in hundredths.
    let quiet: ClosedRange<Int>
    let hysteresis: Int
    let hold: Duration
    let watchesChange: Bool
    let flatLine: Int64?

    init(_ limits: VitalLimits) {
        self.limits = limits
        func value(_ kind: LimitKind) -> Int? { limits[kind].value?.hundredths }
        let lower = max(value(.severeLow) ?? .min, value(.low) ?? .min)
        let upper = min(value(.high) ?? .max, value(.severeHigh) ?? .max)
        // Contradictory limits are refused earlier; if some reach this point, no value counts as quiet.
        quiet = lower <= upper ? lower...upper : 0...0
        hysteresis = limits.hysteresis.hundredths.clamped(to: 0...100_000)
        hold = max(.zero, limits.minimumHold)
        watchesChange = limits.fall.amount != nil || limits.rise.amount != nil
        flatLine = limits.flatLine?.nanoseconds
    }

    /// Returns a limit's verdict on a value.
    func verdict(_ kind: LimitKind, _ value: Int) -> AlarmVerdict {
        guard let limit = limits[kind].value?.hundredths else { return .unmet }
        let (beyond, overflow) =
            kind.isLow ? limit.subtractingReportingOverflow(value) : value.subtractingReportingOverflow(limit)
        if overflow { return (value < limit) == kind.isLow ? .met : .unmet }
        if beyond > 0 { return .met }
        return beyond > -hysteresis ? .held : .unmet
    }
}
