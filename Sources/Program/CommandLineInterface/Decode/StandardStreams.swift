import Glibc

/// A system call on standard input or output that failed.
struct StreamError: Error {
    /// `errno`.
    var code: Int32

    /// Whether the reader of the output closed the pipe.
    var isBrokenPipe: Bool { code == EPIPE }

    /// The system's message.
    var message: String { String(cString: strerror(code)) }
}

/// Unbuffered standard input and output.
enum StandardStreams {
    /// Reads the available bytes; waits only if there are none.
    ///
    /// - Returns: At most as many bytes as `buffer` holds; none at the end of the input.
    static func read(into buffer: inout [UInt8]) throws(StreamError) -> ArraySlice<UInt8> {
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                return buffer[..<count]
            }
            guard errno == EINTR else { throw StreamError(code: errno) }
        }
    }

    /// Writes everything to standard output.
    static func write(_ bytes: [UInt8]) throws(StreamError) {
        let failure = writeAll(bytes, to: STDOUT_FILENO)
        if failure != 0 { throw StreamError(code: failure) }
    }
}
