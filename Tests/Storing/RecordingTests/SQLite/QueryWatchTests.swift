import Glibc
import TestSupport
import Testing

@testable import Recording

@Suite("The watch over queries")
struct QueryWatchTests {
    /// A query that never ends by itself.
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path + "/store.sqlite"
        try Schema.migrate(SQLiteDatabase(path: path))
    }

    @Test("ends a query that takes too long, and says so; the next one is answered")
    func tooLong() throws {
        let database = try SQLiteDatabase(path: path, for: .read, watch: QueryWatch(limit: 1_000_000))
        for _ in 0..<2 {
            let failure = #expect(throws: StoreError.self) { try database.integer(Self.endless) }
            #expect(failure?.kind == .unreachable)
            #expect(failure?.description.contains("takes too long") == true)
            #expect(try database.integer("SELECT count(*) FROM reading") == 0)
        }
    }

    @Test("ends a query when a signal waits that ends the program", arguments: [SIGINT, SIGTERM])
    func signalled(_ signal: Int32) throws {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &set, &before)
        // It waits for this thread only, and delays no other test.
        pthread_kill(pthread_self(), signal)
        defer {
            var number: Int32 = 0
            sigwait(&set, &number)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        let database = try SQLiteDatabase(path: path, for: .read)
        let failure = #expect(throws: StoreError.self) { try database.integer(Self.endless) }
        #expect(failure?.kind == .interrupted)
        let recorder = try SQLiteDatabase(path: path, watch: .patient)
        #expect(try recorder.integer(Self.many) == 100_000, "what waits is written also when the program is to end")
    }

    @Test("ends what a connection that writes has to do, too, a recorder's much later")
    func writing() throws {
        for access in [SQLiteDatabase.Access.read, .write] {
            let database = try SQLiteDatabase(path: path, for: access, watch: QueryWatch(limit: 0))
            #expect(throws: StoreError.self) { try database.integer(Self.many) }
        }
        #expect(QueryWatch.patientLimit >= 10 * QueryWatch.usualLimit)
    }

    private static let many =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT count(*) FROM n"
}
