/// How many colours a terminal has.
public enum ColorDepth: Int, CaseIterable, Hashable, Sendable, Comparable {
    /// No colours, or unwanted ones (`NO_COLOR`): attributes alone distinguish things.
    case none = 0
    /// The eight of the oldest colour terminals and the Linux console.
    case basic = 8
    /// The eight and their bright siblings.
    case bright = 16
    /// A palette of 256.
    case palette = 256
    /// Any colour ("truecolor").
    case direct = 0x100_0000

    /// The greatest depth with this many colours.
    public init(colorCount: Int) {
        // Quirk direct-colors: more than the palette has means that a colour's number is its red, green and blue.
        self = Self.allCases.last { $0.rawValue <= colorCount } ?? .none
    }

    /// Orders depths by how many colours they have.
    public static func < (lhs: ColorDepth, rhs: ColorDepth) -> Bool { lhs.rawValue < rhs.rawValue }
}
