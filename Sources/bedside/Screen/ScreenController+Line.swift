import EventLoops
import Terminal

// The line to the terminal, which may hang while everything else goes on.
extension ScreenController {
    /// Draws as soon as the terminal takes output again.
    ///
    /// Everything else goes on: alarms, their hook, the recording.
    func drawWhenDrained() {
        if outputWatch != nil { return }
        outputWatch = ScreenActor.loop.watch(terminal.outputDescriptor, for: .writable) { [weak self] _ in
            ScreenActor.assumeIsolated { self?.outputDrained() }
        }
    }

    private func outputDrained() {
        terminal.sendWaitingOutput()
        if terminal.isOutputWaiting { return }
        endOutputWatch()
        draw()
    }

    func endOutputWatch() {
        if let outputWatch { ScreenActor.loop.unwatch(outputWatch) }
        outputWatch = nil
    }
}
