/// Reads a length of time as people type it: a positive number with a unit, `ms`, `s` (the default), `m` or `h`.
///
/// - Returns: The duration, or `nil` when the text is none, is not positive, or is longer than a thousand days.
public func duration(fromText text: String) -> Duration? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), number > 0, number <= 86_400_000 else { return nil }
    let seconds: Double
    switch text.dropFirst(digits.count) {
    case "ms": seconds = number / 1000
    case "", "s": seconds = number
    case "m", "min": seconds = number * 60
    case "h": seconds = number * 3600
    default: return nil
    }
    guard seconds <= 86_400_000 else { return nil }
    return .seconds(seconds)
}
