/// The number of colours of a terminal.
public enum ColorDepth: Int, CaseIterable, Hashable, Sendable, Comparable {
    /// No colours, or unwanted ones (`NO_COLOR`): only attributes distinguish styles.
    case none = 0
    /// The eight of the oldest colour terminals and the Linux console.
    case basic = 8
    /// The eight and their bright siblings.
    case bright = 16
    case palette = 256
    /// Any colour ("truecolor").
    case direct = 0x100_0000

    /// The greatest depth with this many colours.
    public init(colorCount: Int) {
        // Quirk direct-colors: a terminal with more colours than a palette encodes red, green and blue in a colour's
        // number.
        self = Self.allCases.last { $0.rawValue <= colorCount } ?? .none
    }

    /// Orders depths by their number of colours.
    public static func < (lhs: ColorDepth, rhs: ColorDepth) -> Bool { lhs.rawValue < rhs.rawValue }
}
