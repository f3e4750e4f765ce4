extension StoreError {
    /// What an alarm says of it, which has room for a line: the file by its name, so that the reason is not cut off.
    ///
    /// - Parameter path: The store's file; its folders, of which one may be what fails, are shortened likewise.
    func reason(shortening path: String) -> String {
        var text = description
        // The longest first: what is left of a path has no folder before it any more.
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
            text = text.replacing(rest, with: rest[rest.index(after: slash)...])
            rest = rest[..<slash]
        }
        return text
    }
}
