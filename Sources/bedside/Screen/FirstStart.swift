import UserFiles

/// Whether Bedside was ever started here: the very first start is greeted.
enum FirstStart {
    /// Answers `true` once for each user, and remembers that; `false` where it cannot be remembered.
    static func isNow() -> Bool {
        do throws(UserFileError) {
            let path = "\(try UserDirectories.current().state)/welcomed"
            guard try PrivateFile.read(path) == nil else { return false }
            try PrivateFile.replace(path, with: Array("Bedside has greeted its first start.\n".utf8))
            return true
        } catch {
            return false
        }
    }
}
