import UserFiles
import Vitals

/// The possible sockets of the monitor to view.
package struct ViewedPlaces: Sendable {
    private let patient: PatientName?
    private let mayBeSimulated: Bool
    private let mayBeReal: Bool

    /// The places of a patient's monitor.
    ///
    /// - Parameters:
    ///   - patient: The patient; `nil` for the unnamed patient.
    ///   - mayBeSimulated: Whether a monitor of simulated sensors is accepted.
    ///   - mayBeReal: Whether a monitor of real sensors is accepted.
    package init(_ patient: PatientName?, mayBeSimulated: Bool, mayBeReal: Bool) {
        (self.patient, self.mayBeSimulated, self.mayBeReal) = (patient, mayBeSimulated, mayBeReal)
    }

    /// The sockets to try, in order.
    ///
    /// - Parameter provenance: The provenance of the viewed monitor's data; simulated data never replace a patient's.
    ///   `.unknown` before the first report.
    package func paths(after provenance: Provenance) -> [String] {
        guard let directories = try? UserDirectories.current() else { return [] }
        var paths: [String] = []
        let place = MonitorPaths(of: patient, in: directories)
        if mayBeReal, provenance != .simulated { paths += place.sockets }
        // A monitor that crashed before this view began does not answer either.
        let isMissed = mayBeReal && provenance == .unknown && place.lastMonitor != nil
        if mayBeSimulated, provenance != .real, !isMissed { paths += MonitorPaths.simulatedSockets(directories) }
        return paths
    }

    /// The monitor that holds the patient's lock, reachable or not; `nil` when there is none.
    package var holder: RunningMonitor? {
        guard mayBeReal, let directories = try? UserDirectories.current() else { return nil }
        return MonitorPaths(of: patient, in: directories).holder
    }
}
