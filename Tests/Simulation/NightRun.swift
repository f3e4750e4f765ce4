import Foundation
import TestSupport

/// Runs a night: the program as it is, on the simulated machine, as often as the power comes back.
struct NightRun {
    let night: Night
    let folder: String
    /// The program to run.
    let program: String
    /// The library with the machine.
    let machine: String

    /// What one run of the program left.
    struct Outcome {
        /// The status of the program; negative for a signal.
        var status: Int32
        var tape: String
        /// What it wrote to standard error.
        var complaint: String
    }

    /// The statuses with which the machine ends the program.
    enum Status {
        static let over: Int32 = 97
        static let powerCut: Int32 = 98
    }

    /// Prepares the folders of a night.
    init(_ night: Night, in folder: String, program: String, machine: String) throws {
        (self.night, self.folder, self.program, self.machine) = (night, folder, program, machine)
        for name in ["home", "data", "config/bedside", "state", "run", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // The broker is the machine's.
        let ward = "[ward]\nbroker = \"mqtt://127.0.0.1:1883\"\nsite = \"night\"\nbed = \"b1\"\n"
        try write(
            "[screen]\nwelcome = false\n" + (night.hasWard ? ward : ""), to: "config/bedside/bedside.toml")
    }

    /// The path of the store.
    var store: String { "\(folder)/data/bedside/simulated/store.sqlite" }

    /// Runs the program until the power fails or the night is over.
    ///
    /// - Parameter index: The place of the run in the night.
    func run(_ index: Int) async throws -> Outcome {
        let scenario = "scenario-\(index).json5"
        try write(worldScenario(index), to: scenario)
        var arguments = (night.printsLines ? ["watch", "--json"] : []) + ["--simulate=\(folder)/\(scenario)"]
        for name in night.connectsAll ? ["all"] : night.truths.map(\.address) { arguments += ["--connect", name] }
        return try await run(arguments, plan: machinePlan(index), as: String(index))
    }

    /// What a command about the simulated sensors prints on the machine when the night is over.
    ///
    /// - Parameters:
    ///   - arguments: The command and its options.
    ///   - wallMilliseconds: The time, in milliseconds since 1970.
    func output(of arguments: [String], wallMilliseconds: Int64) async throws -> String {
        let plan = """
            seed \(night.number)
            wall \(wallMilliseconds)
            terminal \(night.columns) \(night.rows)
            disk \(folder)/data
            begin 0
            600000000000 end

            """
        let outcome = try await run(arguments + ["--simulate"], plan: plan, as: "afterwards")
        var (tape, text) = (try Tape(path: outcome.tape), outcome.complaint)
        while let entry = tape.next() {
            if entry.kind == .output { text += String(decoding: entry.octets, as: UTF8.self) }
        }
        return text
    }

    /// Runs the program on the machine.
    ///
    /// - Parameters:
    ///   - plan: The machine's plan.
    ///   - name: What the names of the run's files end with.
    private func run(_ arguments: [String], plan: String, as name: String) async throws -> Outcome {
        let (tape, planName) = ("\(folder)/tape-\(name)", "plan-\(name)")
        try write(plan, to: planName)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = NightCommands.environment(of: folder).merging([
            "TERM": "xterm-256color", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            // The files of the machine are elsewhere; a report of a crash would stop its threads.
            "BEDSIDE_LANDLOCK": "off", "SWIFT_BACKTRACE": "enable=no",
            // The order of sets and dictionaries.
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "LD_PRELOAD": machine, "BEDSIDE_MACHINE_PLAN": "\(folder)/\(planName)", "BEDSIDE_MACHINE_TAPE": tape,
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let complaint = "\(folder)/errors-\(name)"
        _ = FileManager.default.createFile(atPath: complaint, contents: nil)
        process.standardError = FileHandle(forWritingAtPath: complaint)
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = {
                continuation.resume(
                    returning: $0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus)
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = (try? String(contentsOfFile: complaint, encoding: .utf8)) ?? ""
        return Outcome(status: status, tape: tape, complaint: text)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    // MARK: The machine's plan

    private func machinePlan(_ index: Int) -> String {
        let (start, end) = night.runs[index]
        let jumps = night.faults.filter { $0.start < start }.map(\.clockStep)
        var steps: [(time: Double, text: String)] = [(end, index < night.powerCuts.count ? "power" : "end")]
        for fault in night.faults where fault.start >= start && fault.start < end {
            let (begins, ends) = fault.steps()
            if let begins { steps.append((fault.start, begins)) }
            if let ends, fault.end < end { steps.append((fault.end, ends)) }
            for (time, text) in fault.typed() where time < end { steps.append((time, Self.key(Array(text.utf8)))) }
        }
        for key in night.keys where key.time >= start + 5 && key.time < end {
            steps.append((key.time, Self.key(key.octets)))
        }
        let sleeps = night.faults.filter { $0.kind == .suspension && $0.start >= start && $0.start < end }
        let lines = steps.sorted { $0.time < $1.time }.map { step in
            // The machine counts the time that it was awake.
            let slept = sleeps.filter { $0.start < step.time }.map(\.sleep).reduce(0, +)
            return "\(Int64((step.time - slept) * 1e9)) \(step.text)"
        }
        return """
            seed \(night.number &+ UInt64(index) &* 7919)
            wall \(night.wallMilliseconds + jumps.reduce(0, +))
            terminal \(night.columns) \(night.rows)
            disk \(folder)/data
            \(night.followsStatus ? "follow \(folder)/run/bedside\n" : "")begin \(Int64(start * 1e9))
            \(lines.joined(separator: "\n"))

            """
    }

    private static func key(_ octets: [UInt8]) -> String {
        "key " + octets.map { String(format: "%02x", $0) }.joined()
    }

    // MARK: The world's scenario

    private func worldScenario(_ index: Int) -> String {
        let (start, end) = night.runs[index]
        var events: [(time: Double, line: String)] = []
        for truth in night.truths where truth.model == .usual {
            for step in truth.steps where step.start > start && step.start < end {
                events.append((step.start, "\(truth.kind.word) \(step.value)"))
            }
        }
        for fault in night.faults where fault.end >= start && fault.start < end {
            let (begins, ends) = fault.commands()
            func add(_ lines: String?, at time: Double) {
                for (place, line) in (lines ?? "").split(separator: "\n").enumerated() {
                    events.append((time + 4 * Double(place), String(line)))
                }
            }
            guard fault.start >= start else { continue }
            add(begins, at: fault.start)
            if fault.end < end { add(ends, at: fault.end) }
        }
        let sensors = night.truths.map { $0.description(from: start) }
        let neighbours = night.neighbours.enumerated().map { place, name in
            let shown = name.unicodeScalars.map { scalar in
                scalar.value < 0x20 || scalar.value > 0x7E || scalar == "'"
                    ? "\\u" + String(format: "%04x", scalar.value) : String(scalar)
            }.joined()
            let address = String(format: "C0:52:49:00:01:%02X", place)
            return "{ name: '\(shown)', address: '\(address)', kind: 'generic', rssi: -80, advertises: ['FFF0'] }"
        }
        let lines = events.sorted { $0.time < $1.time }.map { "{ at: \($0.time - start), command: '\($0.line)' }," }
        return """
            {
              seed: \(night.number % 1_000_000),
              sensors: [
                \((sensors + neighbours).joined(separator: ",\n    ")),
              ],
              events: [
                \(lines.joined(separator: "\n    "))
              ],
            }

            """
    }
}
