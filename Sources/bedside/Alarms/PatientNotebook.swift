import EventLoop
import Monitoring
import PatientFile
import UserFiles
import Vitals

/// Keeps what was changed on the screen for this patient from one start to the next.
struct PatientNotebook {
    private var file: PatientFile?
    private var hasComplained = false

    /// Makes a notebook without a file, which keeps nothing.
    init() {}

    /// Reads what an earlier run has kept.
    ///
    /// - Parameters:
    ///   - patient: Whose it is; `nil` for the one that has no name.
    ///   - isSimulated: Whether it is about simulated sensors, whose patient has a file of their own.
    /// - Returns: The notebook, what is remembered, and a sentence for the user when something is the matter.
    static func open(
        of patient: PatientName?, isSimulated: Bool
    ) -> (notebook: PatientNotebook, memory: MonitorMemory, complaint: String?) {
        var notebook = PatientNotebook()
        let directories: UserDirectories
        do throws(UserFileError) {
            directories = try UserDirectories.current(of: patient)
        } catch {
            return (notebook, MonitorMemory(), PatientFileError.file(error).description)
        }
        var file = PatientFile(in: directories, isSimulated: isSimulated)
        do throws(PatientFileError) {
            let loaded = try file.load(wallMilliseconds: Timestamp.now().wallMilliseconds)
            notebook.file = file
            return (notebook, loaded.memory, loaded.complaint)
        } catch {
            // What cannot be read is not written over either.
            return (notebook, MonitorMemory(), error.description)
        }
    }

    /// Keeps what must outlive the program, if it has changed.
    ///
    /// - Returns: A sentence for the user when it cannot be kept; once, not for each change.
    mutating func keep(_ memory: MonitorMemory) -> String? {
        do throws(PatientFileError) {
            try file?.keep(memory)
            return nil
        } catch {
            defer { hasComplained = true }
            return hasComplained ? nil : error.description
        }
    }
}
