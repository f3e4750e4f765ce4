import CommandLineInterface
import UserFiles
import Vitals

/// Where the monitor that is to be viewed may be.
package struct ViewedPlaces: Sendable {
    private let patient: PatientName?
    private let mayBeSimulated: Bool
    private let mayBeReal: Bool

    /// The places of a patient's monitor.
    ///
    /// - Parameters:
    ///   - patient: `nil` for the one that has no name.
    ///   - arguments: Say whether a monitor of simulated sensors will do, or only such a one.
    package init(_ patient: PatientName?, _ arguments: CommandLineArguments) {
        self.patient = patient
        mayBeSimulated = arguments.has(.view)
        mayBeReal = !arguments.has(.simulate)
    }

    /// The sockets to try, in order.
    ///
    /// - Parameter provenance: What the monitor that has been viewed measured; nothing simulated ever takes the place of
    ///   a patient. `.unknown` before there was one that knew.
    package func paths(after provenance: Provenance) -> [String] {
        guard let directories = try? UserDirectories.current() else { return [] }
        var paths: [String] = []
        let place = MonitorPaths(of: patient, in: directories)
        if mayBeReal, provenance != .simulated { paths += place.sockets }
        // Nor does it of one that crashed before this view began.
        let isMissed = mayBeReal && provenance == .unknown && place.lastMonitor != nil
        if mayBeSimulated, provenance != .real, !isMissed { paths += MonitorPaths.simulatedSockets(directories) }
        return paths
    }

    /// Who monitors the patient by the lock, whether or not it can be reached; `nil` when nobody does.
    package var holder: RunningMonitor? {
        guard mayBeReal, let directories = try? UserDirectories.current() else { return nil }
        return MonitorPaths(of: patient, in: directories).holder
    }
}
