import UserFiles

/// Whether this is the user's first start, which shows the welcome card.
enum FirstStart {
    /// Returns `true` once per user, and once more with simulated sensors, and remembers that; `false` if it cannot be
    /// remembered.
    static func isNow(isSimulated: Bool) -> Bool {
        do throws(UserFileError) {
            let name = isSimulated ? "simulated/welcomed" : "welcomed"
            let path = "\(try UserDirectories.current().state)/\(name)"
            guard try PrivateFile.read(path) == nil else { return false }
            try PrivateFile.replace(path, with: Array("Bedside has greeted its first start.\n".utf8))
            return true
        } catch {
            return false
        }
    }
}
