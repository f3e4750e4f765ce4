import Formats
import UserFiles
import Vitals

/// The file in which Bedside remembers sensors across starts.
///
/// Several instances of Bedside may share it: each change is applied to the present content under a lock, so none
/// reverts another one's change. Unchanged content is not written.
public struct SensorFile: Sendable {
    /// The path.
    public let path: String
    /// The sensors as last read or written.
    private var known: [String: RememberedSensor] = [:]

    /// The greatest size that is read, in bytes: many times what 256 sensors take.
    static let sizeLimit = 1 << 20

    /// A file in the user's state folder.
    ///
    /// - Parameters:
    ///   - directories: The user's folders.
    ///   - isSimulated: Whether the sensors are simulated and have a separate file.
    public init(in directories: UserDirectories, isSimulated: Bool = false) {
        path = "\(directories.state)/\(isSimulated ? "simulated/" : "")sensors.json"
    }

    /// The result of loading.
    public struct Loaded: Sendable {
        /// The sensors, in the order in which they were first remembered.
        public let sensors: [RememberedSensor]
        /// A sentence for the user when the file could not be used and was set aside.
        public let complaint: String?
    }

    /// Reads the file; a broken one is set aside under a dated name.
    ///
    /// - Parameter wallMilliseconds: The wall time, for that name.
    /// - Throws: ``SensorFileError`` when it cannot be read at all.
    public mutating func load(wallMilliseconds: Int64) throws(SensorFileError) -> Loaded {
        let (document, complaint) = try read(wallMilliseconds: wallMilliseconds, isLocked: false)
        for sensor in document.sensors { known[sensor.address] = sensor }
        return Loaded(sensors: document.sensors, complaint: complaint)
    }

    /// Remembers a sensor.
    ///
    /// - Returns: A sentence for the user when the file turned out to be broken and was set aside.
    /// - Throws: ``SensorFileError`` when it cannot be written; then it is as before.
    @discardableResult
    public mutating func remember(
        _ sensor: RememberedSensor, wallMilliseconds: Int64
    ) throws(SensorFileError) -> String? {
        if known[sensor.address] == sensor { return nil }
        known[sensor.address] = sensor
        return try change(wallMilliseconds) { $0.remember(sensor) }
    }

    /// Forgets a sensor.
    ///
    /// - Returns: A sentence for the user when the file turned out to be broken and was set aside.
    /// - Throws: ``SensorFileError`` when it cannot be written; then it is as before.
    @discardableResult
    public mutating func forget(address: String, wallMilliseconds: Int64) throws(SensorFileError) -> String? {
        known[address] = nil
        return try change(wallMilliseconds) { $0.forget(address: address) }
    }

    // MARK: Steps

    private func change(
        _ wallMilliseconds: Int64, _ change: (inout SensorDocument) -> Void
    ) throws(SensorFileError) -> String? {
        let lock = try lock()
        var (document, complaint) = try read(wallMilliseconds: wallMilliseconds, isLocked: true)
        let before = document
        change(&document)
        if document != before {
            do throws(UserFileError) {
                try PrivateFile.replace(path, with: document.octets)
            } catch { throw .file(error) }
        }
        _ = consume lock
        return complaint
    }

    private func lock() throws(SensorFileError) -> FileLock {
        do throws(UserFileError) { return try FileLock(for: path) } catch { throw .file(error) }
    }

    private func read(wallMilliseconds: Int64, isLocked: Bool) throws(SensorFileError) -> (SensorDocument, String?) {
        let octets: [UInt8]?
        do throws(UserFileError) {
            octets = try PrivateFile.read(path, limit: Self.sizeLimit)
        } catch {
            // A file that is too large counts as broken; the other errors say nothing about its content.
            guard case .tooLarge = error else { throw .file(error) }
            return try setAside("it has more than \(Self.sizeLimit) bytes", wallMilliseconds, isLocked: isLocked)
        }
        guard let octets else { return (SensorDocument(), nil) }
        do throws(SensorDocument.DocumentError) {
            return (try SensorDocument(octets), nil)
        } catch {
            switch error {
            case .newer: throw .newer(path: path)
            case .broken(let reason): return try setAside(reason, wallMilliseconds, isLocked: isLocked)
            }
        }
    }

    /// Sets the broken file aside; another instance that found it broken, too, must not do so with its successor.
    private func setAside(
        _ reason: String, _ wallMilliseconds: Int64, isLocked: Bool
    ) throws(SensorFileError) -> (SensorDocument, String?) {
        do throws(UserFileError) {
            if isLocked {
                let day = date(ofWallMilliseconds: wallMilliseconds)
                let aside = try PrivateFile.setAside(path, suffix: "broken-\(day)")
                let complaint = """
                    The list of remembered sensors could not be read (\(reason)); it is kept as \(aside), and a new \
                    one is begun.
                    """
                return (SensorDocument(), complaint)
            }
        } catch { throw .file(error) }
        let lock = try lock()
        let found = try read(wallMilliseconds: wallMilliseconds, isLocked: true)
        _ = consume lock
        return found
    }
}
