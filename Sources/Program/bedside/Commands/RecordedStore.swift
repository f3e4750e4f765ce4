import CommandLineInterface
import Engine
import Recording
import Vitals

/// The store, for the commands that read it.
enum RecordedStore {
    /// Opens the store for reading.
    ///
    /// - Parameter file: Another file than the patient's own store.
    /// - Returns: `nil` where nothing has been recorded yet.
    /// - Throws: ``CommandError``.
    static func open(
        of patient: PatientName?, isSimulated: Bool, file: String? = nil
    ) throws(CommandError) -> StoredHistory? {
        let path: String
        do {
            path = try file ?? StorePath.current(of: patient, isSimulated: isSimulated)
        } catch {
            throw CommandError("There is no folder to look for the store in: \(error)", status: .noInput)
        }
        do {
            let history = try StoredHistory.open(path)
            if let sentence = StoreFile.damagedStoresSentence(beside: path) { complain(sentence) }
            if let history { return history }
        } catch {
            throw failure(error)
        }
        complain("Nothing has been recorded yet: there are no readings in \(path).")
        return nil
    }

    /// Opens a store; `nil` for one that cannot be read, which is reported where its log is read.
    static func openIfUsable(_ path: String) -> StoredHistory? { try? StoredHistory.open(path) }

    /// Whether the data are simulated: requested by an option, or from a folder for such data.
    static func isSimulated(_ arguments: CommandLineArguments) -> Bool {
        let folders = (arguments.value(of: .store) ?? "").split(separator: "/").dropLast()
        return arguments.has(.simulatedStore) || folders.contains("simulated")
    }

    /// The error for a store that cannot be read.
    static func failure(_ failure: StoreError) -> CommandError {
        CommandError(
            "The store cannot be read: \(failure).", status: isMalformed(failure) ? .malformedData : .noInput)
    }

    /// The error for a store that cannot be written.
    ///
    /// - Parameter outcome: The consequence: `Not entered`.
    static func failure(_ failure: StoreError, to outcome: String) -> CommandError {
        CommandError("\(outcome): \(failure).", status: isMalformed(failure) ? .malformedData : .inputOutputError)
    }

    private static func isMalformed(_ failure: StoreError) -> Bool {
        failure.kind == .corrupt || failure.kind == .otherVersion
    }
}
