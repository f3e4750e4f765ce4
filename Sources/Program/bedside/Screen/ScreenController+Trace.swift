import Dashboard
import Engine
import EventLoops
import UserFiles
import Vitals

/// The trace of a sensor that a key has begun.
struct ScreenTrace {
    let address: String
    let files: TraceFiles
}

// The key that traces a sensor.
extension ScreenController {
    /// Begins to write the traffic with a sensor into files, or ends that.
    func toggleTrace(of address: String) {
        if let trace {
            endTrace()
            let isOther = trace.address != address
            screen.dialogs.message =
                "The trace has ended: \(trace.files.paths.last ?? "")"
                + (isOther ? ". Press the key again to trace this sensor." : "")
            return changed(answersKey: true)
        }
        do throws(UserFileError) {
            let files = try TraceFiles.begun(of: address, for: screen.session.patient, at: now)
            trace = ScreenTrace(address: address, files: files)
            let path = files.paths.last ?? ""
            screen.session.trace = SessionFacts.TracedSensor(address: address, path: path)
            monitor.assumeIsolated { $0.beginTrace(of: address, into: files) }
            screen.dialogs.message = "Its traffic is written to \(path); it holds addresses and values."
        } catch {
            screen.dialogs.message = "There is no trace. \(error)"
        }
        changed(answersKey: true)
    }

    /// Ends a trace whose files take no more.
    func endTraceIfFailed() {
        guard let failure = trace?.files.failure else { return }
        endTrace()
        show(failure)
    }

    /// Ends the trace, if there is one.
    func endTrace() {
        guard trace != nil else { return }
        monitor.assumeIsolated { $0.endTrace() }
        trace = nil
        screen.session.trace = nil
    }
}
