import CSQLite

/// One connection to an SQLite file.
///
/// Used by one thread at a time; whoever needs another thread opens another connection. Every failure is a
/// ``StoreError``.
final class SQLiteDatabase {
    /// What a connection is for.
    enum Access {
        /// Reading only; the file must exist.
        case read
        /// Reading what nobody can change, such as a file on a disk that may not be written to; no other file is needed.
        case readUnchanging
        /// Reading and writing; the file is made where there is none.
        case write
    }

    /// The file, or `:memory:`.
    let path: String
    private let handle: OpaquePointer
    /// Statements by their text: preparing one costs more than running it.
    private var prepared: [String: SQLiteStatement] = [:]
    /// Watches over queries; `nil` for a connection that writes, because what is recorded is never cut short.
    private let watch: QueryWatch?

    /// The longest text, octets or row that is read: thousands of times what the program writes.
    private static let lengthLimit: Int32 = 16 << 20

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for other programs that hold the file, in milliseconds.
    ///   - watch: Ends queries of a connection that only reads.
    init(
        path: String, for access: Access = .write, timeout: Int32 = 2000, watch: QueryWatch = QueryWatch()
    ) throws(StoreError) {
        self.path = path
        self.watch = access == .write ? nil : watch
        let purpose = access == .write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let name = access == .readUnchanging ? Self.unchangingName(path) : path
        let form = access == .readUnchanging ? SQLITE_OPEN_URI : 0
        var opened: OpaquePointer?
        // Symbolic links are not followed: what is private must not lead elsewhere.
        let code = sqlite3_open_v2(
            name, &opened, purpose | form | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else { throw StoreError(.other, "SQLite has no memory left to open \(path)") }
        handle = opened
        guard code == SQLITE_OK else {
            let failure = StoreError(code: code, message: Self.message(of: opened), path: path)
            sqlite3_close_v2(opened)
            throw failure
        }
        sqlite3_busy_timeout(handle, timeout)
        distrust(access)
    }

    /// Lets the file decide nothing but its content: a store may come from anybody.
    private func distrust(_ access: Access) {
        // No function with a side effect runs because a schema says so, and no SQL can damage the file.
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        guard access != .write else { return }
        // Our views are for people; one in place of a table could run for ever.
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.lengthLimit)
        watch?.watch(handle)
    }

    deinit {
        prepared.removeAll()
        // Waits for statements that are still in use, and never fails.
        sqlite3_close_v2(handle)
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(StoreError) {
        watch?.begin()
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// The statement with this text, ready to be bound and run; it is prepared once and kept.
    ///
    /// - Precondition: The last use of the same text is over.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let known = prepared[sql] {
            known.reset()
            return known
        }
        var made: OpaquePointer?
        watch?.begin()
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
        guard let made else { throw StoreError(.other, "an empty statement was prepared") }
        let statement = SQLiteStatement(made, of: self)
        prepared[sql] = statement
        return statement
    }

    /// Runs a statement with these values and gives no rows.
    func run(_ sql: String, _ values: SQLiteValue...) throws(StoreError) {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Runs a statement with these values and hands out its rows.
    func forEach(
        _ sql: String, _ values: SQLiteValue..., body: (SQLiteStatement) -> Void
    ) throws(StoreError) {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() { body(statement) }
    }

    /// The first column of the first row as an integer; `nil` where there is no row, or a null.
    func integer(_ sql: String, _ values: SQLiteValue...) throws(StoreError) -> Int64? {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row as text; `nil` where there is no row, or a null.
    func text(_ sql: String, _ values: SQLiteValue...) throws(StoreError) -> String? {
        let statement = try statement(sql)
        try statement.bind(values)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    /// The number of the row that was inserted last.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs `body` as one transaction: all of it happens, or nothing.
    func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite may have rolled back by itself (a full disk, for example); the first failure is what counts.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// A statement is about to be run, or to go on to its next row.
    func willStep() { watch?.begin() }

    /// The first octets of the file as they are on the disk now, and its size; `nil` where it is shorter.
    func fileStart(_ count: Int) throws(StoreError) -> (octets: [UInt8], size: Int64)? {
        var octets = [UInt8](repeating: 0, count: count)
        var size: sqlite3_int64 = 0
        try check(csqlite_read_start(handle, &octets, Int32(clamping: count), &size))
        return size < count ? nil : (octets, size)
    }

    /// Has closing leave the write-ahead log alone: it would be brought into a file that is not ours any more.
    func leaveLog() {
        _ = csqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    /// Throws what a result code means, unless it means success.
    func check(_ code: Int32) throws(StoreError) {
        switch code {
        case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
        case SQLITE_INTERRUPT where watch?.reason == .tooLong:
            throw StoreError(.unreachable, "reading \(path) takes too long; it is damaged, or the disk is very slow")
        case SQLITE_INTERRUPT where watch?.reason == .signal:
            throw StoreError(.interrupted, "reading \(path) was interrupted")
        default: throw StoreError(code: code, message: Self.message(of: handle), path: path)
        }
    }

    /// The address of a file that does not change (<https://www.sqlite.org/uri.html>).
    private static func unchangingName(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        let escaped = path.utf8.map { octet -> String in
            let character = Character(Unicode.Scalar(octet))
            if octet < 0x80, character.isLetter || character.isNumber || "/-._~".contains(character) {
                return String(character)
            }
            return "%\(digits[Int(octet >> 4)])\(digits[Int(octet & 15)])"
        }
        return "file:\(escaped.joined())?immutable=1"
    }

    private static func message(of handle: OpaquePointer) -> String {
        String(cString: sqlite3_errmsg(handle))
    }
}
