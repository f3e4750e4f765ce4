import Appearance
import Base
import TextGrid
import Wording

/// A piece of a line that is either shown completely or omitted.
struct Segment {
    var text: String
    /// Its style.
    var style: Style
    /// Its rank; the lowest is omitted last.
    var rank: Int

    init(_ text: String, _ style: Style, rank: Int) {
        self.text = text
        self.style = style
        self.rank = rank
    }

    /// The most important pieces that fit side by side, in their order.
    static func fitting(_ segments: [Segment], gap: Int, columns: Int) -> [Segment] {
        var kept = segments.filter { !$0.text.isEmpty }
        var widths = kept.map { columnWidth(of: $0.text) }
        var width = widths.reduce(0, +) + gap * max(0, kept.count - 1)
        while width > columns, let least = kept.indices.max(by: { kept[$0].rank < kept[$1].rank }) {
            width -= widths.remove(at: least) + (kept.count > 1 ? gap : 0)
            kept.remove(at: least)
        }
        return kept
    }

    /// The columns of the pieces side by side.
    static func width(of segments: [Segment], gap: Int) -> Int {
        segments.reduce(0) { $0 + columnWidth(of: $1.text) } + gap * max(0, segments.count - 1)
    }
}

extension Grid {
    /// Writes the pieces that fit side by side.
    ///
    /// - Returns: The offset after the last.
    @discardableResult
    mutating func put(_ segments: [Segment], gap: Int, at offset: Int = 0, in area: Area) -> Int {
        var offset = offset
        let kept = Segment.fitting(segments, gap: gap, columns: area.columns - offset)
        for (index, segment) in kept.enumerated() {
            if index > 0 { offset += gap }
            offset = put(segment.text, segment.style, at: offset, in: area)
        }
        return offset
    }

    /// Writes a text at the right end of the first row of an area.
    package mutating func putRight(_ text: String, _ style: Style, in area: Area) {
        put(text, style, at: max(0, area.columns - columnWidth(of: text)), in: area)
    }
}
