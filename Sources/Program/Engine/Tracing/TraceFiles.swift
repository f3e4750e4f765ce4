import EventLoops
import Synchronization
import Tracing
import UserFiles
import Vitals

/// The files of a trace, the lines and the capture, written on a thread of their own, because a disk may be slow.
package final class TraceFiles: Sendable {
    /// The most bytes of each file: some days of an ordinary sensor.
    private static let limit = 32 << 20
    /// The most bytes that may wait for a disk.
    private static let waitingLimit = 8 << 20

    /// Where the files are.
    package let paths: [String]
    private let writer: Writer
    private let thread: LoopThread
    private let progress: Progress

    /// Why nothing more is written, as a sentence for the user; `nil` while all is well.
    package var failure: String? { progress.failure }

    /// Creates the files.
    ///
    /// - Parameters:
    ///   - path: The path of the capture; the lines, if any, are beside it.
    ///   - linesPath: The path of the lines; `nil` for none.
    /// - Throws: `UserFileError`.
    package init(capture path: String, lines linesPath: String?) throws(UserFileError) {
        let capture = try GrowingFile(path, limit: Self.limit)
        var lines: GrowingFile?
        if let linesPath { lines = try GrowingFile(linesPath, limit: Self.limit) }
        paths = [linesPath, path].compactMap(\.self)
        let thread = LoopThread(named: "trace")
        let progress = Progress()
        self.thread = thread
        self.progress = progress
        writer = Writer(capture, lines, on: thread.loop, progress)
    }

    /// Writes octets of the capture, and lines, without waiting.
    package func write(_ octets: [UInt8], _ lines: String) {
        if octets.isEmpty, lines.isEmpty { return }
        let count = octets.count + lines.utf8.count
        let isTooMuch = progress.add(count) > Self.waitingLimit
        Task(executorPreference: thread.loop) { [writer] in
            await writer.write(octets, Array(lines.utf8), count: count, isTooMuch: isTooMuch)
        }
    }

    /// Returns when everything is written, but waits no longer than two seconds for the disk.
    package func finish(on loop: EventLoop) async {
        _ = await loop.result(within: .seconds(2)) { [writer] in await writer.finish() }
    }

    /// The bytes that wait to be written, and why no more are.
    private final class Progress: Sendable {
        private let state = Mutex((waiting: 0, failure: String?.none))

        var failure: String? { state.withLock { $0.failure } }
        var isWaiting: Bool { state.withLock { $0.waiting > 0 } }

        func add(_ more: Int) -> Int {
            state.withLock { state in
                state.waiting += more
                return state.waiting
            }
        }

        func fail(_ sentence: String) { state.withLock { $0.failure = sentence } }
    }

    private actor Writer {
        private let loop: EventLoop
        private var capture: GrowingFile?
        private var lines: GrowingFile?
        private let progress: Progress

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(
            _ capture: consuming GrowingFile, _ lines: consuming GrowingFile?, on loop: EventLoop, _ progress: Progress
        ) {
            self.loop = loop
            self.capture = consume capture
            self.lines = consume lines
            self.progress = progress
        }

        func write(_ octets: [UInt8], _ text: [UInt8], count: Int, isTooMuch: Bool) {
            defer { _ = progress.add(-count) }
            if capture == nil { return }
            if isTooMuch { return end("The trace has ended: the disk does not take it fast enough.") }
            do throws(UserFileError) {
                if let appended = try lines?.append(text) { appended }
                if let appended = try capture?.append(octets) { appended }
            } catch {
                end("The trace has ended, and holds what came until now. \(error)")
            }
        }

        func finish() async {
            // This may overtake what was handed over before.
            while progress.isWaiting { await Task.yield() }
            close()
        }

        private func close() {
            capture = nil
            lines = nil
        }

        private func end(_ sentence: String) {
            close()
            progress.fail(sentence)
        }
    }
}

extension TraceFiles {
    /// The files of a trace that a key begins, among the user's data of a patient.
    ///
    /// - Parameters:
    ///   - address: The sensor's address.
    ///   - moment: When it begins; the names say so in UTC.
    /// - Throws: `UserFileError`.
    package static func begun(
        of address: String, for patient: PatientName?, at moment: Moment
    ) throws(UserFileError) -> TraceFiles {
        let folder = "\(try UserDirectories.current().of(patient).data)/traces"
        let path = "\(folder)/\(TraceText.fileName(of: address, at: moment))"
        return try TraceFiles(capture: "\(path).btsnoop", lines: "\(path).txt")
    }
}
