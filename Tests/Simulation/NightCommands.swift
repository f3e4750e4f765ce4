import Foundation

/// Runs the commands that read the store of a night, outside the machine, as a user would afterwards.
struct NightCommands {
    /// The folder of the night.
    let folder: String
    /// The program.
    let program: String

    /// Before all nights.
    private static let from = "2025-12-31"

    /// The time zone of nights.
    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    /// The environment of the program in a night's folder.
    static func environment(of folder: String) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": "\(folder)/home", "XDG_DATA_HOME": "\(folder)/data",
            "XDG_CONFIG_HOME": "\(folder)/config", "XDG_STATE_HOME": "\(folder)/state",
            "XDG_RUNTIME_DIR": "\(folder)/run", "TMPDIR": "\(folder)/tmp", "LANG": "C.UTF-8", "TZ": zone.identifier,
        ]
    }

    /// What a command prints about the night's simulated sensors.
    func output(_ arguments: [String]) throws -> String {
        try Simulation.output(
            of: program, arguments + ["--simulate", "--from", Self.from],
            environment: Self.environment(of: folder))
    }

    /// What it prints as JSON lines.
    func objects(_ arguments: [String]) throws -> [[String: Any]] {
        Self.objects(try output(arguments))
    }

    /// The objects of JSON lines.
    static func objects(_ lines: String) -> [[String: Any]] {
        lines.split(separator: "\n").compactMap { line in
            try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }
    }

    private static let clock = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The milliseconds since 1970 of a time in UTC: "2026-03-29T00:59:02.906Z".
    static func milliseconds(_ time: String) -> Int64? {
        (try? clock.parse(time)).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
    }

    /// The hundredths of a decimal number; `nil` for any other text.
    static func hundredths(_ number: String) -> Int? { Double(number).map { Int(($0 * 100).rounded()) } }

    /// The hundredths of a number in JSON.
    static func hundredths(_ number: Any?) -> Int? {
        (number as? NSNumber).map { Int(($0.doubleValue * 100).rounded()) }
    }
}
