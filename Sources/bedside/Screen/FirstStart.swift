import UserFiles

/// Whether this is the very first start, which shows the welcome page.
enum FirstStart {
    /// Returns `true` once per user, and remembers that; `false` where it cannot be remembered.
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
