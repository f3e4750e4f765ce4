import CommandLineTool
import Dashboard
import EventLoop
import MonitorSocket
import UserFiles
import Vitals

/// Finds the monitor that is meant, and asks it.
struct MonitorFinder {
    /// Whose monitor; `nil` for the one patient that has no name.
    let patient: PatientName?
    /// Whether only a monitor of simulated sensors will do.
    let isSimulatedOnly: Bool
    /// The user's folders.
    let directories: UserDirectories

    /// A monitor that has answered.
    struct Found {
        /// The connection, on which more answers come when it is followed.
        let client: MonitorSocketClient
        /// The first answer.
        let glance: Glance
    }

    /// Asks the patient's monitor, or else the newest one of simulated sensors.
    ///
    /// - Returns: `nil` when none runs.
    /// - Throws: ``MonitorSocketError`` for a monitor that runs and cannot be asked.
    func find(_ question: StatusQuestion) throws(MonitorSocketError) -> Found? {
        for path in paths {
            do throws(MonitorSocketError) {
                let client = try MonitorSocketClient(path: path)
                try client.send(question.line)
                guard let glance = GlanceDecoder.glance(try client.readLine()) else { throw .closed }
                // Simulated monitors say in their answer whose they are.
                if glance.patient == patient?.text { return Found(client: client, glance: glance) }
            } catch {
                // One that is just ending is as good as none.
                if error != .nobodyListens(path: path), error != .closed { throw error }
            }
        }
        return nil
    }

    /// The sockets to try, in order.
    private var paths: [String] {
        var paths: [String] = []
        if !isSimulatedOnly { paths += MonitorPlace(of: patient, in: directories).sockets }
        return paths + MonitorPlace.simulatedSockets(directories)
    }
}
