/// Octets that came in pieces, taken out line by line, in bounded memory.
struct LineBuffer {
    /// The longest line, in octets without the line feed.
    let limit: Int
    private var octets: [UInt8] = []
    /// Where the lines that have not been taken begin.
    private var start = 0
    /// Up to here there is no line feed.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends what came.
    mutating func append(_ piece: ArraySlice<UInt8>) {
        octets.append(contentsOf: piece)
    }

    /// Takes the next whole line without its line feed; `nil` when there is none yet.
    ///
    /// - Throws: ``MonitorSocketError/lineTooLong(limit:)``, also before the end of such a line has come.
    mutating func takeLine() throws(MonitorSocketError) -> [UInt8]? {
        guard let end = octets[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            // What is left moves to the front once for each piece, not once for each line.
            octets.removeFirst(start)
            (start, searched) = (0, octets.count)
            if octets.count > limit { throw .lineTooLong(limit: limit) }
            return nil
        }
        guard end - start <= limit else { throw .lineTooLong(limit: limit) }
        let line = Array(octets[start..<end])
        (start, searched) = (end + 1, end + 1)
        return line
    }
}
