import Glibc
import UserFiles

extension MQTTOptions.TLSFiles {
    /// Checks that the files can be used.
    ///
    /// - Throws: ``MQTTError`` when one is missing, or other users can read the key.
    public func check() throws(MQTTError) {
        for path in [authorities, certificate].compactMap(\.self) where access(path, R_OK) != 0 {
            throw MQTTError(.file, "\(path) cannot be read (\(String(cString: strerror(errno))))")
        }
        guard let key else { return }
        if certificate == nil { throw MQTTError(.file, "\(key) is a key without a certificate") }
        try SecretFile.check(key)
    }
}

/// Files that only their owner may read.
public enum SecretFile {
    /// Checks that this program can read a file and no other user can.
    ///
    /// - Throws: ``MQTTError`` when that is not so.
    public static func check(_ path: String) throws(MQTTError) {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw MQTTError(.file, "\(path) cannot be read (\(String(cString: strerror(errno))))")
        }
        guard status.st_mode & mode_t(S_IRWXG | S_IRWXO) == 0 else {
            throw MQTTError(.file, "others can read \(path); run: chmod 600 \(path)")
        }
    }

    /// Reads a user and a password, one line each.
    ///
    /// - Parameters:
    ///   - name: A path; without `/` the name of a credential of systemd.
    ///   - credentials: The folder of the credentials (`$CREDENTIALS_DIRECTORY`); `nil` for none.
    /// - Throws: ``MQTTError`` when the file cannot be used.
    public static func login(_ name: String, credentials: String?) throws(MQTTError) -> MQTTOptions.Login {
        let isCredential = !name.contains("/")
        let path: String
        if isCredential {
            guard let credentials else {
                throw MQTTError(.file, "there is no credential \(name), because systemd has not started Bedside")
            }
            path = "\(credentials)/\(name)"
        } else {
            path = name
        }
        // Only the service's user can read a credential, whatever the group bits of its mode are.
        if !isCredential { try check(path) }
        let bytes: [UInt8]?
        do throws(UserFileError) {
            bytes = try PrivateFile.read(path, limit: 4096)
        } catch {
            throw MQTTError(.file, "\(path) cannot be read (\(error))")
        }
        guard let bytes else { throw MQTTError(.file, "\(path) does not exist") }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2, !lines[0].isEmpty, !lines[1].isEmpty, lines.dropFirst(2).allSatisfy(\.isEmpty) else {
            throw MQTTError(.file, "\(path) must have the user on its first line and the password on its second")
        }
        return MQTTOptions.Login(user: String(lines[0]), password: String(lines[1]))
    }
}
