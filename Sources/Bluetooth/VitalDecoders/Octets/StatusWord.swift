/// A word of independent bits; unassigned bits are kept.
public protocol StatusWord: OptionSet, Hashable, Sendable, CustomStringConvertible
where RawValue: FixedWidthInteger & UnsignedInteger & Sendable, Element == Self {
    /// The assigned bits, counted from the least significant, with their names.
    static var bits: [(bit: Int, name: String)] { get }
}

extension StatusWord {
    /// The names of the bits that are set, in order, without unassigned ones.
    public var names: [String] {
        Self.bits.filter { rawValue & (1 << $0.bit) != 0 }.map(\.name)
    }

    /// The names of the bits that are set, separated by commas.
    public var description: String {
        FlagText.describe(rawValue, Self.bits)
    }
}
