import VitalDecoders

/// Inputs as lines of text, `DECODER PLAN OCTETS`: what the repository keeps, whatever the order of the decoders.
///
/// DECODER is a UUID, or `lines` for `bedside decode - -`; PLAN and OCTETS are hexadecimal.
enum FuzzCorpus {
    /// The octets of the inputs that lines describe; lines that describe none are left out.
    static func inputs(_ text: String) -> [[UInt8]] {
        text.split(separator: "\n").compactMap(input)
    }

    /// The octets of the inputs that the list of vectors gives: every value with every plan.
    static func inputs(vectors text: String) -> [[UInt8]] {
        text.split(separator: "\n").flatMap { line -> [[UInt8]] in
            let parts = line.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, let uuid = parts[0].split(separator: " ").first else { return [] }
            return (0..<32).compactMap { plan in input("\(uuid) \(String(plan, radix: 16)) \(parts[1])") }
        }
    }

    /// The line that describes an input, or `nil` when the octets are none.
    static func line(_ octets: [UInt8]) -> String? {
        octets.withUnsafeBufferPointer { buffer in
            guard let input = FuzzInput(buffer) else { return nil }
            let isLines = input.target == FuzzInput.linesTarget
            let name = isLines ? "lines" : FuzzInput.decoders[input.target].uuid.description
            return ([name] + buffer.dropFirst().map(hexadecimal)).joined(separator: " ")
        }
    }

    private static func input(_ line: some StringProtocol) -> [UInt8]? {
        let words = line.split(separator: " ")
        guard words.count >= 2, let target = target(String(words[0])) else { return nil }
        return [target] + words.dropFirst().compactMap { UInt8($0, radix: 16) }
    }

    private static func target(_ name: String) -> UInt8? {
        let index =
            name == "lines"
            ? FuzzInput.linesTarget : FuzzInput.decoders.firstIndex { $0.uuid.description == name }
        return index.flatMap { UInt8(exactly: $0) }
    }

    private static func hexadecimal(_ octet: UInt8) -> String {
        (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
    }
}
