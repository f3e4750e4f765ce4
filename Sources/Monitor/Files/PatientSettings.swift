import EventLoops
import Monitoring
import PatientFile
import Synchronization
import UserFiles
import Vitals

/// Keeps what was changed on the screen for this patient from one start to the next.
///
/// The file is read and written on the thread for files, so that neither a disk nor a lock delays the screen or the
/// sensors. Only the newest pending content is written.
final class PatientSettings: Sendable {
    private let writing: FileWriting<MonitorMemory>

    /// Creates one without a file, which keeps nothing.
    init() {
        writing = FileWriting { _ in nil }
    }

    /// Creates one that writes a file.
    ///
    /// - Parameter loop: The loop on whose thread it is written.
    init(_ file: PatientFile, on loop: EventLoop = FileThread.loop) {
        let kept = KeptFile(file)
        writing = FileWriting(on: loop) { kept.write($0) }
    }

    /// Reads what an earlier run has kept.
    ///
    /// - Parameters:
    ///   - patient: Whose it is; `nil` for the one that has no name.
    ///   - isSimulated: Whether it is about simulated sensors, whose patient has a file of their own.
    /// - Returns: The settings, what is remembered, and a sentence for the user when something is the matter.
    static func open(
        of patient: PatientName?, isSimulated: Bool
    ) async -> (settings: PatientSettings, memory: MonitorMemory, complaint: String?) {
        await Task(executorPreference: FileThread.loop) { read(of: patient, isSimulated: isSimulated) }.value
    }

    private static func read(
        of patient: PatientName?, isSimulated: Bool
    ) -> (settings: PatientSettings, memory: MonitorMemory, complaint: String?) {
        let directories: UserDirectories
        do throws(UserFileError) {
            directories = try UserDirectories.current(of: patient)
        } catch {
            return (PatientSettings(), MonitorMemory(), PatientFileError.file(error).description)
        }
        var file = PatientFile(in: directories, isSimulated: isSimulated)
        do throws(PatientFileError) {
            let loaded = try file.load(wallMilliseconds: Timestamp.now().wallMilliseconds)
            return (PatientSettings(file), loaded.memory, loaded.complaint)
        } catch {
            // What cannot be read is not written over either.
            return (PatientSettings(), MonitorMemory(), error.description)
        }
    }

    /// Has errors reported, as sentences for the user; a file that cannot be written is reported once.
    func onError(_ report: @escaping @Sendable (String) -> Void) {
        writing.onError(report)
    }

    /// Keeps what must outlive the program, if it has changed; waits for nothing.
    func keep(_ memory: MonitorMemory) {
        writing.put(memory, for: "memory")
    }

    /// Waits until all is written, but no longer than a limit.
    ///
    /// - Returns: A sentence for the user when it took longer.
    func finish(within limit: Duration) async -> String? {
        await writing.finish(within: limit)
            ? nil : "Changed limits may not be kept for a restart: the disk did not take them in time."
    }
}

/// The file, on the thread that writes.
private final class KeptFile: Sendable {
    private struct State {
        var file: PatientFile
        var hasComplained = false
    }

    private let state: Mutex<State>

    init(_ file: PatientFile) {
        state = Mutex(State(file: file))
    }

    func write(_ memory: MonitorMemory) -> String? {
        state.withLock { state in
            do throws(PatientFileError) {
                try state.file.keep(memory)
                return nil
            } catch {
                defer { state.hasComplained = true }
                return state.hasComplained ? nil : error.description
            }
        }
    }
}
