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
        do throws(SecretFileError) {
            try SecretFile.check(key)
        } catch {
            throw MQTTError(.file, error.description)
        }
    }
}

extension MQTTOptions.Login {
    /// Reads a user and a password, one line each.
    ///
    /// - Parameters:
    ///   - name: A path; without `/` the name of a credential of systemd.
    ///   - credentials: The folder of the credentials (`$CREDENTIALS_DIRECTORY`); `nil` for none.
    /// - Throws: ``MQTTError`` when the file cannot be used.
    public init(fileNamed name: String, credentials: String?) throws(MQTTError) {
        let (path, lines): (String, [String])
        do throws(SecretFileError) {
            (path, lines) = try SecretFile.lines(of: name, credentials: credentials)
        } catch {
            throw MQTTError(.file, error.description)
        }
        guard lines.count == 2, lines.allSatisfy({ !$0.isEmpty }) else {
            throw MQTTError(.file, "\(path) must have the user on its first line and the password on its second")
        }
        self.init(user: lines[0], password: lines[1])
    }
}
