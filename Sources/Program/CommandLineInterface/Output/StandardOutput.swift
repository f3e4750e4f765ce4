import Base
import Configuration
import CSystem
import Glibc
import UserFiles
import Vitals

/// What standard output shows.
public enum StandardOutput {
    public static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The width of a line in characters: `COLUMNS`, else the terminal's width, else 80.
    public static var width: Int {
        if let columns = Environment.value("COLUMNS").flatMap({ Int($0) }), (1...10_000).contains(columns) {
            return columns
        }
        var size = winsize()
        return csystem_window_size(STDOUT_FILENO, &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Whether text on it is coloured: as `--color` says, or else on a terminal unless the user has disabled colours.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - isAble: Whether the terminal is known to support colours.
    /// - Throws: ``UsageError`` for an invalid value of `--color`.
    public static func showsColors(
        _ arguments: CommandLineArguments, ifAble isAble: Bool = true
    ) throws(UsageError) -> Bool {
        switch try arguments.value(.color) ?? .auto {
        case .always: return true
        case .never: return false
        case .auto:
            // NO_COLOR: https://no-color.org
            guard isAble, isTerminal, Environment.value("NO_COLOR") == nil else { return false }
            return !["dumb", nil].contains(Environment.value("TERM"))
        }
    }
}

/// Writes all bytes to a descriptor.
///
/// - Returns: 0, or the `errno` of the write that failed.
public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

/// Writes a text to standard output; returns the exit status.
public func printText(_ text: String) -> ExitStatus {
    switch writeAll(Array(text.utf8), to: STDOUT_FILENO) {
    case 0, EPIPE: .success
    default: .inputOutputError
    }
}

/// Writes a sentence to standard error, after the program's name.
public func complain(_ sentence: String) {
    _ = writeAll(Array("bedside: \(sentence)\n".utf8), to: STDERR_FILENO)
}
