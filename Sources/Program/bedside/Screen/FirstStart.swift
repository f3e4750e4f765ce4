import UserFiles

/// Whether this is the user's first start, which shows the welcome card.
enum FirstStart {
    /// Whether it is due with real sensors, without remembering anything.
    static var isDue: Bool {
        guard let path = try? path(isSimulated: false) else { return false }
        return (try? PrivateFile.read(path)) == .some(nil)
    }

    private static func path(isSimulated: Bool) throws(UserFileError) -> String {
        "\(try UserDirectories.current().state)/\(isSimulated ? "simulated/welcomed" : "welcomed")"
    }

    /// Returns `true` once per user, and once more with simulated sensors, and remembers that; `false` if it cannot be
    /// remembered.
    static func isNow(isSimulated: Bool) -> Bool {
        do throws(UserFileError) {
            let path = try path(isSimulated: isSimulated)
            guard try PrivateFile.read(path) == nil else { return false }
            try PrivateFile.replace(path, with: Array("Bedside has greeted its first start.\n".utf8))
            return true
        } catch {
            return false
        }
    }
}
