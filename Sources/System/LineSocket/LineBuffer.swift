/// Splits received bytes into lines, in bounded memory.
struct LineBuffer {
    /// The longest line, in bytes without the line feed.
    let limit: Int
    private var bytes: [UInt8] = []
    /// The start of the lines that were not removed yet.
    private var start = 0
    /// No line feed is before this index.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends received bytes.
    mutating func append(_ piece: ArraySlice<UInt8>) {
        bytes.append(contentsOf: piece)
    }

    /// Removes and returns the next whole line without its line feed; `nil` when there is none yet.
    ///
    /// - Throws: ``LineSocketError/lineTooLong(limit:)``, even before the end of such a line has arrived.
    mutating func takeLine() throws(LineSocketError) -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            // The rest is moved once per piece, not once per line.
            bytes.removeFirst(start)
            (start, searched) = (0, bytes.count)
            if bytes.count > limit { throw .lineTooLong(limit: limit) }
            return nil
        }
        guard end - start <= limit else { throw .lineTooLong(limit: limit) }
        let line = Array(bytes[start..<end])
        (start, searched) = (end + 1, end + 1)
        return line
    }
}
