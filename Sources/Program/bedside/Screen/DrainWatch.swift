import EventLoops
import Terminal

/// Waits until a hanging terminal accepts output again, while everything else continues: alarms, their hook, the
/// recording.
@ScreenActor
final class DrainWatch {
    private let terminal: Terminal
    private let onDrain: () -> Void
    private var watch: DescriptorWatch?

    /// - Parameters:
    ///   - terminal: The terminal.
    ///   - onDrain: Called when it has accepted the waiting output, to draw again.
    init(_ terminal: Terminal, onDrain: @escaping () -> Void) {
        (self.terminal, self.onDrain) = (terminal, onDrain)
    }

    /// Begins to wait, unless it waits already.
    func begin() {
        if watch != nil { return }
        watch = ScreenActor.loop.watch(terminal.outputDescriptor, for: .writable) { [weak self] _ in
            ScreenActor.assumeIsolated { self?.outputIsPossible() }
        }
    }

    private func outputIsPossible() {
        terminal.sendWaitingOutput()
        if terminal.isOutputWaiting { return }
        end()
        onDrain()
    }

    /// Stops waiting.
    func end() {
        if let watch { ScreenActor.loop.unwatch(watch) }
        watch = nil
    }
}
