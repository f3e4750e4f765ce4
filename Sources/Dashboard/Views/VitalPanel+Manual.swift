import Appearance
import Monitoring
import Vitals

// What was measured by hand, large where no sensor measures, and else beside the sensor's value.
extension VitalPanel {
    /// The value of a vital that was typed, as long as it is shown.
    static func manualSample(of vital: Vital, _ state: MonitorState, at now: Moment) -> Sample? {
        state.patientRecord.newest(vital).flatMap { now.since($0.moment) < PatientRecord.shownFor ? $0 : nil }
    }

    /// What a value that was measured once comes from: "manual", or the name of a sensor.
    static func origin(of sample: Sample) -> String {
        sample.sensor.kind == .manual ? "manual" : sample.sensor.shortName(limit: 16)
    }

    /// Shows the value that was typed.
    ///
    /// A sensor's value is never hidden, and neither is a wanted sensor's reason for having none: then both are shown.
    ///
    /// - Returns: The value, if it replaces a sensor's.
    mutating func showManual(
        _ slot: Slot, beside condition: VitalCondition, _ state: MonitorState, _ screen: ScreenState, _ time: TimeText
    ) -> Sample? {
        let named = slot.candidates.first
        guard let sample = Self.manualSample(of: named, state, at: time.now) else { return nil }
        let number = ValueText(screen.units)
            .digits(sample.value, of: named, limits: state.boundaries(of: named))
        let words = "\(Self.origin(of: sample)) \(number) at \(time.clock(sample.moment))"
        guard vital == named, condition.leavesPlace(to: sample) else {
            if let banner = missing, banner.isBanner {
                missing?.last = [banner.last, words].compactMap { $0 }.joined(separator: screen.glyphs.dot)
            } else {
                remarks.append(Remark(words))
            }
            return nil
        }
        let isOld = time.now.since(sample.moment) >= PatientRecord.validity(of: named)
        (title, shortTitle) = Self.titles(vital, site: sample.site, glyphs: screen.glyphs)
        missing = nil
        isManual = sample.sensor.kind == .manual
        digits = number
        digitStyle = isOld ? Style(role, .dim) : Style(role, .bold)
        source = ""
        freshness =
            "\(isOld ? "OLD " : "")\(Self.origin(of: sample)) \(time.clock(sample.moment)), \(time.manualAge(of: sample.moment))"
        return sample
    }

    /// The vital whose typed values are marks in the trend: those of a heart rate beside a pulse, too.
    var manualVital: Vital { vital == .pulseRate ? .heartRate : vital }

    /// The value with a sign where no text fits: "38.4m" was typed, "38.4?" should have been renewed.
    var markedDigits: String { isStale ? "\(digits)?" : isManual ? "\(digits)m" : digits }

    /// The value; with its sign when it should have been renewed and no text beside it says so.
    func digits(isStaleNamed: Bool) -> String { isStale && !isStaleNamed ? markedDigits : digits }
}

extension VitalCondition {
    /// Whether no sensor measures, nor should, so that what was typed is the best that is known.
    fileprivate func leavesPlace(to sample: Sample) -> Bool {
        switch self {
        case .neverSeen: true
        case .notConnected(let last, _): last.map { $0.moment < sample.moment } ?? true
        case .measured, .stale, .lost, .noMeasurement: false
        }
    }
}
