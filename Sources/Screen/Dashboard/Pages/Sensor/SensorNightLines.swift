import Appearance
import Base
import Monitoring
import TextGrid
import Vitals
import Wording

/// The part of the page of a ring about its stored nights: when each begins, how long it is, what has become of it.
struct SensorNightLines {
    let nights: SensorNights
    let scene: Scene
    /// The width of the page.
    let columns: Int
    private var glyphs: GlyphSet { scene.glyphs }

    /// The columns of a full bar of progress.
    private static let barWidth = 20

    /// The lines, the newest night first.
    var lines: [SensorContent.Line] {
        [.item("Generation", NightLabels.text(nights.generation), .plain, glyphs)]
            + SensorContent.Line.sentences(
                "Nights", summary, nights.isTransferring ? .strong : .plain, columns: columns, glyphs)
            + (nights.nights ?? []).reversed().flatMap { line(of: $0) }
    }

    private var summary: String {
        if nights.isTransferring { return "being fetched; present values go on by themselves after that" }
        let key = scene.screen.keys.name(of: .fetchNights)
        guard let stored = nights.nights else { return "not asked for\(glyphs.dot)\(key) fetches them" }
        if stored.isEmpty { return "none on the ring" }
        let wanted = nights.wanted.count
        if wanted == 0 { return "all of them are stored" }
        return "\(wanted) of \(stored.count) not stored\(glyphs.dot)\(key) fetches \(wanted == 1 ? "it" : "them")"
    }

    private func line(of night: SensorNights.Night) -> [SensorContent.Line] {
        let length = night.minutes.map { NightLabels.length(minutes: $0) }
        let words = [NightLabels.title(night.name), length, NightLabels.text(night.state)].compactMap(\.self)
        let (bar, style) = (bar(of: night.state), style(of: night.state))
        return SensorContent.Line.sentences(
            "Night", words.joined(separator: glyphs.dot) + bar, style, columns: columns, glyphs)
    }

    private func style(of state: SensorNights.State) -> Style {
        if case .failed = state { .strong } else { .plain }
    }

    /// How much is here, as a bar; empty for a night that is not being fetched.
    private func bar(of state: SensorNights.State) -> String {
        guard case .fetching(let percent) = state else { return "" }
        let full = min(max(percent, 0), 100) * Self.barWidth / 100
        return " [" + String(repeating: "#", count: full) + String(repeating: ".", count: Self.barWidth - full) + "]"
    }
}
