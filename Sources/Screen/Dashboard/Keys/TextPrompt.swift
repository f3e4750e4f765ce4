import Appearance
import Base
import Wording

/// A line in which the user types a short text: a name, a number, a search text.
///
/// A value: it handles keys, and `view(columns:)` returns the text to draw. Whatever is typed or pasted, the text stays
/// one line of printable characters and within its limit.
public struct TextPrompt: Hashable, Sendable {
    /// The label, such as "Name".
    public let title: String
    /// The greatest number of characters (Unicode scalars) of the text.
    public let limit: Int
    /// The text before the cursor.
    private var before: String
    /// The text from the cursor on.
    private var after = ""

    public init(_ title: String, text: String = "", limit: Int = 64) {
        self.title = title
        self.limit = max(1, limit)
        before = ""
        for scalar in text.unicodeScalars { insert(scalar) }
    }

    /// The typed text.
    public var text: String { before + after }

    /// The result of a key press.
    public enum Outcome: Hashable, Sendable {
        /// The text or the cursor changed.
        case edited
        /// The user confirmed the text.
        case accepted
        /// The user cancelled.
        case cancelled
        /// The key has no effect.
        case ignored
    }

    /// Handles a key.
    public mutating func keyPressed(_ key: Key) -> Outcome {
        let old = self
        switch key {
        case .enter: return .accepted
        case .escape: return .cancelled
        case .character(let scalar): insert(scalar)
        // Only Enter confirms: the end of a pasted line is a blank like others.
        case .pasted(let scalar): insert(scalar.properties.isWhitespace ? " " : scalar)
        case .left: before.popLast().map { after = String($0) + after }
        case .right: takeFirst().map { before.append($0) }
        case .home:
            after = before + after
            before = ""
        case .end:
            before += after
            after = ""
        case .backspace: _ = before.popLast()
        case .delete: _ = takeFirst()
        case .eraseLine: before = ""
        case .up, .down, .pageUp, .pageDown, .tab, .function, .other: return .ignored
        }
        return self == old ? .ignored : .edited
    }

    private mutating func takeFirst() -> Character? {
        after.isEmpty ? nil : after.removeFirst()
    }

    private mutating func insert(_ scalar: Unicode.Scalar) {
        // Characters that are not shown unchanged (control characters, invisible ones) are not accepted either.
        guard scalar.printable == scalar, scalar != "\u{FFFD}", text.unicodeScalars.count < limit else { return }
        before.unicodeScalars.append(scalar)
    }

    /// The part of the text around the cursor that fits, and the cursor's column in it.
    ///
    /// - Parameter columns: The width, with space for the cursor after the text.
    func view(columns: Int) -> (text: String, cursor: Int) {
        guard columns > 0 else { return ("", 0) }
        var shown = Substring(before)
        var width = columnWidth(of: before)
        while width > columns - 1, let first = shown.first {
            width -= columnWidth(of: String(first))
            shown.removeFirst()
        }
        return (String(shown) + after, max(0, width))
    }
}
