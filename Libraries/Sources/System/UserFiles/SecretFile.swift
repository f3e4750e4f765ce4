import Glibc

/// Why a file that only its owner may read cannot be used: a phrase for the user, without its content.
public struct SecretFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Files that only their owner may read.
public enum SecretFile {
    /// Checks that this program can read a file and no other user can.
    ///
    /// - Throws: ``SecretFileError`` when that is not so.
    public static func check(_ path: String) throws(SecretFileError) {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw SecretFileError("\(path) cannot be read (\(UserFileError.systemReason))")
        }
        guard status.st_mode & mode_t(S_IRWXG | S_IRWXO) == 0 else {
            throw SecretFileError("others can read \(path); run: chmod 600 \(path)")
        }
    }

    /// Reads the lines of a file.
    ///
    /// - Parameters:
    ///   - name: A path; without `/` the name of a credential of systemd.
    ///   - credentials: The folder of the credentials (`$CREDENTIALS_DIRECTORY`); `nil` for none.
    /// - Returns: Its path, and its lines without empty ones at the end.
    /// - Throws: ``SecretFileError`` when the file cannot be used.
    public static func lines(
        of name: String, credentials: String?
    ) throws(SecretFileError) -> (path: String, lines: [String]) {
        let isCredential = !name.contains("/")
        let path: String
        if isCredential {
            guard let credentials else {
                throw SecretFileError("there is no credential \(name), because systemd has not started Bedside")
            }
            path = "\(credentials)/\(name)"
        } else {
            path = name
        }
        // Only the service's user can read a credential, whatever the group bits of its mode are.
        if !isCredential { try check(path) }
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(path, limit: limit)
        } catch {
            throw SecretFileError("\(path) cannot be read (\(error))")
        }
        guard let bytes else { throw SecretFileError("\(path) does not exist") }
        return (path, lines(of: bytes))
    }

    /// The lines of a text, without empty ones at the end.
    public static func lines(of bytes: [UInt8]) -> [String] {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map(String.init)
    }

    /// The largest secret, in bytes.
    public static let limit = 4096
}
