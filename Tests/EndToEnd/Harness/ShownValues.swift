import Testing

/// What the three sensors measure, as the screen shows it.
struct ShownValues: Hashable, Sendable {
    var heartRate: String
    var oxygenSaturation: String
    var temperature: String

    /// The values of every world at first.
    static let steady = ShownValues(heartRate: "72", oxygenSaturation: "98", temperature: "36.8")
    /// Others; where they are shown after a loss, they have come since.
    static let changed = ShownValues(heartRate: "81", oxygenSaturation: "97", temperature: "37.1")
}

extension World {
    /// Has the sensors measure other values from now on.
    func change(to values: ShownValues) async throws {
        try await please("hr \(values.heartRate)")
        try await please("spo2 \(values.oxygenSaturation)")
        try await please("temp \(values.temperature)")
    }
}

extension ProgramInTerminal {
    /// Waits until the three sensors show values.
    func waitFor(
        _ values: ShownValues, within limit: Duration = Harness.timeout,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let text = "\(values.heartRate) a minute, \(values.oxygenSaturation) % and \(values.temperature) °C are shown"
        try await waitUntil(text, within: limit, sourceLocation: sourceLocation) {
            $0.number(of: "HEART RATE") == values.heartRate && $0.number(of: "SpO₂") == values.oxygenSaturation
                && $0.number(of: "TEMPERATURE") == values.temperature
        }
    }

    /// Waits until the three sensors show their values of the beginning.
    func waitForSteadyValues(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waitFor(.steady, sourceLocation: sourceLocation)
    }

    /// Starts `bedside`, which connects all sensors, and waits until they show their values.
    static func streaming(
        _ arguments: [String] = [], in world: World, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProgramInTerminal {
        let bedside = try await start(["--connect", "all"] + arguments, on: world)
        try await bedside.waitForSteadyValues(sourceLocation: sourceLocation)
        return bedside
    }

    /// Waits until the screen shows a trouble and its remedy.
    func waitFor(
        trouble: String, remedy: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await waitUntil("“\(trouble)” and “\(remedy)” are shown", sourceLocation: sourceLocation) {
            $0.shows(trouble) && $0.shows(remedy)
        }
    }

    /// Has the sensors measure other values and waits until these are shown, without a key and without the trouble.
    func expectRecovery(
        from trouble: String, in world: World, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await world.change(to: .changed)
        try await waitFor(.changed, sourceLocation: sourceLocation)
        try await waitUntil("“\(trouble)” is no longer shown", sourceLocation: sourceLocation) { !$0.shows(trouble) }
    }
}
