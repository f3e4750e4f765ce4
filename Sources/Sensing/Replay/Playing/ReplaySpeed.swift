/// The speed of a replay.
public enum ReplaySpeed: Hashable, Sendable {
    /// A multiple of the original speed.
    case times(Double)
    /// As fast as it can be read.
    case unlimited

    /// The speeds that the keys step through.
    public static let steps: [ReplaySpeed] =
        [0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600].map { .times($0) } + [.unlimited]

    /// The slowest and the fastest numeric speed.
    public static let bounds = 0.01...100_000.0

    /// Parses a typed speed: `10`, `0.5`, `10x`, `max`; `nil` for any other text.
    public init?(_ text: String) {
        if text.lowercased() == "max" {
            self = .unlimited
            return
        }
        let digits = text.hasSuffix("x") || text.hasSuffix("×") ? String(text.dropLast()) : text
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }),
            let number = Double(digits), Self.bounds.contains(number)
        else { return nil }
        self = .times(number)
    }

    /// The next faster of the ``steps``; itself if it is the last.
    public var faster: ReplaySpeed { Self.steps.first { $0.order > order } ?? self }

    /// The next slower of the ``steps``; itself if it is the first.
    public var slower: ReplaySpeed { Self.steps.last { $0.order < order } ?? self }

    private var order: Double {
        switch self {
        case .times(let number): number
        case .unlimited: .infinity
        }
    }

    /// The speed as text, such as `10` or `0.25`, without a sign; `max` for unlimited.
    public var text: String {
        switch self {
        case .unlimited: return "max"
        case .times(let number):
            let text = "\(number)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
    }
}
