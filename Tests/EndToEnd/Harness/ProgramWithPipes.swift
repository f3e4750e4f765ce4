import CSpawn
import EventLoops
import Glibc
import Testing

/// A program whose standard streams are pipes, as in a script.
///
/// The program ends with this value at the latest. The world that it was started in lives as long.
actor ProgramWithPipes {
    /// What a program that has ended left.
    struct Outcome: Sendable {
        var status: ExitStatus
        /// Everything on standard output.
        var output: String
        /// Everything on standard error.
        var errorOutput: String
    }

    /// A stream that the program writes.
    private struct Stream {
        let pipe: Pipe
        var watch: DescriptorWatch?
        var bytes: [UInt8] = []
        /// Where its lines end.
        var lineEnds: [Int] = []

        var isOpen: Bool { watch != nil }

        mutating func readOnce() {
            let isOpen = pipe.readOnce { new in
                for index in new.indices where new[index] == UInt8(ascii: "\n") {
                    lineEnds.append(bytes.count + index)
                }
                bytes.append(contentsOf: new)
            }
            if !isOpen { end() }
        }

        mutating func end() {
            if let watch { Harness.loop.unwatch(watch) }
            watch = nil
            pipe.closeReader()
        }
    }

    private struct Streams {
        var output: Stream
        var errorOutput: Stream
    }

    private struct State: Sendable {
        var hasLine: Bool
        var isAtEnd: Bool
        var hasEnded: Bool
        /// How much there is on standard error.
        var errorCount: Int
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { Harness.loop.asUnownedSerialExecutor() }

    private let world: World?
    private let home: TemporaryFolder
    private let process: ChildProcess
    private let input: Pipe
    private var streams: Streams
    private var waits = Waits<State>(on: Harness.loop)
    private var linesTaken = 0
    private var position = 0

    /// Starts `bedside` with pipes.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - world: The Bluetooth that it finds; `nil`: there is not even a bus.
    ///   - environment: What to add to an environment that knows nothing of the tests' user.
    ///   - ending: How it ends when it is deinitialised.
    ///   - program: Another program in its place.
    static func start(
        _ arguments: [String], on world: World? = nil, environment: [String: String] = [:],
        ending: ChildProcess.Ending = .kill, program: String = Harness.program
    ) async throws -> ProgramWithPipes {
        let started = try await ProgramWithPipes(
            [program] + arguments, world: world, environment: environment, ending: ending)
        await started.watch()
        return started
    }

    /// Runs `bedside` to its end.
    ///
    /// - Parameter input: What it finds on standard input.
    static func run(
        _ arguments: [String], input: String = "", on world: World? = nil, environment: [String: String] = [:],
        program: String = Harness.program, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let program = try await start(arguments, on: world, environment: environment, program: program)
        await program.write(input)
        await program.closeInput()
        return try await program.waitForExit(sourceLocation: sourceLocation)
    }

    private init(
        _ arguments: [String], world: World?, environment: [String: String], ending: ChildProcess.Ending
    ) async throws {
        self.world = world
        home = try TemporaryFolder()
        input = try Pipe()
        let output = try Pipe()
        let errorOutput = try Pipe()
        streams = Streams(output: Stream(pipe: output), errorOutput: Stream(pipe: errorOutput))
        var additions: [String: String] = [:]
        if let world { additions["DBUS_SYSTEM_BUS_ADDRESS"] = world.address }
        additions.merge(environment) { $1 }
        process = try ChildProcess(
            arguments, environment: Harness.environment(home: home, additions),
            streams: [.descriptor(input.reader), .descriptor(output.writer), .descriptor(errorOutput.writer)],
            startsSession: true, ending: ending, on: Harness.loop)
        input.closeReader()
        output.closeWriter()
        errorOutput.closeWriter()
    }

    isolated deinit {
        streams.output.end()
        streams.errorOutput.end()
    }

    private func watch() {
        watch(\.output)
        watch(\.errorOutput)
        process.onExit { [weak self] in
            self?.assumeIsolated { $0.waits.settle($0.state) }
        }
    }

    private func watch(_ stream: WritableKeyPath<Streams, Stream> & Sendable) {
        streams[keyPath: stream].watch = Harness.loop.watch(
            streams[keyPath: stream].pipe.reader, for: .readable
        ) { [weak self] _ in
            self?.assumeIsolated { program in
                program.streams[keyPath: stream].readOnce()
                program.waits.settle(program.state)
            }
        }
    }

    private var state: State {
        State(
            hasLine: linesTaken < streams.output.lineEnds.count,
            isAtEnd: !streams.output.isOpen && !streams.errorOutput.isOpen, hasEnded: process.exitStatus != nil,
            errorCount: streams.errorOutput.bytes.count)
    }

    // MARK: Doing

    /// Writes to the program's standard input.
    func write(_ text: String) {
        input.write(Array(text.utf8))
    }

    /// Ends the program's standard input.
    func closeInput() {
        input.closeWriter()
    }

    /// Stops reading what the program writes, as `head` does when it has enough.
    func closeOutput() {
        streams.output.end()
    }

    /// Sends a signal to the program.
    func send(signal: Int32) {
        process.send(signal: signal)
    }

    // MARK: Seeing

    /// The program's process.
    var processIdentifier: Int32 { process.identifier }

    /// Waits for the next line of standard output.
    ///
    /// - Returns: The line without its end; `nil` at the end of the output.
    func nextLine(
        within limit: Duration = Harness.timeout, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String? {
        guard await wait(limit, { $0.hasLine || $0.isAtEnd }) != nil else {
            throw failure("waited in vain for a line", sourceLocation)
        }
        guard linesTaken < streams.output.lineEnds.count else { return nil }
        let end = streams.output.lineEnds[linesTaken]
        defer {
            linesTaken += 1
            position = end + 1
        }
        return String(decoding: streams.output.bytes[position..<end], as: UTF8.self)
    }

    /// Waits until these words are on standard error.
    func waitForWarning(
        _ words: String, within limit: Duration = Harness.timeout, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        while true {
            let seen = streams.errorOutput.bytes.count
            if String(decoding: streams.errorOutput.bytes, as: UTF8.self).contains(words) { return }
            guard await wait(limit, { $0.errorCount > seen }) != nil else {
                throw failure("waited in vain for “\(words)”", sourceLocation)
            }
        }
    }

    /// Waits until the program has ended and everything that it wrote has been read.
    func waitForExit(
        within limit: Duration = Harness.timeout, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        guard await wait(limit, { $0.hasEnded && $0.isAtEnd }) != nil, let status = process.exitStatus else {
            throw failure("waited in vain for the program to end", sourceLocation)
        }
        return Outcome(
            status: status, output: String(decoding: streams.output.bytes, as: UTF8.self),
            errorOutput: String(decoding: streams.errorOutput.bytes, as: UTF8.self))
    }

    /// Why the test cannot go on, with what the program wrote.
    func failure(_ text: String, _ sourceLocation: SourceLocation) -> HarnessError {
        let output = String(decoding: streams.output.bytes.suffix(4000), as: UTF8.self)
        let errorOutput = String(decoding: streams.errorOutput.bytes.suffix(4000), as: UTF8.self)
        return HarnessError(
            "\(text); standard output ends with\n\(output)\nstandard error with\n\(errorOutput)", at: sourceLocation)
    }

    private func wait(_ limit: Duration, _ condition: @escaping @Sendable (State) -> Bool) async -> State? {
        let state = state
        if condition(state) { return state }
        return await withCheckedContinuation { continuation in
            waits.add(limit: limit, condition: condition, continuation: continuation) { [weak self] wait in
                self?.assumeIsolated { $0.waits.giveUp(wait) }
            }
        }
    }
}
