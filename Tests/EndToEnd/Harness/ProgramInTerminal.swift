import EventLoops
import TestSupport
import Testing

/// A program that runs in a terminal, as a person at the keyboard meets it: keys go in, a screen comes out.
///
/// The program ends with this value at the latest. The world that it was started in lives as long.
actor ProgramInTerminal {
    /// What a test can wait for.
    struct State: Sendable {
        var screen: Screen
        var exitStatus: ExitStatus?
        /// How often something was written to the terminal.
        var writes: Int
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { Harness.loop.asUnownedSerialExecutor() }

    private let world: World?
    private let home: TemporaryFolder
    private let pseudoTerminal: PseudoTerminal
    private let virtualTerminal: VirtualTerminal
    private let process: ChildProcess
    private var waits = Waits<State>(on: Harness.loop)
    private var outputWatch: DescriptorWatch?
    private var writes = 0
    private var output: [UInt8] = []
    /// What the terminal answers when it is asked for its ground; `nil` for nothing, as many do.
    private let ground: String?
    private var hasAnswered = false

    /// Starts `bedside` in a terminal.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - world: The Bluetooth that it finds; `nil`: there is not even a bus.
    ///   - environment: What to add to an environment that knows nothing of the tests' user.
    ///   - program: Another program in its place.
    ///   - ground: What the terminal answers when it is asked for its ground, such as `rgb:ffff/ffff/ffff`.
    ///   - isFirstStart: Whether the card may greet that greets in every home that is new, as those of tests are.
    static func start(
        _ arguments: [String] = [], on world: World? = nil, environment: [String: String] = [:],
        columns: Int = 100, rows: Int = 30, program: String = Harness.program, ground: String? = nil,
        isFirstStart: Bool = false
    ) async throws -> ProgramInTerminal {
        let isScreen = program == Harness.program && arguments.first.map { $0.hasPrefix("-") } ?? true
        let started = try await ProgramInTerminal(
            [program] + (isScreen && !isFirstStart ? ["--no-welcome"] : []) + arguments, world: world,
            environment: environment, columns: columns, rows: rows, ground: ground)
        await started.begin()
        return started
    }

    private init(
        _ arguments: [String], world: World?, environment: [String: String], columns: Int, rows: Int,
        ground: String?
    ) async throws {
        self.world = world
        self.ground = ground
        home = try TemporaryFolder()
        pseudoTerminal = try PseudoTerminal(columns: columns, rows: rows)
        virtualTerminal = VirtualTerminal(columns: columns, rows: rows)
        var additions = ["TERM": "xterm-256color"]
        if let world { additions["DBUS_SYSTEM_BUS_ADDRESS"] = world.address }
        additions.merge(environment) { $1 }
        // The first terminal that a session leader opens becomes its controlling terminal.
        let terminal = StandardStream.path(pseudoTerminal.path)
        process = try ChildProcess(
            arguments, environment: Harness.environment(home: home, additions),
            streams: [terminal, terminal, terminal], startsSession: true, ending: .kill, on: Harness.loop)
    }

    isolated deinit {
        if let outputWatch { Harness.loop.unwatch(outputWatch) }
    }

    private func begin() {
        watch()
        process.onExit { [weak self] in
            self?.assumeIsolated { $0.takeOutput() }
        }
    }

    private func watch() {
        outputWatch = Harness.loop.watch(pseudoTerminal.master, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.takeOutput() }
        }
    }

    private func takeOutput() {
        pseudoTerminal.readAll { bytes in
            writes += 1
            output.append(contentsOf: bytes)
            answerAboutGround()
            let answer = virtualTerminal.write(bytes)
            if !answer.isEmpty { pseudoTerminal.type(answer) }
        }
        waits.settle(state)
    }

    /// Answers the question for the ground before that for the attributes, which libvterm answers.
    private func answerAboutGround() {
        guard let ground, !hasAnswered, hasWritten("\u{1B}]11;?") else { return }
        hasAnswered = true
        pseudoTerminal.type("\u{1B}]11;\(ground)\u{1B}\\")
    }

    private var state: State {
        State(screen: virtualTerminal.contents, exitStatus: process.exitStatus, writes: writes)
    }

    // MARK: Doing

    /// Types a text.
    func type(_ text: String) {
        pseudoTerminal.type(Array(text.utf8))
    }

    /// Quits from the main page or the page of all sensors, and answers the question that is asked while a sensor is connected or an alarm active.
    ///
    /// - Returns: How it ended.
    func quit(sourceLocation: SourceLocation = #_sourceLocation) async throws -> ExitStatus {
        try await closeSensorPage(sourceLocation: sourceLocation)
        type("q")
        // The end comes with or without the question, and there is no other way to know which.
        _ = await wait(Harness.timeout) { $0.exitStatus != nil || $0.screen.shows("Quit") }
        if exitStatus == nil { type("y") }
        return try await waitForExit(sourceLocation: sourceLocation)
    }

    /// Closes the open page by the key that quits.
    func closePage() async throws {
        type("q")
        try await waitUntil("the page is closed") { !$0.sensorRows.isEmpty }
    }

    /// Disconnects the selected sensor, which measures; the first page is shown afterwards.
    func disconnect() async throws {
        type("d")
        try await waitFor("Disconnect ")
        type("y")
        try await waitUntil("it is answered") { !$0.shows("Disconnect ") }
        try await closeSensorPage()
    }

    /// Quits while a sensor is connected or an alarm active, which the program asks about.
    func quitWhenAsked() async throws {
        type("q")
        try await waitFor("Quit anyway?")
        type("y")
    }

    /// Presses a key.
    func press(_ key: Key) {
        type(key.rawValue)
    }

    /// Gives the terminal another size, and loses what it showed, as some terminals do.
    func resize(columns: Int, rows: Int) {
        let shown = screen
        // The program is told of changes only.
        if shown.columns == columns, shown.rows == rows { return }
        _ = Array("\u{1B}[2J".utf8).withUnsafeBytes { virtualTerminal.write($0) }
        virtualTerminal.resize(columns: columns, rows: rows)
        pseudoTerminal.resize(columns: columns, rows: rows)
    }

    /// Writes on the screen behind the program's back, as another program may.
    func scribble(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { virtualTerminal.write($0) }
        waits.settle(state)
    }

    /// Sends a signal to the program.
    func send(signal: Int32) {
        process.send(signal: signal)
    }

    /// Lets the line hang, as a broken connection does: the output is not read, and soon no more is taken.
    func stopReading() {
        if let outputWatch { Harness.loop.unwatch(outputWatch) }
        outputWatch = nil
        pseudoTerminal.fill()
    }

    /// Reads what was written after ``stopReading()``, and all that follows.
    func readAgain() {
        watch()
    }

    /// Closes the terminal under the program.
    func hangUp() {
        if let outputWatch { Harness.loop.unwatch(outputWatch) }
        outputWatch = nil
        pseudoTerminal.hangUp()
    }

    // MARK: Seeing

    /// What the terminal shows now.
    var screen: Screen { virtualTerminal.contents }

    /// Whether bytes were ever written to the terminal in this order.
    func hasWritten(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard !wanted.isEmpty, output.count >= wanted.count else { return false }
        return (0...(output.count - wanted.count)).contains { start in
            output[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }

    /// How often the bell has rung.
    var bellCount: Int { output.count { $0 == 0x07 } }

    /// The program's process.
    var processIdentifier: Int32 { process.identifier }

    /// How often something was written to the terminal so far.
    var writeCount: Int { writes }

    /// How many bytes were written to the terminal so far.
    var byteCount: Int { output.count }

    /// How the program ended, or `nil` while it runs.
    var exitStatus: ExitStatus? { process.exitStatus }

    /// What a program may leave behind in a terminal and must not, or nothing.
    var damageToTerminal: [String] {
        let modes = virtualTerminal.modes
        var damage: [String] = []
        if modes.isAlternateScreen { damage.append("the alternate screen is still shown") }
        if !modes.isCursorVisible { damage.append("the cursor is hidden") }
        if modes.isMouseReported { damage.append("the mouse is still reported") }
        if !pseudoTerminal.hasSettingsOfStart { damage.append("the line settings are not those of before") }
        return damage
    }

    // MARK: Waiting

    /// Types a text again and again, every few seconds, until the screen meets a condition.
    func waitUntil(
        _ description: String, pressing text: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: @escaping @Sendable (Screen) -> Bool
    ) async throws {
        for _ in 0..<10 {
            type(text)
            if let met = await wait(.seconds(5), { condition($0.screen) || $0.exitStatus != nil }),
                condition(met.screen)
            {
                return
            }
        }
        throw HarnessError(
            "waited in vain until \(description); the screen shows\n\(screen.text)", at: sourceLocation)
    }

    /// Waits until the screen meets a condition; the test fails, and says what the screen shows, when it does not.
    ///
    /// - Parameters:
    ///   - description: What is waited for, to follow the words "waited in vain until".
    ///   - limit: How long at most.
    @discardableResult
    func waitUntil(
        _ description: String, within limit: Duration = Harness.timeout,
        sourceLocation: SourceLocation = #_sourceLocation, _ condition: @escaping @Sendable (Screen) -> Bool
    ) async throws -> Screen {
        if let met = await wait(limit, { condition($0.screen) || $0.exitStatus != nil }), condition(met.screen) {
            return met.screen
        }
        let ending = process.exitStatus.map { ", and the program ended with \($0)" } ?? ""
        throw HarnessError(
            "waited in vain until \(description)\(ending); the screen shows\n\(screen.text)", at: sourceLocation)
    }

    /// Waits until a text stands on the screen.
    @discardableResult
    func waitFor(
        _ text: String, within limit: Duration = Harness.timeout, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Screen {
        try await waitUntil("“\(text)” stands on the screen", within: limit, sourceLocation: sourceLocation) {
            $0.shows(text)
        }
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: How it ended.
    func waitForExit(
        within limit: Duration = Harness.timeout, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ExitStatus {
        if let status = await wait(limit, { $0.exitStatus != nil })?.exitStatus { return status }
        throw HarnessError(
            "waited in vain for the program to end; the screen shows\n\(screen.text)", at: sourceLocation)
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
