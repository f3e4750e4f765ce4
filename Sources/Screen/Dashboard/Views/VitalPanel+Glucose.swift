import Appearance
import Base
import Monitoring
import Vitals
import Wording

// The direction of glucose, and its time in the target range in the last day.
extension VitalPanel {
    /// Adds arrow and change after the unit, and the time in range to the remarks.
    mutating func addCourse(of glucose: VitalState, _ screen: ScreenState, at now: Moment) {
        let course = GlucoseCourse(glucose.trend, at: now)
        let text = ValueText(screen.units)
        if case .measured = glucose.condition, let arrow = course.arrow, let delta = course.delta {
            let change = text.difference(delta, of: .glucose)
            let sign = arrow.sign(screen.glyphs)
            courses = ["\(sign) \(delta.hundredths > 0 ? "+" : "")\(change)", sign]
        }
        guard let part = course.inRange else { return }
        let ends = [GlucoseCourse.target.lowerBound, GlucoseCourse.target.upperBound]
            .map { text.limit($0, of: .glucose) }.joined(separator: screen.glyphs.dash)
        func percent(_ percent: Int, _ count: Int) -> String {
            PercentText.text(percent, isSome: count > 0, isAll: count == part.count)
        }
        let inside = percent(part.inside, part.insideCount)
        remarks.append(Remark("\(inside) in \(ends), \(percent(part.below, part.belowCount)) below"))
    }
}

extension GlucoseCourse.Arrow {
    /// The arrow, in characters of the terminal's font: diagonals only in the richest glyph set.
    func sign(_ glyphs: GlyphSet) -> String {
        let signs: [GlyphSet: String] =
            switch self {
            case .fallingVeryFast: [.braille: "⇊", .blocks: "↓↓", .ascii: "--"]
            case .fallingFast: [.braille: "↓", .blocks: "↓", .ascii: "-"]
            case .falling: [.braille: "↘", .blocks: "\\", .ascii: "\\"]
            case .steady: [.braille: "→", .blocks: "→", .ascii: "="]
            case .rising: [.braille: "↗", .blocks: "/", .ascii: "/"]
            case .risingFast: [.braille: "↑", .blocks: "↑", .ascii: "+"]
            case .risingVeryFast: [.braille: "⇈", .blocks: "↑↑", .ascii: "++"]
            }
        return signs[glyphs] ?? ""
    }
}
