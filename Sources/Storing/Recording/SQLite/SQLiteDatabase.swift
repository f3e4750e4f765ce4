import CSQLite
import Glibc

/// The text of a statement as a key: only its length is hashed, because there are few statements and their texts are
/// long.
private struct StatementText: Hashable {
    let text: String

    func hash(into hasher: inout Hasher) {
        hasher.combine(text.utf8.count)
    }
}

/// One connection to an SQLite file.
///
/// Used by one thread at a time; another thread needs another connection. Every failure is a ``StoreError``.
final class SQLiteDatabase {
    /// The purpose of a connection.
    enum Access {
        /// Reading only; the file must exist.
        case read
        /// Reading an unchanging file, such as one on a read-only disk; no other file is needed.
        case readUnchanging
        /// Reading and writing; a missing file is created.
        case write
    }

    /// The file, or `:memory:`.
    let path: String
    private let handle: OpaquePointer
    /// Statements by their text: preparing one costs more than running it.
    private var prepared: [StatementText: SQLiteStatement] = [:]
    private let watch: QueryWatch
    /// Whether a transaction is on the disk when it ends; `nil` before that was chosen.
    private var isSynced: Bool?

    /// The longest text, blob or row that is read: thousands of times what the program writes.
    private static let lengthLimit: Int32 = 16 << 20

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for other programs that lock the file, in milliseconds.
    ///   - watch: Ends queries that take too long.
    init(
        path: String, for access: Access = .write, timeout: Int32 = 2000, watch: QueryWatch = QueryWatch()
    ) throws(StoreError) {
        self.path = path
        self.watch = watch
        let purpose = access == .write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let name = access == .readUnchanging ? Self.unchangingName(path) : path
        let form = access == .readUnchanging ? SQLITE_OPEN_URI : 0
        var opened: OpaquePointer?
        // Symbolic links are not followed: a private file must not lead elsewhere.
        let code = sqlite3_open_v2(
            name, &opened, purpose | form | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else { throw StoreError(.other, "SQLite has no memory left to open \(path)") }
        handle = opened
        guard code == SQLITE_OK else {
            let failure = StoreError(
                code: code, message: Self.message(of: opened), path: path, systemError: sqlite3_system_errno(opened))
            sqlite3_close_v2(opened)
            throw failure
        }
        sqlite3_busy_timeout(handle, timeout)
        distrust()
        if access != .write { refuseViews() }
    }

    /// Makes SQLite treat the file as untrusted.
    private func distrust() {
        // A schema cannot run functions with side effects, and no SQL can corrupt the file.
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        // The store has no triggers; those of a foreign file could run without end.
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.lengthLimit)
        watch.watch(handle)
    }

    /// Refuses to read views, which in a foreign file may run without end; Bedside's views are for users only.
    ///
    /// When migrating a file, call this afterwards.
    func refuseViews() {
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    }

    deinit {
        prepared.removeAll()
        // Defers closing for statements in use, and never fails.
        sqlite3_close_v2(handle)
    }

    /// The number of SQLite instructions run by its prepared statements: a measure of the search effort.
    var instructionCount: Int { prepared.values.reduce(0) { $0 + $1.instructionCount } }

    /// How often its prepared statements were run.
    var runCount: Int { prepared.values.reduce(0) { $0 + $1.runCount } }

    /// Runs statements without results.
    func execute(_ sql: String) throws(StoreError) {
        willStep()
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The statement with this text, ready to be bound and run; it is prepared once and kept.
    ///
    /// - Precondition: The last use of the same text is over.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let known = prepared[StatementText(text: sql)] { return known }
        var made: OpaquePointer?
        willStep()
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
        guard let made else { throw StoreError(.other, "an empty statement was prepared") }
        let statement = SQLiteStatement(made, of: self)
        prepared[StatementText(text: sql)] = statement
        return statement
    }

    /// Runs a statement without results, with these values.
    func run(_ sql: String, _ values: SQLiteValue...) throws(StoreError) {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Runs a statement with these values and passes its rows to a closure.
    func forEach(
        _ sql: String, _ values: SQLiteValue..., body: (SQLiteStatement) -> Void
    ) throws(StoreError) {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() { body(statement) }
    }

    /// The first column of the first row as an integer; `nil` without a row, or for a null.
    func integer(_ sql: String, _ values: SQLiteValue...) throws(StoreError) -> Int64? {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row as text; `nil` without a row, or for a null.
    func text(_ sql: String, _ values: SQLiteValue...) throws(StoreError) -> String? {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    /// The number of the row that was inserted last.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// How many rows the last statement inserted, changed or deleted.
    var changedRows: Int32 { sqlite3_changes(handle) }

    /// Runs `body` as one transaction: all of it is written, or nothing.
    ///
    /// - Parameter isSynced: Whether it is on the disk when it ends, and everything before it: the log is written in
    ///   order. Another one survives a kill, but a power cut may lose it until the next one that is synced.
    func transaction<Result>(
        isSynced: Bool = true, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try sync(isSynced)
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back automatically (for example, on a full disk); the first failure counts.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Chooses whether a transaction is on the disk when it ends.
    func sync(_ isSynced: Bool) throws(StoreError) {
        guard isSynced != self.isSynced else { return }
        // SQLite sets it when it prepares the statement, so that is not kept.
        try execute("PRAGMA synchronous = \(isSynced ? "FULL" : "NORMAL")")
        self.isSynced = isSynced
    }

    /// Called before a statement runs or steps.
    func willStep() {
        watch.begin()
        errno = 0
    }

    /// The first bytes of the file on the disk, and its size; `nil` if it is shorter.
    func fileStart(_ count: Int) throws(StoreError) -> (bytes: [UInt8], size: Int64)? {
        var bytes = [UInt8](repeating: 0, count: count)
        var size: sqlite3_int64 = 0
        errno = 0
        try check(csqlite_read_start(handle, &bytes, Int32(clamping: count), &size))
        return size < count ? nil : (bytes, size)
    }

    /// Reads the whole file, to check that the disk can read it.
    func readWhole() throws(StoreError) {
        errno = 0
        try check(csqlite_read_whole(handle))
    }

    /// Keeps the write-ahead log when the connection is closed; a checkpoint would write it into another program's
    /// file.
    func leaveLog() {
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    /// Throws the error of a result code, unless it means success.
    func check(_ code: Int32) throws(StoreError) {
        switch code {
        case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
        case SQLITE_INTERRUPT where watch.reason == .tooLong:
            throw StoreError(.unreachable, "using \(path) takes too long; it is damaged, or the disk is very slow")
        case SQLITE_INTERRUPT where watch.reason == .signal:
            throw StoreError(.interrupted, "using \(path) was interrupted")
        default:
            // SQLite's own system error is not set when a COMMIT fails.
            let systemError = errno != 0 ? errno : sqlite3_system_errno(handle)
            throw StoreError(code: code, message: Self.message(of: handle), path: path, systemError: systemError)
        }
    }

    /// The address of a file that does not change (<https://www.sqlite.org/uri.html>).
    private static func unchangingName(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        let escaped = path.utf8.map { byte -> String in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "/-._~".contains(character) {
                return String(character)
            }
            return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
        return "file:\(escaped.joined())?immutable=1"
    }

    private static func message(of handle: OpaquePointer) -> String {
        String(cString: sqlite3_errmsg(handle))
    }
}
