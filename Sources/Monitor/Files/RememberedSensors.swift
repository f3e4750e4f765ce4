import EventLoops
import Sensors
import SensorFile
import Synchronization
import UserFiles
import Vitals

/// Stores the user's choices about sensors: a reader of the event stream that writes a file.
///
/// The file is read and written on the thread for files, so that neither a disk nor a lock holds up the screen or the
/// sensors. With `--simulate` nothing is read or written. The sensors of a simulator that somebody else has started have
/// a file of their own.
package final class RememberedSensors: Sendable {
    fileprivate enum Change: Sendable {
        case remember(RememberedSensor, wallMilliseconds: Int64)
        case forget(address: String, wallMilliseconds: Int64)
    }

    private let writing: FileWriting<Change>

    /// Creates one without a file, which keeps nothing.
    package init() {
        writing = FileWriting { _ in nil }
    }

    /// Creates one that writes a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - hasComplained: Whether the user knows already that it cannot be used.
    ///   - loop: The loop on whose thread it is written.
    package init(_ file: SensorFile, hasComplained: Bool = false, on loop: EventLoop = FileThread.loop) {
        let kept = KeptFile(file, hasComplained)
        writing = FileWriting(on: loop) { kept.write($0) }
    }

    /// What opening brought.
    package struct Opened {
        package var remembered = RememberedSensors()
        /// What is remembered.
        package var sensors: [RememberedSensor] = []
        /// A sentence for the user when the file has a problem.
        package var complaint: String?
    }

    /// Reads what is remembered.
    ///
    /// - Parameters:
    ///   - patient: The patient; `nil` for the unnamed one. Beds at one computer must not use each other's sensors.
    ///   - isSimulated: Whether it is about the sensors of a simulator.
    package static func open(of patient: PatientName?, isSimulated: Bool) async -> Opened {
        await Task(executorPreference: FileThread.loop) { read(of: patient, isSimulated: isSimulated) }.value
    }

    private static func read(of patient: PatientName?, isSimulated: Bool) -> Opened {
        var opened = Opened()
        do throws(UserFileError) {
            var file = SensorFile(in: try UserDirectories.current(of: patient), isSimulated: isSimulated)
            var hasComplained = false
            do throws(SensorFileError) {
                let loaded = try file.load(wallMilliseconds: Timestamp.now().wallMilliseconds)
                (opened.sensors, opened.complaint) = (loaded.sensors, loaded.complaint)
            } catch {
                opened.complaint = error.description
                hasComplained = true
            }
            opened.remembered = RememberedSensors(file, hasComplained: hasComplained)
        } catch {
            opened.complaint = SensorFileError.file(error).description
        }
        return opened
    }

    /// Has errors reported, as sentences for the user; a file that cannot be written is reported once.
    package func onError(_ report: @escaping @Sendable (String) -> Void) {
        writing.onError(report)
    }

    /// Takes in an event; waits for nothing.
    package func record(_ event: MonitorEvent) {
        let time = event.moment.wallMilliseconds
        switch event.kind {
        case .remembered(let sensor): writing.put(.remember(sensor, wallMilliseconds: time), for: sensor.address)
        case .forgotten(let sensor):
            writing.put(.forget(address: sensor.address, wallMilliseconds: time), for: sensor.address)
        default: break
        }
    }

    /// Waits until all is written, but no longer than a limit.
    ///
    /// - Returns: A sentence for the user when it took longer.
    package func finish(within limit: Duration) async -> String? {
        await writing.finish(within: limit)
            ? nil : "Sensors may not be remembered at the next start: the disk did not take the list in time."
    }
}

/// The file, on the thread that writes.
private final class KeptFile: Sendable {
    private struct State {
        var file: SensorFile
        var hasComplained: Bool
    }

    private let state: Mutex<State>

    init(_ file: SensorFile, _ hasComplained: Bool) {
        state = Mutex(State(file: file, hasComplained: hasComplained))
    }

    func write(_ change: RememberedSensors.Change) -> String? {
        state.withLock { state in
            do throws(SensorFileError) {
                switch change {
                case .remember(let sensor, let time):
                    return try state.file.remember(sensor, wallMilliseconds: time)
                case .forget(let address, let time):
                    return try state.file.forget(address: address, wallMilliseconds: time)
                }
            } catch {
                defer { state.hasComplained = true }
                return state.hasComplained ? nil : error.description
            }
        }
    }
}
