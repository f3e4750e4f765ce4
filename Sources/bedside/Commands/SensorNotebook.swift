import BlueZ
import EventLoop
import Sensors
import SensorFile
import UserFiles
import Vitals

/// Keeps what the user says about sensors from one start to the next: a reader of the event stream that writes a file.
///
/// With `--simulate` nothing is read or written. The sensors of a simulator that somebody else has started have a file
/// of their own.
struct SensorNotebook {
    private var file: SensorFile?
    private var hasComplained = false

    /// What opening brought.
    struct Opened {
        var notebook = SensorNotebook()
        /// What is remembered.
        var sensors: [RememberedSensor] = []
        /// A sentence for the user, when something is the matter with the file.
        var complaint: String?
    }

    /// Reads what is remembered, as soon as it is known whose bus it is.
    ///
    /// - Parameters:
    ///   - source: Where the sensors come from.
    ///   - bluez: BlueZ there, already started.
    ///   - patient: Who wears the sensors; `nil` for the one that has no name. Beds at one computer must not take each
    ///     other's.
    static func open(_ source: SensorSource, _ bluez: BlueZ, of patient: PatientName?) async -> Opened {
        var opened = Opened()
        if source.isSimulated { return opened }
        for await event in await bluez.events() {
            if case .bus = event.kind { break }
        }
        do throws(UserFileError) {
            let directories = try UserDirectories.current(of: patient)
            var file = SensorFile(in: directories, isSimulated: SensorSource.isSimulated(bluez))
            do throws(SensorFileError) {
                let loaded = try file.load(wallMilliseconds: Timestamp.now().wallMilliseconds)
                (opened.sensors, opened.complaint) = (loaded.sensors, loaded.complaint)
            } catch {
                opened.complaint = error.description
                opened.notebook.hasComplained = true
            }
            opened.notebook.file = file
        } catch {
            opened.complaint = SensorFileError.file(error).description
        }
        return opened
    }

    /// Takes in an event.
    ///
    /// - Returns: A sentence for the user when something could not be kept; once, not for each event.
    mutating func note(_ event: MonitorEvent) -> String? {
        do throws(SensorFileError) {
            switch event.kind {
            case .remembered(let sensor):
                return try file?.remember(sensor, wallMilliseconds: event.moment.wallMilliseconds)
            case .forgotten(let sensor):
                return try file?.forget(address: sensor.address, wallMilliseconds: event.moment.wallMilliseconds)
            default: return nil
            }
        } catch {
            defer { hasComplained = true }
            return hasComplained ? nil : error.description
        }
    }
}
