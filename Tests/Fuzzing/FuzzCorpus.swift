import VitalDecoders

/// Inputs as lines of text, `TARGET PLAN OCTETS`: what the repository keeps, whatever the order of the targets.
///
/// TARGET is the UUID of a decoder, `lines` for `bedside decode - -`, or the name of a driver; PLAN and OCTETS are hexadecimal.
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
            let name = FuzzInput.name(of: input.target)
            return ([name] + buffer.dropFirst().map(hexadecimal)).joined(separator: " ")
        }
    }

    private static func input(_ line: some StringProtocol) -> [UInt8]? {
        let words = line.split(separator: " ")
        guard words.count >= 2, let target = targets[String(words[0])] else { return nil }
        return [target] + words.dropFirst().compactMap { UInt8($0, radix: 16) }
    }

    private static let targets = Dictionary(
        (0..<FuzzInput.targetCount).compactMap { target in
            UInt8(exactly: target).map { (FuzzInput.name(of: target), $0) }
        }, uniquingKeysWith: { first, _ in first })

    private static func hexadecimal(_ octet: UInt8) -> String {
        (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
    }
}
