import Appearance
import Monitoring
import Vitals
import Wording

// Manual entries, large if no sensor measures, and otherwise beside the sensor's value.
extension VitalPanel {
    /// Shows the typed value.
    ///
    /// A sensor's value is never hidden, nor the reason of a wanted sensor for a missing one: then both are shown.
    ///
    /// - Returns: The value, if it replaces a sensor's.
    mutating func showManual(
        _ slot: ShownVital.Place, beside condition: VitalCondition, _ state: MonitorState, _ screen: ScreenState,
        _ time: TimeText
    ) -> SpotFinding? {
        let named = slot.candidates.first
        guard let found = state.spotFinding(of: named, at: time.now) else { return nil }
        let number =
            found.value.map {
                ValueText(screen.units).digits($0, of: named, limits: state.boundaries(of: named))
            } ?? found.word
        let doubt = found.isDoubtful ? " ?" : ""
        let mark = found.isUnconfirmed ? "\(EntryFacts.unconfirmed) " : ""
        let words = "\(mark)\(found.origin) \(number)\(doubt) at \(time.clock(found.moment))"
        guard vital == named, condition.leavesPlace(to: found.moment) else {
            if let banner = missing, banner.isBanner {
                missing?.last = [banner.last, words].compactMap { $0 }.joined(separator: screen.glyphs.dot)
            } else {
                remarks.append(Remark(words))
            }
            return nil
        }
        let isOld = time.now.since(found.moment) >= named.traits.validity
        (title, shortTitle) = Self.titles(vital, site: found.site, glyphs: screen.glyphs)
        missing = nil
        isManual = found.sensor.kind == .manual
        digits = number
        digitStyle = isOld ? Style(role, .dim) : Style(role, .bold)
        source = ""
        freshness =
            "\(isOld ? "OLD " : "")\(found.isUnconfirmed ? "UNCONFIRMED " : "")\(found.isDoubtful ? "DOUBTFUL " : "")\(found.origin) \(time.clock(found.moment)), \(time.manualAge(of: found.moment))"
        return found
    }

    /// The vital whose typed values are marks in the trend: those of a heart rate beside a pulse, too.
    var manualVital: Vital { vital == .pulseRate ? .heartRate : vital }

    /// The value with a sign if no text fits: "38.4m" was typed, "38.4?" is overdue.
    var markedDigits: String { isManual && !isStale ? "\(digits)m" : isStale || isEstimate ? "\(digits)?" : digits }

    /// The value; with its sign if it is overdue and no text beside it says so.
    func digits(isStaleNamed: Bool) -> String { isStale && !isStaleNamed ? markedDigits : digits }
}

extension VitalCondition {
    /// Whether no sensor measures, nor should, so that the typed value is the best known one.
    fileprivate func leavesPlace(to moment: Moment) -> Bool {
        switch self {
        case .neverSeen: true
        case .notConnected(let last, _): last.map { $0.moment < moment } ?? true
        case .measured, .stale, .lost, .noMeasurement: false
        }
    }
}
