import Formats
import Monitoring
import UserFiles

/// The file that keeps the limits and the neutrophil count of the patient across restarts.
///
/// It holds no name, it is private (mode 0600), and it is replaced as a whole. Where several instances of Bedside share
/// it, the newest change counts.
public struct PatientFile: Sendable {
    /// The path.
    public let path: String
    /// The content as last read or written.
    private var known = MonitorMemory()

    /// A file in the user's state folder.
    ///
    /// - Parameters:
    ///   - directories: The user's folders.
    ///   - isSimulated: Whether the patient is simulated and has a separate file.
    public init(in directories: UserDirectories, isSimulated: Bool = false) {
        path = "\(directories.state)/\(isSimulated ? "simulated/" : "")patient.json"
    }

    /// Reads the file; a broken one is set aside under a dated name.
    ///
    /// - Parameter wallMilliseconds: The wall time, for that name.
    /// - Returns: The content, and a sentence for the user when the file could not be used and was set aside.
    /// - Throws: ``PatientFileError`` when it cannot be read at all.
    public mutating func load(
        wallMilliseconds: Int64
    ) throws(PatientFileError) -> (memory: MonitorMemory, complaint: String?) {
        let octets: [UInt8]?
        do throws(UserFileError) { octets = try PrivateFile.read(path) } catch { throw .file(error) }
        guard let octets else { return (MonitorMemory(), nil) }
        do throws(PatientDocument.DocumentError) {
            known = try PatientDocument.memory(octets)
            return (known, nil)
        } catch {
            switch error {
            case .newer: throw .newer(path: path)
            case .broken(let reason): return (MonitorMemory(), try setAside(reason, wallMilliseconds))
            }
        }
    }

    /// Writes the file if its content has changed.
    ///
    /// - Throws: ``PatientFileError`` when it cannot be written; then the file is as before.
    public mutating func keep(_ memory: MonitorMemory) throws(PatientFileError) {
        if memory == known { return }
        do throws(UserFileError) {
            try PrivateFile.replace(path, with: PatientDocument.octets(memory))
        } catch { throw .file(error) }
        known = memory
    }

    private func setAside(_ reason: String, _ wallMilliseconds: Int64) throws(PatientFileError) -> String {
        do throws(UserFileError) {
            let aside = try PrivateFile.setAside(path, suffix: "broken-\(date(ofWallMilliseconds: wallMilliseconds))")
            return """
                Limits that were changed on the screen could not be read (\(reason)): those of the settings hold. The \
                file is kept as \(aside).
                """
        } catch { throw .file(error) }
    }
}
