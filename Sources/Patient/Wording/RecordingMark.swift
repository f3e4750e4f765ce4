import Base

/// The header's mark for recording.
public enum RecordingMark: String, CaseIterable, Hashable, Sendable {
    /// Nothing is known yet.
    case unknown
    /// They are.
    case on
    /// They are not, because the user wants it so.
    case off
    /// They wait in memory, because the store cannot be written.
    case failing

    /// The mark as text: "REC ●".
    package func text(_ glyphs: GlyphSet) -> String {
        switch self {
        case .unknown: ""
        case .on: "REC \(glyphs.full)"
        case .off: "not recording"
        case .failing: "REC FAILS"
        }
    }
}
