import CommandLineInterface
import EventLoops
import Glibc
import Terminal

/// A full-screen session on a terminal: handles keys, signals and the end, on the screen's loop.
@ScreenActor
final class TerminalSession {
    /// The signals that it handles; they must be blocked in every thread.
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]

    private let terminal: Terminal
    private let ending = Ending()

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Whether the end has come.
    var hasEnded: Bool { ending.status != nil }

    /// Ends the session, unless it has ended.
    func end(_ status: ExitStatus) { ending.come(status) }

    /// A request of the terminal, other than keys.
    enum Request {
        /// Its size has changed, or its ground has become known.
        case redraw
        /// Ctrl-Z.
        case stop
    }

    /// Handles input until the user, a signal or the terminal ends the session.
    ///
    /// - Parameters:
    ///   - inputIsReady: Called when keys can be read.
    ///   - handle: Called with requests of the terminal.
    func wait(
        inputIsReady: @escaping @ScreenActor () -> Void, handle: @escaping @ScreenActor (Request) -> Void
    ) async -> ExitStatus {
        let keys = ScreenActor.loop.watch(terminal.inputDescriptor, for: .readable) { [terminal] _ in
            ScreenActor.assumeIsolated {
                let ground = terminal.ground
                inputIsReady()
                if terminal.ground != ground { handle(.redraw) }
            }
        }
        let signals = SignalWatch(Self.signals, on: ScreenActor.loop) { [weak self] number in
            ScreenActor.assumeIsolated {
                switch number {
                case SIGWINCH:
                    self?.terminal.resize()
                    handle(.redraw)
                case SIGTSTP: handle(.stop)
                case SIGHUP: self?.end(.hangUp)
                default: self?.end(.success)
                }
            }
        }
        // What was typed while the terminal was asked for its colours has been read already.
        inputIsReady()
        let status = await ending.wait()
        ScreenActor.loop.unwatch(keys)
        signals?.stop()
        return status
    }
}

extension Terminal {
    /// Restores the terminal, stops the process for Ctrl-Z, and takes control of the terminal again when the shell
    /// continues it.
    func stopUntilContinued() {
        suspend()
        // The signal's default action stops the whole process, as soon as it is unblocked.
        kill(getpid(), SIGTSTP)
        SignalWatch.unblock([SIGTSTP])
        SignalWatch.block([SIGTSTP])
        resume()
    }
}
