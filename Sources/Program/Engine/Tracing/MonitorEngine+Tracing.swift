// The trace that a key begins.
extension MonitorEngine {
    /// Begins to write the traffic with a sensor into files.
    package func beginTrace(of address: String, into files: TraceFiles) {
        endTrace()
        let recorder = TraceRecorder(address, files: files)
        traceRecorder = recorder
        subscribe(recorder)
        recorder.begin(self)
    }

    /// Ends it, if there is one; what came until now is given to the files.
    package func endTrace() {
        guard let recorder = traceRecorder else { return }
        recorder.flush()
        unsubscribe(recorder)
        traceRecorder = nil
    }
}
