import Base
import Monitoring
import Vitals

extension Alarm {
    /// The alarm for screen readers: "heart rate 121 bpm, above the limit of 120 for 10 s, Polar H10".
    package var sentence: String {
        let phrase = phrase
        var text = phrase.subject
        var unit = ""
        if let vital, text.hasPrefix(vital.shortText) {
            text = vital.text + text.dropFirst(vital.shortText.count)
            unit = " \(vital.unitText())"
        } else if kind.isFever, phrase.value != nil, !text.hasSuffix(":") {
            text += ":"
        }
        if let value = phrase.value { text += " \(value)\(unit)" }
        if let relation = kind.relation, let limit = phrase.limit {
            text += ", \(relation.text(limit.dropFirst(relation.sign.count + 1)))"
        } else if let change = phrase.limit {
            text += " \(change.exchanging("≥", for: "at least"))"
        }
        if let duration = phrase.duration { text += " \(duration)" }
        return [text, phrase.site, phrase.source, phrase.status].compactMap { $0 }.joined(separator: ", ")
    }
}

extension Alarm {
    package func capitals(_ glyphs: GlyphSet) -> String {
        if kind.isFever {
            if phase == .pending { return title.uppercased() }
            return (feverRisk == .febrileNeutropenia ? FeverRisk.febrileNeutropenia.title : kind.title).uppercased()
        }
        guard vital == .oxygenSaturation, title != kind.title else { return title.uppercased() }
        return "\(glyphs.oxygenSaturation) \(kind.title.uppercased())"
    }
}

extension LimitRelation {
    /// How a value is related to a limit: "above the limit of 120".
    package func text(_ limit: some StringProtocol) -> String {
        let words =
            switch self {
            case .atLeast: "at or above"
            case .above: "above"
            case .below: "below"
            case .atMost: "at or below"
            }
        return "\(words) the limit of \(limit)"
    }
}
