import Glibc

/// A text to compare messages with, stored as a C string, so that comparing allocates nothing.
struct MatchedText {
    private let characters: ContiguousArray<CChar>

    init(_ text: String) {
        characters = text.utf8CString
    }

    /// Whether a C string is this text.
    func equals(_ found: UnsafePointer<CChar>?) -> Bool {
        guard let found else { return false }
        return characters.withUnsafeBufferPointer { own in
            own.baseAddress.map { strcmp($0, found) == 0 } ?? false
        }
    }

    /// Whether a C string is this path, or one below it.
    func isSameOrAncestor(of found: UnsafePointer<CChar>?) -> Bool {
        guard let found else { return false }
        let length = characters.count - 1
        return characters.withUnsafeBufferPointer { own in
            guard let start = own.baseAddress, strncmp(start, found, length) == 0 else { return false }
            return found[length] == 0 || found[length] == CChar(UInt8(ascii: "/"))
        }
    }
}
