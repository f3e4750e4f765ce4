/// Describes the bits of flags and status words, to show them to users.
@usableFromInline
enum FlagText {
    /// The names of the bits that are set, and of some that are not; other set bits are called reserved.
    ///
    /// - Parameters:
    ///   - flags: The word.
    ///   - names: The meaning of a set bit.
    ///   - otherwise: The meaning of an unset bit, where that is worth mentioning.
    @usableFromInline
    static func describe(
        _ flags: some FixedWidthInteger & UnsignedInteger, _ names: [(bit: Int, name: String)],
        otherwise: [(bit: Int, name: String)] = []
    ) -> String {
        var words: [String] = []
        for bit in 0..<flags.bitWidth {
            if flags & (1 << bit) != 0 {
                words.append(names.first { $0.bit == bit }?.name ?? "reserved bit \(bit)")
            } else if let name = otherwise.first(where: { $0.bit == bit })?.name {
                words.append(name)
            }
        }
        return words.isEmpty ? "none set" : words.joined(separator: ", ")
    }
}
