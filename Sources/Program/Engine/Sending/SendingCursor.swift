import Recording
import UserFiles

/// How far a store was sent to a server; kept in a file beside the store, which is replaced when the server has confirmed.
struct SendingCursor: Hashable {
    /// The server, and the patient there (`SendingForm.target`).
    var target: String
    /// The number of the patient's record; 0 for all.
    var record: Int
    /// Since when something must have been measured, in milliseconds since 1970 (UTC).
    var start: Int64
    /// What was sent; `nil` for nothing.
    var history: HistoryCursor?
    /// The identifiers of what was sent of the next batch, where the server does not recognise what comes twice.
    var confirmed: [String] = []

    /// The file of a store's cursor for a server.
    ///
    /// - Parameter name: What distinguishes it from others of the store, such as `fhir`.
    static func path(beside store: String, _ name: String) -> String { "\(store).send-\(name)" }

    /// Reads a cursor; `nil` if it is missing or is none.
    ///
    /// - Throws: `UserFileError`, because beginning anew would be worse than not sending.
    static func read(_ path: String) throws(UserFileError) -> SendingCursor? {
        guard let bytes = try PrivateFile.read(path, limit: 1 << 20) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3 else { return nil }
        let numbers = lines[1].split(separator: " ").compactMap { Int64($0) }
        guard numbers.count == 2, let record = Int(exactly: numbers[0]) else { return nil }
        return SendingCursor(
            target: String(lines[0]), record: record, start: numbers[1], history: HistoryCursor(String(lines[2])),
            confirmed: lines.dropFirst(3).filter { !$0.isEmpty }.map(String.init))
    }

    /// Replaces a cursor.
    func write(_ path: String) throws(UserFileError) {
        // The text of a cursor ends with its line.
        let history = history?.text ?? "\n"
        let text = "\(target)\n\(record) \(start)\n\(history)" + confirmed.map { "\($0)\n" }.joined()
        try PrivateFile.replace(path, with: Array(text.utf8))
    }
}
