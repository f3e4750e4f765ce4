import CSQLite
import Testing

@testable import Recording

@Suite("Why the store fails, in an alarm")
struct StoreErrorTests {
    private static let path = "/srv/ada/a quite deep/folder/.local/share/bedside/patients/bed-12/store.sqlite"

    @Test(
        "begins with the file's name, and has room for the reason",
        arguments: [SQLITE_READONLY, SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_IOERR, SQLITE_ERROR])
    func name(code: Int32) {
        let failure = StoreError(code: code, message: "disk I/O error", path: Self.path)
        let reason = failure.reason(shortening: Self.path)
        #expect(!reason.contains("/") || !reason.contains("/srv"), "\(reason)")
        #expect(reason.contains("store.sqlite"))
        // What SQLite or we say of it stands within the first words of a line of 80.
        #expect(!reason.prefix(40).contains("folder/"))
        #expect(reason.count < 110)
    }

    @Test("shortens the folder that fails, too")
    func folder() {
        let failure = StoreError(
            .unreachable, "The folder /srv/ada/a quite deep/folder/.local/share cannot be used: Permission denied.")
        #expect(failure.reason(shortening: Self.path) == "The folder share cannot be used: Permission denied.")
    }

    @Test("leaves what is no path of the store as it is")
    func others() {
        let failure = StoreError(.other, "the disk /dev/sda1 answers with an error")
        #expect(failure.reason(shortening: Self.path) == failure.description)
        #expect(failure.reason(shortening: "store.sqlite") == failure.description)
    }
}
