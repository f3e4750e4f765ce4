import CSQLite
import Vitals

/// A prepared statement: bind, step, read the columns, reset.
final class SQLiteStatement {
    private let handle: OpaquePointer
    // The database owns its statements and outlives their use.
    private unowned let database: SQLiteDatabase

    init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
        self.handle = handle
        self.database = database
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // MARK: Running

    /// Binds values to the parameters, the first to `?1`.
    func bind(_ values: [SQLiteValue]) throws(StoreError) {
        var place: Int32 = 0
        for value in values {
            place += 1
            try bind(value, at: place)
        }
    }

    /// Binds a value to one parameter, counted from 1.
    func bind(_ value: SQLiteValue, at place: Int32) throws(StoreError) {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, place)
            case .integer(let integer): sqlite3_bind_int64(handle, place, integer)
            case .text(let text): bind(text, at: place)
            case .blob(let bytes): bind(bytes, at: place)
            }
        try database.check(code)
    }

    /// Binds an integer to one parameter, counted from 1.
    func bind(_ integer: Int64, at place: Int32) throws(StoreError) {
        try database.check(sqlite3_bind_int64(handle, place, integer))
    }

    private func bind(_ text: String, at place: Int32) -> Int32 {
        // A null pointer would mean NULL, but an empty text is a value.
        if text.isEmpty { return sqlite3_bind_text(handle, place, "", 0, csqlite_transient()) }
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // With a length, because a text may contain a zero.
                sqlite3_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count), csqlite_transient())
            }
        }
    }

    private func bind(_ bytes: [UInt8], at place: Int32) -> Int32 {
        bytes.withUnsafeBytes {
            // A null pointer would mean NULL, but an empty blob is a value.
            guard let start = $0.baseAddress, !$0.isEmpty else { return sqlite3_bind_zeroblob(handle, place, 0) }
            return sqlite3_bind_blob(handle, place, start, Int32(clamping: $0.count), csqlite_transient())
        }
    }

    /// The number of SQLite instructions it has run.
    var instructionCount: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    /// How often it was run.
    var runCount: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_RUN, 0)) }

    /// Steps to the next row; `false` when there is none.
    func step() throws(StoreError) -> Bool {
        database.willStep()
        let code = sqlite3_step(handle)
        try database.check(code)
        return code == SQLITE_ROW
    }

    /// Resets the statement and clears its bindings.
    func reset() {
        // It repeats the error of the last step, which was reported.
        _ = sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    // MARK: Columns of the present row, counted from 0

    /// An integer; `nil` for a null.
    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
    }

    /// An integer that is never null; 0 for a null.
    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A vital's value in hundredths; `nil` for a null, and for numbers that no version has written.
    func value(_ column: Int32) -> VitalValue? {
        integer(column).flatMap { Int32(exactly: $0) }.map { VitalValue(hundredths: Int($0)) }
    }

    /// A text, with damaged UTF-8 repaired; `nil` for a null.
    func text(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of a blob; `nil` for a null.
    func blob(_ column: Int32) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
