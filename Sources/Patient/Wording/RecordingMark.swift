import Base

/// The header's mark for recording.
public enum RecordingMark: String, CaseIterable, Hashable, Sendable {
    /// Nothing is known yet.
    case unknown
    /// They are recorded.
    case on
    /// They are not recorded, because the user has switched recording off.
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
