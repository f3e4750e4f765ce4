import Glibc
import MQTT
import TestSupport
import Testing

@Suite("Files that only their owner may read")
struct SecretFileTests {
    private func file(_ text: String, mode: mode_t) throws -> (ScratchFolder, String) {
        let folder = try ScratchFolder()
        let path = try folder.write(text, to: "login")
        chmod(path, mode)
        return (folder, path)
    }

    @Test("A user and a password are read from two lines")
    func login() throws {
        let (folder, path) = try file("bed-12\nsecret word\n", mode: 0o600)
        #expect(
            try MQTTOptions.Login(fileNamed: path, credentials: nil) == .init(user: "bed-12", password: "secret word"))
        #expect(try MQTTOptions.Login(fileNamed: "login", credentials: folder.path).user == "bed-12")
    }

    @Test("A file that others can read is refused, with the command that helps", arguments: [0o640, 0o604, 0o610])
    func mode(mode: mode_t) throws {
        let (folder, path) = try file("bed-12\nsecret\n", mode: mode)
        let error = #expect(throws: MQTTError.self) { try MQTTOptions.Login(fileNamed: path, credentials: nil) }
        #expect(error?.description == "others can read \(path); run: chmod 600 \(path)")
        let key = #expect(throws: MQTTError.self) {
            try MQTTOptions.TLSFiles(certificate: path, key: path).check()
        }
        #expect(key == error)
        withExtendedLifetime(folder) {}
    }

    @Test("What is no user and password is refused", arguments: ["", "user", "user\n", "\nsecret\n", "a\nb\nc\n"])
    func content(text: String) throws {
        let (folder, path) = try file(text, mode: 0o600)
        #expect(throws: MQTTError.self) { try MQTTOptions.Login(fileNamed: path, credentials: nil) }
        withExtendedLifetime(folder) {}
    }

    @Test("A credential needs systemd, and no error has a password in it")
    func credential() {
        let error = #expect(throws: MQTTError.self) { try MQTTOptions.Login(fileNamed: "broker", credentials: nil) }
        #expect(error?.description == "there is no credential broker, because systemd has not started Bedside")
    }
}
