import CommandLineInterface
import Formats
import Glibc
import Engine
import Recording
import UserFiles
import Vitals

/// The output of a command: standard output, or a file that appears when it is complete.
struct FileOutput: ~Copyable {
    /// The size of a write, in bytes.
    static let pieceSize = 256 * 1024

    private var file: NewFile?
    /// The error that stopped the writing.
    private var failure: CommandError?
    private var isUnread = false

    init(_ path: String?, isReplacing: Bool) throws(CommandError) {
        guard let path else { return }
        do throws(UserFileError) {
            file = try NewFile(path, isReplacing: isReplacing)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Writes the encoded bytes once there are enough of them; returns whether more can be written.
    mutating func write(_ encoder: inout any ReadingEncoder) -> Bool {
        if encoder.bytes.count < Self.pieceSize { return true }
        defer { encoder.removeAll() }
        return write(encoder.bytes)
    }

    /// Writes a piece; returns whether more can be written.
    mutating func write(_ bytes: [UInt8]) -> Bool {
        if failure != nil || isUnread { return false }
        do throws(UserFileError) {
            if let wasWritten = try file?.write(bytes) {
                wasWritten
                return true
            }
        } catch {
            failure = Self.failure(error)
            return false
        }
        switch writeAll(bytes, to: STDOUT_FILENO) {
        case 0: return true
        case EPIPE: isUnread = true
        case let code:
            failure = CommandError(
                "standard output cannot be written: \(String(cString: strerror(code)))", status: .inputOutputError)
        }
        return false
    }

    /// Completes the file, so that it appears.
    consuming func finish(isReplacing: Bool) throws(CommandError) -> ExitStatus {
        if let failure { throw failure }
        do throws(UserFileError) {
            try file?.finish(isReplacing: isReplacing)
        } catch {
            throw Self.failure(error)
        }
        return .success
    }

    private static func failure(_ error: UserFileError) -> CommandError {
        let remedy =
            if case .exists = error { " Give another name, or --force to replace it." } else { "" }
        return CommandError(error.description + remedy, status: .inputOutputError)
    }
}

extension FileOutput {
    /// Refuses to replace a store, even if files may be replaced.
    ///
    /// - Parameters:
    ///   - output: The file to be written; `nil` for standard output.
    ///   - patient: The patient whose stores are protected.
    ///   - store: Another store that is read; `nil` for none.
    /// - Throws: ``CommandError``.
    static func refuseStore(
        _ output: String?, of patient: PatientName?, beside store: String? = nil
    ) throws(CommandError) {
        guard let output else { return }
        let own = [true, false].compactMap { try? StorePath.current(of: patient, isSimulated: $0) }
        if StoreFile.isPartOfStore(output, of: own + [store].compactMap(\.self)) {
            throw CommandError(
                "\(output) is a store of Bedside, or belongs to one, and is never replaced. Give another name.",
                status: .inputOutputError)
        }
    }

    /// Writes a whole text to a file, or to standard output.
    ///
    /// - Throws: ``CommandError``.
    static func write(_ text: String, to path: String?, isReplacing: Bool) throws(CommandError) -> ExitStatus {
        var output = try FileOutput(path, isReplacing: isReplacing)
        _ = output.write(Array(text.utf8))
        return try output.finish(isReplacing: isReplacing)
    }
}
