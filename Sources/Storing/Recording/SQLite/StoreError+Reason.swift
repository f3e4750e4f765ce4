import Base
import Vitals

extension StoreError {
    /// A short reason for an alarm's line: paths are shortened to file names.
    ///
    /// - Parameter path: The store's file; its folders are shortened in the same way.
    func reason(shortening path: String) -> String {
        var text = description
        // The longest path is removed first, because a shorter one would leave its rest.
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
            text = text.exchanging(String(rest), for: String(rest[rest.index(after: slash)...]))
            rest = rest[..<slash]
        }
        return text
    }
}
