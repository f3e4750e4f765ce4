import CommandLineTool
import EventLoop
import Glibc
import MonitorSocket

/// `bedside status --follow`: a line at each change, of whichever monitor there is, until the reader or a signal ends it.
///
/// It waits for the monitor's lines and, where there is none, for a socket to appear; it never asks again by itself.
@ScreenActor
final class StatusFollower {
    private let manner: StatusManner
    private let loop = ScreenActor.loop
    private var output: LineOutput?
    private var connection: MonitorSocketConnection?
    private var sockets: FolderWatch?
    private var printed = ""
    private var finish: CheckedContinuation<ExitStatus, Never>?

    init(_ manner: StatusManner) {
        self.manner = manner
    }

    /// Runs until the end.
    func run() async -> ExitStatus {
        let signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], on: loop) { [weak self] number in
            ScreenActor.assumeIsolated { self?.end(number == SIGHUP ? .hangUp : .success) }
        }
        output = LineOutput(descriptor: STDOUT_FILENO, loop: loop) { [weak self] failure in
            ScreenActor.assumeIsolated { self?.end(failure == EPIPE ? .success : .inputOutputError) }
        }
        // A bar that has ended is noticed even though there is nothing to write.
        let reader = loop.watch(STDOUT_FILENO, for: .hangUp) { [weak self] readiness in
            ScreenActor.assumeIsolated { self?.readerHasChanged(readiness) }
        }
        let folder = MonitorPlace.socketFolder(manner.finder.directories)
        sockets = FolderWatch(folder, on: loop) { [weak self] in ScreenActor.assumeIsolated { self?.appeared() } }
        let status = await withCheckedContinuation { continuation in
            finish = continuation
            look()
        }
        loop.unwatch(reader)
        sockets?.stop()
        connection?.close()
        signals?.stop()
        output?.finish(within: .seconds(2))
        return status
    }

    private func readerHasChanged(_ readiness: Readiness) {
        if readiness.contains(.hangUp) || readiness.contains(.failed) { end(.success) }
    }

    /// A socket has appeared, or gone; while a monitor is followed that matters only if it is simulated or another's.
    private func appeared() {
        if connection == nil { look() }
    }

    private func look() {
        let found: MonitorFinder.Found?
        do throws(MonitorSocketError) {
            found = try manner.finder.find(.follow)
        } catch {
            return tell(manner.text(nil, orElse: "monitor does not answer"))
        }
        guard let found else { return tell(manner.text(nil)) }
        tell(manner.text(found.glance))
        let connection = found.client.attach(to: loop) { [weak self] _, line in
            ScreenActor.assumeIsolated { self?.received(line) }
        }
        connection.closed = { [weak self] _ in ScreenActor.assumeIsolated { self?.lost() } }
        self.connection = connection
    }

    private func received(_ line: [UInt8]) {
        guard let glance = GlanceDecoder.glance(line) else { return }
        tell(manner.text(glance))
    }

    private func lost() {
        connection = nil
        look()
    }

    private func tell(_ line: String) {
        if line == printed { return }
        printed = line
        output?.write(Array((line + "\n").utf8))
    }

    private func end(_ status: ExitStatus) {
        finish?.resume(returning: status)
        finish = nil
    }
}
