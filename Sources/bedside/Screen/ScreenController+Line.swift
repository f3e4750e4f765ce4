import EventLoops
import Terminal

// Output to the terminal, which may hang while everything else continues.
extension ScreenController {
    /// Draws as soon as the terminal accepts output again.
    ///
    /// Everything else continues: alarms, their hook, the recording.
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
