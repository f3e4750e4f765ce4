// swift-tools-version: 6.2

import PackageDescription

/// Every target is built in the Swift 6 language mode; a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    // An async function without an actor of its own runs where its caller does: no hop, no thread pool.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A module of the program: what it contains, what it must never do or know, and which modules it uses.
struct Module {
    var name: String
    var content: String
    var never: String
    var dependencies: [String]

    init(_ name: String, _ content: String, never: String, _ dependencies: [String] = []) {
        self.name = name
        self.content = content
        self.never = never
        self.dependencies = dependencies
    }
}

/// The floors of the program from the ground up, each a folder of `Sources` with its modules.
///
/// A module uses others of its own floor and of floors below it. The article "Architecture" shows this as a table, which
/// `make golden` writes.
let floors: KeyValuePairs<String, [Module]> = [
    "System": [
        Module(
            "LineSocket", "a socket for lines in both directions, for permitted users, within limits",
            never: "the meaning of lines", ["Base", "CSystem", "EventLoops", "UserFiles"]),
        Module(
            "MQTT", "libmosquitto in Swift: an actor that connects, sends and receives without waiting",
            never: "the meaning of messages", ["Base", "CMosquitto", "COpenSSL", "EventLoops", "UserFiles"]),
        Module(
            "HTTP", "libcurl in Swift: requests of HTTP and messages of MLLP, one at a time; whoever sends them waits",
            never: "the meaning of messages", ["CCurl"]),
    ],
    "Patient": [
        Module(
            "Nights", "a night of an oximeter: its samples, and what they mean",
            never: "I/O, clocks", ["Base", "Monitoring", "VitalDecoders", "Vitals"]),
        Module(
            "Monitoring", "the patient's state: freshness, trends, alarms, fever; applies events to it",
            never: "I/O, clocks, actors", ["Base", "Vitals"]),
        Module(
            "WaveAnalysis", "what waves tell beside their picture: heart beats, and an estimate of breathing",
            never: "I/O, clocks", ["Base", "Monitoring", "Vitals", "Waves"]),
        Module(
            "SimulatedHistory", "an invented past for a trial: two weeks of a patient, as a monitor records them",
            never: "I/O, clocks", ["Base", "Monitoring", "Nights", "Vitals"]),
        Module(
            "Wording", "what screens and lines say: names, reasons, times and units as text; its characters",
            never: "I/O, clocks", ["Base", "Monitoring", "Nights", "VitalDecoders", "Vitals"]),
        Module(
            "Entries", "reads what a user types as an entry of the record", never: "I/O, clocks",
            ["Base", "Monitoring", "Vitals", "Wording"]),
        Module(
            "Status", "what other programs get at a glance, as values and as the words of a status bar",
            never: "I/O, clocks", ["Base", "Monitoring", "Vitals", "Wording"]),
    ],
    "Storing": [
        Module(
            "Recording", "the store: an SQLite file of readings, alarms and what is remembered, and its queries",
            never: "the screen",
            [
                "Base", "CSQLite", "CSystem", "EventLoops", "JSON", "Monitoring", "Nights", "UserFiles", "Vitals",
                "Waves",
            ])
    ],
    "Sensing": [
        Module(
            "Sensors", "keeps wanted sensors connected, and reports what they send; pairs, traces and forwards",
            never: "drawing, alarms",
            [
                "Base", "BlueZ", "EventLoops", "KnownSensors", "SensorDrivers", "VitalDecoders", "Vitals",
                "WaveAnalysis", "Waves",
            ]),
        Module(
            "Replay", "recordings, captures or stores, as a stream of events with its own clock",
            never: "writing", ["Base", "BluetoothCapture", "Recording", "Sensors", "VitalDecoders", "Vitals", "Waves"]),
    ],
    "Signalling": [
        Module(
            "Sounds", "alarm bursts, pulse tones and other sounds as computed samples, and which of them is heard",
            never: "I/O, clocks", ["Base", "Monitoring", "Vitals", "Waves"]),
        Module(
            "Speech", "what is spoken, in each language; the protocol of speech-dispatcher as a value",
            never: "I/O, clocks", ["Base", "Monitoring", "Vitals"]),
        Module(
            "Loudspeaker", "plays sounds by ALSA, in a process of its own that the monitor supervises and can lose",
            never: "deciding what sounds", ["CALSA", "CSystem", "EventLoops", "Sounds", "UserFiles"]),
        Module(
            "AlarmSignals", "signals alarms beyond the screen: desktop notifications, the user's command, speech",
            never: "deciding what is an alarm",
            ["CSystem", "DBus", "EventLoops", "LineSocket", "Speech", "UserFiles", "Vitals"]),
    ],
    "Exchange": [
        Module(
            "EDF", "the European Data Format, EDF and EDF+, with and without gaps: reads and writes it",
            never: "I/O, clocks", ["Base", "VitalDecoders"]),
        Module(
            "Formats", "formats for other programs: JSON lines, CSV, FHIR, EDF+, the status; times and numbers as text",
            never: "descriptors",
            [
                "Base", "EDF", "Entries", "JSON", "Monitoring", "Nights", "Status", "VitalDecoders", "Vitals", "Waves",
                "Wording",
            ]),
        Module(
            "Tracing", "a trace of the traffic with sensors: as lines, and as a capture file",
            never: "I/O, clocks",
            ["Base", "BluetoothCapture", "Formats", "VitalDecoders", "Vitals", "Wording"]),
        Module(
            "MonitorLink", "the messages between a monitor and its views, as lines of text",
            never: "sockets, clocks", ["Base", "JSON", "Monitoring", "Vitals", "Waves"]),
        Module(
            "WardMessages", "the messages between beds, ward screens and collectors: topics, and objects of JSON",
            never: "sockets, clocks", ["Base", "Formats", "JSON", "Monitoring", "Vitals"]),
        Module(
            "Ward", "what a ward knows of every bed: its session, ages of its values, alarms; lines about that",
            never: "I/O, clocks", ["Base", "Formats", "Monitoring", "Vitals", "WardMessages"]),
        Module(
            "Sending", "what of the record is sent to a server, in which requests, and what its answers mean",
            never: "I/O, clocks", ["Base", "Formats", "HTTP", "JSON", "Monitoring", "Vitals"]),
    ],
    "Screen": [
        Module(
            "Appearance", "what the user chooses of the screen: themes, characters, keys, the window of the trends",
            never: "I/O, clocks", ["Base", "Monitoring", "Vitals"]),
        Module(
            "TextGrid", "a screenful of styled cells, which drawing makes and a terminal shows",
            never: "I/O, clocks, product knowledge", ["Appearance"]),
        Module(
            "Terminal", "ncurses: paints a grid, reads keys, always restores the terminal",
            never: "product knowledge",
            ["Appearance", "Base", "CNcurses", "CSystem", "EventLoops", "TextGrid", "UserFiles"]),
        Module(
            "Dashboard", "layout and drawing of the state as a grid of styled cells; what each key does",
            never: "I/O, clocks, ncurses",
            [
                "Appearance", "Base", "Entries", "Monitoring", "Nights", "TextGrid", "VitalDecoders", "Vitals", "Waves",
                "Wording",
            ]),
        Module(
            "WardScreen", "draws the state of a ward as a grid of cells; what each key does",
            never: "I/O, clocks, ncurses",
            ["Appearance", "Base", "Dashboard", "Monitoring", "TextGrid", "Vitals", "Ward", "WardMessages", "Wording"]),
    ],
    "Program": [
        Module(
            "Configuration", "the configuration file: it keeps its comments; one table of settings; their checks",
            never: "I/O, clocks", ["Appearance", "Base", "JSON", "Monitoring", "VitalDecoders", "Vitals"]),
        Module(
            "Doctor", "the checks of `bedside doctor`, with verdict and remedy", never: "I/O, clocks",
            ["Base", "Formats", "JSON", "Vitals"]),
        Module(
            "SetupPage", "the first evening: its steps, its answers and what follows from them, its page",
            never: "I/O, clocks, ncurses",
            [
                "Appearance", "Base", "BluetoothValues", "Configuration", "Dashboard", "Doctor", "Monitoring",
                "TextGrid", "Vitals", "Wording",
            ]),
        Module(
            "CommandLineInterface", "subcommands and options, help and manual; the parser of the command line",
            never: "the screen",
            [
                "Appearance", "Base", "Configuration", "CSystem", "Formats", "JSON", "UserFiles", "VitalDecoders",
                "Vitals",
            ]),
        Module(
            "Engine", "applies inputs and carries out effects; feeds; services for other programs",
            never: "the terminal, lines of text",
            [
                "AlarmSignals", "Appearance", "Base", "BlueZ", "Configuration", "DBus", "EventLoops", "Formats", "HTTP",
                "JSON", "LineSocket", "Loudspeaker", "Monitoring", "MonitorLink", "MQTT", "Nights", "Recording",
                "Replay",
                "Sending", "Sensors", "Sounds", "Speech", "Status", "Tracing", "UserFiles", "VitalDecoders", "Vitals",
                "WardMessages", "WaveAnalysis", "Waves", "Wording",
            ]),
        Module(
            "bedside", "the program: subcommands, presenters and wiring only",
            never: "domain logic",
            [
                "Appearance", "Base", "BlueZ", "BlueZSimulator", "CBuild", "CommandLineInterface", "Configuration",
                "CSystem", "Dashboard", "DBus", "Doctor", "Engine", "Entries", "EventLoops", "Formats", "HTTP", "JSON",
                "LineSocket", "Loudspeaker", "Monitoring", "MonitorLink", "MQTT", "Nights", "Recording", "Replay",
                "Sending", "Sensors", "SetupPage", "SimulatedHistory", "Sounds", "Status", "Terminal", "TextGrid",
                "UserFiles", "VitalDecoders", "Vitals", "Ward", "WardMessages", "WardScreen", "Waves", "Wording",
            ]),
    ],
]

/// The modules of the package in `Libraries`, by floor, each with the product that it is part of.
let libraries: [String: [String: String]] = [
    "C": ["CDBus": "CDBus", "CGcrypt": "CGcrypt", "CSystem": "CSystem"],
    "Base": ["Base": "_BedsideSupport", "JSON": "_BedsideSupport"],
    "System": ["DBus": "_BedsideSupport", "EventLoops": "_BedsideSupport", "UserFiles": "_BedsideSupport"],
    "Bluetooth": [
        "BlueZ": "BlueZ", "BlueZExamples": "_BedsideExamples", "BlueZSimulator": "BlueZSimulator",
        "BluetoothCapture": "_BedsideSupport", "BluetoothValues": "_BedsideSupport", "DeviceLists": "HealthDevices",
        "HealthDevices": "HealthDevices", "VitalDecoders": "VitalDecoders",
    ],
    "Patient": ["Vitals": "_BedsideSupport", "Waves": "_BedsideSupport"],
    "Sensing": [
        "KnownSensors": "SensorDrivers", "SensorDriverExamples": "_BedsideExamples", "SensorDrivers": "SensorDrivers",
    ],
]

/// The folder of each module that Swift code is in, below `Sources` here or in `Libraries` and, with "Tests" behind its
/// name, below `Tests`.
let folders = Dictionary(
    uniqueKeysWithValues: floors.flatMap { floor, modules in modules.map { ($0.name, "\(floor)/\($0.name)") } }
        + libraries.flatMap { floor, modules in modules.keys.map { ($0, "\(floor)/\($0)") } })

/// A C library of the system: a module map and `static inline` wrappers.
func library(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

/// The tests of one module, or of several, below `Tests` as the sources are below `Sources`.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], exclude: [String] = []
) -> Target {
    let folder = folders[name.replacing("Tests", with: "")].map { "\($0)Tests" }
    return .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(folder ?? name)", exclude: exclude,
        resources: resources, swiftSettings: strict)
}

let package = Package(
    name: "Bedside",
    products: [
        .executable(name: "bedside", targets: ["bedside"]),
        .library(name: "AllocationCount", type: .dynamic, targets: ["CAllocationCount"]),
        .library(name: "SimulatedMachine", type: .dynamic, targets: ["CSimulatedMachine"]),
    ],
    dependencies: [.package(path: "Libraries")],
    targets: floors.flatMap { _, modules in
        modules.map { module -> Target in
            let dependencies = module.dependencies.map { Target.Dependency(stringLiteral: $0) }
            let path = "Sources/\(folders[module.name, default: ""])"
            return module.name == "bedside"
                ? .executableTarget(name: module.name, dependencies: dependencies, path: path, swiftSettings: strict)
                : .target(name: module.name, dependencies: dependencies, path: path, swiftSettings: strict)
        }
    } + [
        // Quirk ncurses-flags: `pkgConfig` is left out for ncurses, because SwiftPM refuses its flags.
        library("CNcurses", package: "libncurses-dev"),
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        // No library: what the linker knows of the commit.
        library("CBuild"),
        // Loaded at run time, where they are installed.
        library("CALSA"),
        library("CCurl"),
        library("CMosquitto"),
        library("COpenSSL"),

        // The real program, end to end, in a pseudo-terminal whose screen libvterm knows.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        // Loaded into the program before all else, to count what it allocates.
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .systemLibrary(name: "CVTerm", path: "Tests/CVTerm"),
        // Loaded into the program before all else, as the machine that it runs on, which follows from one number.
        .target(name: "CSimulatedMachine", dependencies: ["CDBus"], path: "Tests/CSimulatedMachine"),
        .testTarget(
            name: "Simulation", dependencies: ["bedside", "Monitoring", "TestSupport"], path: "Tests/Simulation",
            exclude: ["Breakages"],
            swiftSettings: strict),
        // A disk that fails under SQLite.
        .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "bedside", "CommandLineInterface", "CSpawn", "CVTerm", "DBus", "EventLoops", "LineSocket",
                "TestSupport", "TextGrid",
            ],
            exclude: ["Peers"], swiftSettings: strict),

        // What a frame costs; part of `make bench`.
        .executableTarget(
            name: "drawing",
            dependencies: ["Appearance", "Dashboard", "Monitoring", "Terminal", "TextGrid", "Vitals", "Waves"],
            path: "Tests/Benchmarks/Drawing", swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["CSpawn", "CVTerm", "DBus", "EventLoops", "Nights", "Vitals"],
            path: "Tests/TestSupport",
            exclude: ["measure_sound.py", "stand_in_server.py"], swiftSettings: strict),
        tests(
            "RepositoryTests",
            [
                "Appearance", "BlueZSimulator", "CommandLineInterface", "Configuration", "Formats", "Monitoring",
                "SetupPage", "TestSupport", "Wording",
            ], exclude: ["LibraryHeaders.c"]),
        tests(
            "ConfigurationTests",
            ["Appearance", "Base", "CommandLineInterface", "Configuration", "Monitoring", "TestSupport", "Vitals"],
            exclude: ["Document/tomllib_peer.py", "Golden", "Invalid"]),
        tests(
            "DoctorTests", ["Doctor", "Formats", "TestSupport"], exclude: ["Golden"]),
        tests("BluetoothValuesTests", ["BluetoothValues"]),
        tests("BluetoothCaptureTests", ["BluetoothCapture", "TestSupport", "VitalDecoders"]),
        tests("JSONTests", ["Base", "Formats", "JSON", "TestSupport", "VitalDecoders"]),
        tests(
            "ReplayTests",
            ["Monitoring", "Recording", "Replay", "TestSupport", "VitalDecoders", "Vitals", "Waves"],
            exclude: ["Captures"]),
        tests("BaseTests", ["Base", "TestSupport"]),
        tests("VitalsTests", ["Base", "TestSupport", "Vitals"]),
        tests(
            "NightsTests", ["Base", "Nights", "TestSupport", "VitalDecoders", "Vitals"], exclude: ["Reference"]),
        tests("WavesTests", ["Base", "TestSupport", "Vitals", "Waves"]),
        tests(
            "WaveAnalysisTests", ["Base", "TestSupport", "Vitals", "WaveAnalysis", "Waves"], exclude: ["Reference"]),
        tests("UserFilesTests", ["CSystem", "TestSupport", "UserFiles"]),
        tests("EventLoopsTests", ["CSystem", "EventLoops", "TestSupport"]),
        tests("LineSocketTests", ["EventLoops", "LineSocket", "TestSupport"]),
        tests("MQTTTests", ["EventLoops", "MQTT", "TestSupport"]),
        tests("HTTPTests", ["HTTP", "TestSupport"]),
        tests("SendingTests", ["Formats", "HTTP", "JSON", "Monitoring", "Sending", "TestSupport", "Vitals"]),
        tests("DBusTests", ["DBus", "EventLoops", "TestSupport"]),
        tests(
            "CommandLineInterfaceTests", ["CommandLineInterface", "JSON", "TestSupport", "VitalDecoders", "Vitals"],
            exclude: ["Golden"]),
        tests(
            "FormatsTests",
            [
                "Base", "CommandLineInterface", "Dashboard", "EDF", "Formats", "Monitoring", "Nights", "Speech",
                "Status", "TestSupport", "VitalDecoders", "Vitals", "WardMessages", "Waves", "Wording",
            ],
            exclude: ["Golden", "Report/check_html.py", "Status/read_openmetrics.py"]),
        tests("EDFTests", ["EDF", "TestSupport", "VitalDecoders"]),
        tests(
            "MonitoringTests", ["Monitoring", "TestSupport", "Vitals"],
            exclude: ["Glucose/glucose_reference.py", "Rhythm/reference"]),
        tests(
            "SetupPageTests",
            ["Appearance", "Base", "Configuration", "Dashboard", "Doctor", "SetupPage", "TestSupport", "Vitals"]),
        tests("SimulatedHistoryTests", ["Monitoring", "Nights", "SimulatedHistory", "TestSupport", "Vitals"]),
        tests("SoundsTests", ["Monitoring", "Sounds", "TestSupport", "Vitals", "Waves"]),
        tests("SpeechTests", ["Monitoring", "Speech", "TestSupport", "Vitals"]),
        tests("LoudspeakerTests", ["Loudspeaker", "Monitoring", "Sounds", "TestSupport", "Vitals"]),
        tests("AppearanceTests", ["Appearance", "TestSupport"], exclude: ["Golden"]),
        tests(
            "DashboardTests",
            [
                "Appearance", "Base", "Dashboard", "Entries", "Monitoring", "Nights", "Status", "TestSupport",
                "TextGrid",
                "VitalDecoders", "Vitals", "Waves", "Wording",
            ],
            exclude: ["Golden"]),
        tests(
            "RecordingTests",
            [
                "Base", "CFaultyDisk", "CSQLite", "CSystem", "EventLoops", "Monitoring", "Nights", "Recording",
                "TestSupport", "UserFiles", "VitalDecoders", "Vitals", "Waves",
            ], exclude: ["exports"]),
        tests(
            "HonestyTests",
            [
                "Dashboard", "EventLoops", "Formats", "Monitoring", "MonitorLink", "Recording", "Status", "TestSupport",
                "TextGrid", "Vitals", "WardMessages", "Wording",
            ],
            exclude: ["Breakages", "break"]),
        tests(
            "WardMessagesTests", ["Formats", "JSON", "Monitoring", "TestSupport", "Vitals", "WardMessages"],
            exclude: ["home-assistant-device.schema.json", "validate.py"]),
        tests(
            "WardScreenTests",
            [
                "Appearance", "Base", "Dashboard", "JSON", "Monitoring", "TestSupport", "TextGrid", "Vitals", "Ward",
                "WardMessages", "WardScreen", "Wording",
            ], exclude: ["Golden"]),
        tests("MonitorLinkTests", ["JSON", "Monitoring", "MonitorLink", "TestSupport", "Vitals", "Waves"]),
        tests(
            "TracingTests", ["BluetoothCapture", "TestSupport", "Tracing", "VitalDecoders", "Vitals"]),
        tests("WordingTests", ["Base", "Monitoring", "Nights", "TestSupport", "VitalDecoders", "Vitals", "Wording"]),
        tests("EntriesTests", ["Entries", "Monitoring", "VitalDecoders", "Vitals"]),
        tests("TextGridTests", ["Base", "TestSupport", "TextGrid", "Wording"]),
        tests(
            "TerminalTests",
            ["Appearance", "Base", "Dashboard", "Terminal", "TestSupport", "TextGrid", "Vitals", "Waves"]),
        tests("VitalDecodersTests", ["TestSupport", "VitalDecoders"], exclude: ["Vectors"]),
        tests(
            "SensorsTests",
            [
                "Base", "BlueZ", "DBus", "EventLoops", "KnownSensors", "SensorDrivers", "Sensors", "TestSupport",
                "VitalDecoders", "Vitals", "Waves",
            ],
            exclude: ["Drivers/dexcom_peer.py"]),

        .testTarget(
            name: "Fuzzing",
            dependencies: [
                "BlueZSimulator", "CommandLineInterface", "Configuration", "CSQLite", "Dashboard", "EDF", "Formats",
                "JSON", "KnownSensors", "Monitoring", "Nights", "Recording", "Replay", "SensorDrivers",
                "TestSupport", "VitalDecoders", "Vitals", "Waves", "Wording",
            ],
            path: "Tests/Fuzzing",
            exclude: ["LibFuzzer", "corpus.txt", "modules.py", "run"], swiftSettings: strict),
        tests(
            "EngineTests",
            [
                "AlarmSignals", "Configuration", "Dashboard", "DBus", "Engine", "EventLoops", "Formats", "HTTP",
                "LineSocket", "Monitoring", "MonitorLink", "MQTT", "Recording", "Replay", "Sending",
                "SensorDrivers", "Sensors", "Speech", "Status", "TestSupport", "TextGrid", "UserFiles", "Vitals",
                "WardMessages", "Waves", "Wording",
            ]),
        tests(
            "bedsideTests",
            [
                "bedside", "CommandLineInterface", "Configuration", "EventLoops", "Formats", "Monitoring", "Replay",
                "TestSupport", "UserFiles", "VitalDecoders", "Vitals",
            ],
            exclude: ["Golden"]),
        tests(
            "AlarmSignalsTests",
            ["AlarmSignals", "Speech", "TestSupport"]),
        tests("BlueZTests", ["BlueZ", "BlueZExamples", "DBus", "EventLoops", "TestSupport"]),
        tests(
            "BlueZExamplesTests", ["BlueZ", "BlueZExamples", "BlueZSimulator", "HealthDevices", "TestSupport"],
            exclude: ["heart_rate_central.py"]),
        tests("SensorDriverExamplesTests", ["BlueZSimulator", "SensorDriverExamples", "TestSupport"]),
        tests("DeviceListsTests", ["BluetoothValues", "DeviceLists", "TestSupport", "VitalDecoders"]),
        tests("HealthDevicesTests", ["BlueZSimulator", "HealthDevices", "TestSupport"]),
        tests(
            "BlueZSimulatorTests",
            ["Base", "BlueZSimulator", "CSystem", "DBus", "EventLoops", "JSON", "TestSupport", "VitalDecoders"],
            resources: [.copy("Scenarios")], exclude: ["clients"]),
    ]
)

// A module of `Libraries` is used through its product.
let products = libraries.values.reduce(into: [:]) { $0.merge($1) { product, _ in product } }
for target in package.targets {
    var used: Set<String> = []
    target.dependencies = target.dependencies.filter { dependency in
        guard case .byNameItem(let name, _) = dependency, let product = products[name] else { return true }
        used.insert(product)
        return false
    }
    target.dependencies += used.sorted().map { .product(name: $0, package: "Libraries") }
}

/// Tests of whole programs, which `make test` builds and starts first: they mostly wait, while the others compile.
let programTests: Set = ["EndToEnd", "LoudspeakerTests", "Simulation"]

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
    var needed =
        package.targets.filter { $0.type == .test && isWanted($0.name) }.map(\.name) + [
            "CAllocationCount", "CSimulatedMachine",
        ]
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
