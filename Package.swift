// swift-tools-version: 6.2

import PackageDescription

/// Every target is built in the Swift 6 language mode; a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    // An async function without an actor of its own runs where its caller does: no hop, no thread pool.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Lets a type of our own hold a `Span` and so read octets safely without copying them.
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// A library or executable target of the project, with the settings that all of them share.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

/// The tests of one module, mirroring its sources.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: strict)
}

let package = Package(
    name: "Bedside",
    products: [
        .executable(name: "bedside", targets: ["bedside"]),
        .library(name: "BlueZ", targets: ["BlueZ"]),
        .library(name: "BlueZSimulator", targets: ["BlueZSimulator"]),
        .library(name: "HealthDevices", targets: ["HealthDevices"]),
        .library(name: "VitalDecoders", targets: ["VitalDecoders"]),
        .library(name: "AllocationCount", type: .dynamic, targets: ["CAllocationCount"]),
    ],
    targets: [
        // C libraries. Quirk ncurses-flags: `pkgConfig` is left out for ncurses, because SwiftPM refuses its flags.
        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CGcrypt", providers: [.apt(["libgcrypt20-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CSystem"),

        // The pure core: values in, values out.
        module("BluetoothValues"),
        module("VitalDecoders", ["BluetoothValues"], settings: lifetimes),
        module("SaturatingArithmetic"),
        module("Vitals", ["BluetoothValues", "SaturatingArithmetic"]),
        module("BluetoothCapture", ["SaturatingArithmetic", "VitalDecoders"]),
        module("JSON"),
        module("Monitoring", ["SaturatingArithmetic", "Vitals"]),
        module("Appearance", ["Monitoring", "Vitals"]),
        module("Sounds", ["Monitoring", "Vitals"]),
        module("Speech", ["Monitoring", "SaturatingArithmetic", "Vitals"]),
        module("Dashboard", ["Appearance", "Monitoring", "SaturatingArithmetic", "VitalDecoders", "Vitals"]),
        module("Configuration", ["Appearance", "JSON", "Monitoring", "VitalDecoders", "Vitals"]),
        module("Doctor", ["Vitals"]),
        module(
            "Setup",
            ["Appearance", "BluetoothValues", "Configuration", "Dashboard", "Doctor", "JSON", "Monitoring", "Vitals"]),

        // The edges.
        module("EventLoops", ["CSystem", "SaturatingArithmetic"]),
        module("UserFiles", ["CSystem"]),
        module("MonitorSocket", ["CSystem", "EventLoops", "SaturatingArithmetic", "UserFiles"]),
        module("DBus", ["CDBus", "EventLoops", "SaturatingArithmetic"]),
        module("MQTT", ["CMosquitto", "COpenSSL", "EventLoops", "UserFiles"]),
        module("BlueZ", ["BluetoothValues", "DBus", "EventLoops", "SaturatingArithmetic"]),
        module("HealthDevices", ["BlueZ", "VitalDecoders"]),
        module("BlueZExamples", ["BlueZ", "HealthDevices"]),
        module("Sensors", ["BlueZ", "CGcrypt", "EventLoops", "SaturatingArithmetic", "VitalDecoders", "Vitals"]),
        module(
            "Replay",
            ["BluetoothCapture", "Recording", "SaturatingArithmetic", "Sensors", "VitalDecoders", "Vitals"]),
        module("Terminal", ["Appearance", "CNcurses", "CSystem", "Dashboard"]),
        module("Loudspeaker", ["CALSA", "CSystem", "EventLoops", "Sounds"]),
        module("AlarmSignals", ["CSystem", "DBus", "EventLoops", "MonitorSocket", "Speech", "Vitals"]),
        module(
            "BlueZSimulator",
            ["BluetoothValues", "CGcrypt", "CSystem", "DBus", "EventLoops", "JSON", "VitalDecoders"]),
        module(
            "Recording",
            [
                "CSQLite", "CSystem", "EventLoops", "JSON", "Monitoring", "SaturatingArithmetic", "UserFiles", "Vitals",
            ]),

        // The program.
        module(
            "Formats",
            [
                "Configuration", "Dashboard", "Doctor", "JSON", "Monitoring", "SaturatingArithmetic", "VitalDecoders",
                "Vitals",
            ]),
        module(
            "CommandLineInterface",
            ["Appearance", "CSystem", "Configuration", "Formats", "JSON", "VitalDecoders", "Vitals"]),
        module("WardMessages", ["Formats", "JSON", "Monitoring", "Vitals"]),
        module("Ward", ["Formats", "Monitoring", "SaturatingArithmetic", "Vitals", "WardMessages"]),
        module(
            "WardScreen",
            ["Appearance", "Dashboard", "Monitoring", "SaturatingArithmetic", "Vitals", "Ward", "WardMessages"]),
        module("MonitorLink", ["JSON", "Monitoring", "SaturatingArithmetic", "Vitals"]),
        module(
            "Monitor",
            [
                "AlarmSignals", "Appearance", "BlueZ", "BlueZSimulator", "CommandLineInterface", "Configuration",
                "Dashboard", "DBus", "EventLoops", "Formats", "JSON", "Loudspeaker", "MonitorLink", "Monitoring",
                "MonitorSocket", "MQTT", "Recording", "Replay", "Sensors", "Sounds", "Speech", "UserFiles", "Vitals",
                "WardMessages",
            ]),
        .executableTarget(
            name: "bedside",
            dependencies: [
                "AlarmSignals", "Appearance", "BlueZ", "BlueZSimulator", "CommandLineInterface",
                "Configuration", "CSystem", "Dashboard", "DBus", "Doctor", "EventLoops", "Formats", "JSON",
                "Loudspeaker",
                "Monitor",
                "MonitorLink", "Monitoring", "MonitorSocket", "MQTT", "Recording", "Replay", "SaturatingArithmetic",
                "Sensors", "Setup", "Sounds", "Terminal", "UserFiles", "VitalDecoders", "Vitals", "Ward",
                "WardMessages",
                "WardScreen",
            ],
            swiftSettings: strict),

        // The real program, end to end, in a pseudo-terminal whose screen libvterm knows.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        // Loaded into the program before all else, to count what it allocates.
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
        // A disk that fails under SQLite.
        .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "bedside", "CommandLineInterface", "CSpawn", "CVTerm", "DBus", "EventLoops", "MonitorSocket",
                "TestSupport",
            ],
            exclude: ["Peers"], swiftSettings: strict),

        // What a frame costs; part of `make bench`.
        .executableTarget(
            name: "drawing", dependencies: ["Appearance", "Dashboard", "Monitoring", "Terminal", "Vitals"],
            path: "Tests/Benchmarks/Drawing", swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["CSpawn", "DBus", "EventLoops"], path: "Tests/TestSupport",
            exclude: ["measure_sound.py"], swiftSettings: strict),
        tests(
            "RepositoryTests",
            [
                "Appearance", "BlueZSimulator", "CommandLineInterface", "Configuration", "Monitoring", "Setup",
                "TestSupport",
            ]),
        tests(
            "ConfigurationTests",
            ["Appearance", "CommandLineInterface", "Configuration", "Monitoring", "TestSupport", "Vitals"],
            exclude: ["Document/tomllib_peer.py", "Golden", "Invalid"]),
        tests(
            "DoctorTests", ["Doctor", "Formats", "TestSupport"], exclude: ["Golden"]),
        tests("BluetoothValuesTests", ["BluetoothValues"]),
        tests("BluetoothCaptureTests", ["BluetoothCapture", "TestSupport", "VitalDecoders"]),
        tests("JSONTests", ["Formats", "JSON", "TestSupport", "VitalDecoders"]),
        tests(
            "ReplayTests",
            ["BluetoothCapture", "Monitoring", "Recording", "Replay", "TestSupport", "VitalDecoders", "Vitals"],
            exclude: ["Captures"]),
        tests("SaturatingArithmeticTests", ["SaturatingArithmetic", "TestSupport"]),
        tests("VitalsTests", ["Vitals"]),
        tests("UserFilesTests", ["CSystem", "TestSupport", "UserFiles"]),
        tests("EventLoopsTests", ["CSystem", "EventLoops", "TestSupport"]),
        tests("MonitorSocketTests", ["CSystem", "EventLoops", "MonitorSocket", "TestSupport"]),
        tests("MQTTTests", ["EventLoops", "MQTT", "TestSupport"]),
        tests("DBusTests", ["CSystem", "DBus", "EventLoops", "TestSupport"]),
        tests(
            "CommandLineInterfaceTests", ["CommandLineInterface", "Formats", "JSON", "TestSupport", "VitalDecoders"],
            exclude: ["Golden"]),
        tests(
            "FormatsTests",
            [
                "CommandLineInterface", "Dashboard", "Formats", "JSON", "Monitoring", "TestSupport", "VitalDecoders",
                "Vitals",
            ],
            exclude: ["Golden", "Report/check_html.py", "Status/read_openmetrics.py"]),
        tests(
            "MonitoringTests", ["Monitoring", "TestSupport", "Vitals"],
            exclude: ["Glucose/glucose_reference.py", "Rhythm/reference"]),
        tests(
            "SetupTests",
            ["Appearance", "Configuration", "Dashboard", "Doctor", "Monitoring", "Setup", "TestSupport", "Vitals"]),
        tests("SoundsTests", ["Monitoring", "Sounds", "TestSupport", "Vitals"]),
        tests("SpeechTests", ["Monitoring", "Speech", "TestSupport", "Vitals"]),
        tests("LoudspeakerTests", ["bedside", "EventLoops", "Loudspeaker", "Sounds", "TestSupport"]),
        tests("AppearanceTests", ["Appearance", "TestSupport"], exclude: ["Golden"]),
        tests(
            "DashboardTests", ["Appearance", "Dashboard", "Monitoring", "TestSupport", "VitalDecoders", "Vitals"],
            exclude: ["Golden"]),
        tests(
            "RecordingTests",
            [
                "CFaultyDisk", "CSQLite", "CSystem", "EventLoops", "Monitoring", "Recording", "TestSupport",
                "UserFiles",
                "Vitals",
            ], exclude: ["exports"]),
        tests(
            "HonestyTests",
            [
                "Dashboard", "EventLoops", "Formats", "Monitoring", "MonitorLink", "Recording", "TestSupport", "Vitals",
            ],
            exclude: ["Breakages", "break"]),
        tests(
            "WardMessagesTests", ["Formats", "JSON", "Monitoring", "TestSupport", "Vitals", "WardMessages"],
            exclude: ["home-assistant-device.schema.json", "validate.py"]),
        tests(
            "WardScreenTests",
            [
                "Appearance", "Dashboard", "Monitoring", "TestSupport", "Vitals", "Ward", "WardMessages", "WardScreen",
            ], exclude: ["Golden"]),
        tests("MonitorLinkTests", ["JSON", "MonitorLink", "Monitoring", "TestSupport", "Vitals"]),
        tests("TerminalTests", ["Appearance", "Dashboard", "Terminal", "TestSupport"]),
        tests("VitalDecodersTests", ["TestSupport", "VitalDecoders"], exclude: ["Vectors"]),
        tests(
            "SensorsTests", ["BlueZ", "DBus", "EventLoops", "Sensors", "TestSupport", "VitalDecoders", "Vitals"],
            exclude: ["Drivers/dexcom_peer.py"]),
        .testTarget(
            name: "Fuzzing",
            dependencies: [
                "BlueZSimulator", "CommandLineInterface", "Configuration", "CSQLite", "Dashboard", "Formats",
                "Monitoring",
                "Recording", "Replay", "Sensors", "TestSupport", "VitalDecoders", "Vitals",
            ],
            path: "Tests/Fuzzing",
            exclude: ["LibFuzzer", "corpus.txt", "modules.py", "run"], swiftSettings: strict),
        tests(
            "MonitorTests",
            [
                "AlarmSignals", "BlueZ", "Configuration", "Dashboard", "DBus", "EventLoops",
                "Monitor", "MonitorLink", "Monitoring", "MonitorSocket", "MQTT", "Recording", "TestSupport",
                "UserFiles", "Vitals", "WardMessages",
            ]),
        tests(
            "ProgramTests",
            [
                "bedside", "CommandLineInterface", "Configuration", "EventLoops", "Monitoring", "TestSupport",
                "UserFiles",
                "Vitals",
            ],
            exclude: ["Golden"]),
        tests(
            "AlarmSignalsTests",
            ["AlarmSignals", "CSystem", "DBus", "EventLoops", "Monitoring", "Speech", "TestSupport"]),
        tests("BlueZTests", ["BlueZ", "BlueZExamples", "DBus", "EventLoops", "TestSupport"]),
        tests(
            "BlueZExamplesTests", ["BlueZ", "BlueZExamples", "BlueZSimulator", "HealthDevices", "TestSupport"]),
        tests("HealthDevicesTests", ["BlueZSimulator", "HealthDevices"]),
        tests(
            "BlueZSimulatorTests",
            ["BlueZSimulator", "CSystem", "DBus", "EventLoops", "JSON", "VitalDecoders"],
            resources: [.copy("Scenarios")], exclude: ["clients"]),
    ]
)

/// Tests of whole programs, which `make test` builds and starts first: they mostly wait, while the others compile.
let programTests: Set = ["EndToEnd", "LoudspeakerTests"]

// `make test` builds only the tests that it is about to run, and what they need: those in `programTests`, all others, or
// those that are named.
if let wanted = Context.environment["BEDSIDE_TESTS"] {
    func isWanted(_ name: String) -> Bool {
        switch wanted {
        case "programs": programTests.contains(name)
        case "modules": !programTests.contains(name)
        default: wanted.split(separator: " ").contains { $0 == name }
        }
    }
    var needed = package.targets.filter { $0.type == .test && isWanted($0.name) }.map(\.name) + ["CAllocationCount"]
    var kept: Set<String> = []
    while let name = needed.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let dependency, _) in target.dependencies { needed.append(dependency) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return !kept.isSuperset(of: targets)
    }
}
