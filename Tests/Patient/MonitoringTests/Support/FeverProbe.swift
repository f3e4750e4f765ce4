import Vitals

@testable import Monitoring

/// A fever rule with a hand-driven clock, for one sensor.
struct FeverProbe {
    var rule = FeverRule()
    var settings = MonitorSettings.Fever()
    var sensor = SensorIdentity.core
    var site: BodySite?
    var quality = Reading.Quality.good
    /// The newest verdict.
    var verdict = FeverVerdict(single: .unmet, sustained: .unmet)
    /// The moment of the newest sample, in seconds.
    var newest = 0.0

    init(
        _ settings: MonitorSettings.Fever = MonitorSettings.Fever(), sensor: SensorIdentity = .core,
        site: BodySite? = nil
    ) {
        self.settings = settings
        self.sensor = sensor
        self.site = site
    }

    /// One sample, in hundredths of a degree.
    @discardableResult
    mutating func feed(_ hundredths: Int, at seconds: Double) -> FeverVerdict {
        newest = max(newest, seconds)
        verdict = rule.evaluate(
            Sample(
                value: VitalValue(hundredths: hundredths), quality: quality, moment: Ward.moment(seconds),
                sensor: sensor, site: site),
            settings: settings)
        return verdict
    }

    /// Samples of one temperature at equal distances; both ends are included.
    mutating func feed(_ hundredths: Int, from: Double, through: Double, every step: Double = 10) {
        for second in stride(from: from, through: through, by: step) { feed(hundredths, at: second) }
    }

    /// The progress of the rule about sustained fever, as text, some seconds after the newest sample.
    func progress(after seconds: Double = 0) -> String? {
        rule.progress(at: Ward.moment(newest + seconds), settings: settings)?.text(limit: "38.0")
    }
}

extension MonitorSettings.Fever {
    /// The usual settings with the rule of NeutroFeverGuard.
    static var neutroFeverGuard: MonitorSettings.Fever {
        var settings = MonitorSettings.Fever()
        settings.rule = .neutroFeverGuard
        return settings
    }

    /// The usual settings with the median of three as confirmation.
    static var medianOfThree: MonitorSettings.Fever {
        var settings = MonitorSettings.Fever()
        settings.confirmation = .medianOfThree
        return settings
    }
}
