import Vitals

extension FeverProgress {
    /// The progress in one line: "≥ 38.0 for 34 of 60 min", "1-hour fever rule: 12 of 60 min recorded".
    ///
    /// - Parameters:
    ///   - limit: The limit in the shown unit: "38.0".
    ///   - atLeast: The sign for "at least", if "≥" cannot be shown.
    public func text(limit: String, atLeast: String = "≥") -> String {
        switch self {
        case .warm(let minutes, let window): "\(atLeast) \(limit) for \(minutes) of \(window) min"
        case .insufficientData(let minutes, let window):
            "\(window == 60 ? "1-hour" : "\(window)-minute") fever rule: \(minutes) of \(window) min recorded"
        }
    }
}

extension FeverRuleName {
    /// The title of an alarm by this rule: a rule's result, not a diagnosis.
    public func text(for kind: AlarmKind) -> String {
        switch (self, kind) {
        case (.neutroFeverGuard, _): "possible fever (NeutroFeverGuard rule)"
        case (.bedside, .feverSustained): "possible fever (sustained)"
        case (.bedside, _): "possible fever (limit reached)"
        }
    }
}

extension BodySite {
    /// A note on a body temperature from this site, because the guideline's limits are about oral temperature; `nil`
    /// for the mouth.
    ///
    /// - Parameter site: The site, if the sensor reports it.
    public static func feverNote(for site: BodySite?) -> String? {
        switch site {
        case .mouth: nil
        case .core: "CORE estimates core temperature; the guideline speaks of oral"
        case .armpit: "armpit: unreliable; the guideline speaks of oral"
        case .ear, .tympanum: "ear; the guideline speaks of oral"
        case .rectum: "rectal: not to be used in neutropenia; the guideline speaks of oral"
        case .skin: "skin sensor, not core: never evaluated for fever"
        case .gastrointestinalTract: "gastrointestinal tract; the guideline speaks of oral"
        case .finger, .toe, .hand, .foot, .wrist, .chest, .earLobe:
            "taken at the surface of the body; the guideline speaks of oral"
        case .body, .other, nil: "site unspecified; the guideline speaks of oral"
        }
    }
}
