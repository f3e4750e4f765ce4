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

/// A module: what it contains, what it must never do or know, and which modules it uses.
///
/// The package of the program describes its modules in the same way; a manifest cannot use another one's code.
struct Module {
    var name: String
    var content: String
    var never: String
    var dependencies: [String]
    var settings: [SwiftSetting]

    init(
        _ name: String, _ content: String, never: String, _ dependencies: [String] = [], settings: [SwiftSetting] = []
    ) {
        self.name = name
        self.content = content
        self.never = never
        self.dependencies = dependencies
        self.settings = settings
    }
}

/// The floors of the libraries from the ground up, each a folder of `Sources` with its modules.
let floors: KeyValuePairs<String, [Module]> = [
    "Base": [
        Module(
            "Base", "arithmetic that never traps, for numbers from a file, a socket or a sensor; curves and noise",
            never: "I/O, clocks"),
        Module(
            "JSON", "reads JSON and JSON5, with line and column; writes JSON; `Codable`; finds the word that was meant",
            never: "I/O, clocks", ["Base"]),
    ],
    "System": [
        Module(
            "EventLoops",
            "an executor that is one thread in `poll`: descriptors, timers, signals, child processes; broadcasts",
            never: "D-Bus", ["Base", "CSystem", "UserFiles"]),
        Module(
            "UserFiles",
            "the user's folders (XDG) and environment; private files, replaced atomically and locked; Landlock",
            never: "the content of files", ["CSystem"]),
        Module(
            "DBus", "libdbus-1 in Swift: an actor, typed values, calls, signals, exported objects",
            never: "Bluetooth", ["Base", "CDBus", "EventLoops", "UserFiles"]),
    ],
    "Bluetooth": [
        Module(
            "BluetoothValues", "UUIDs, addresses, typed values of characteristics; states of bus and daemon",
            never: "I/O, clocks"),
        Module(
            "VitalDecoders", "octets ⇄ measurements for every supported GATT health characteristic",
            never: "I/O, clocks", ["BluetoothValues"], settings: lifetimes),
        Module(
            "BlueZ", "an actor, `BluetoothCentral`: adapters, peripherals, GATT as client and server",
            never: "health", ["Base", "BluetoothValues", "DBus", "EventLoops", "UserFiles"]),
        Module(
            "BluetoothCapture",
            "decodes capture files of Bluetooth traffic into what peripherals sent; writes them",
            never: "I/O, clocks", ["Base", "VitalDecoders"]),
        Module(
            "BlueZSimulator", "a simulated bluetoothd on a private bus that plays scripted sensors",
            never: "being reachable by default",
            [
                "Base", "BluetoothValues", "CGcrypt", "CSystem", "DBus", "EventLoops", "JSON", "UserFiles",
                "VitalDecoders",
            ]),
        Module(
            "DeviceLists", "the lists of remembered devices and of measurements to confirm, as values and as JSON",
            never: "I/O, clocks", ["Base", "BluetoothValues", "JSON", "VitalDecoders"]),
        Module(
            "HealthDevices",
            "the standard health services and devices, declared; stored records; files of lists",
            never: "processing of measurements", ["Base", "BlueZ", "DeviceLists", "UserFiles", "VitalDecoders"]),
        Module(
            "BlueZExamples", "the examples of the articles about the libraries, compiled as printed",
            never: "code that is not in an article", ["BlueZ", "HealthDevices"]),
    ],
    "Patient": [
        Module(
            "Vitals", "the shared value types: moments, vitals, readings, sensor identities, events",
            never: "I/O, clocks", ["Base", "BluetoothValues"]),
        Module(
            "Waves", "samples of an ECG or a plethysmogram: their times on the monitor's clock, what is lost or unread",
            never: "I/O, clocks", ["Base", "Vitals"]),
    ],
    "Sensing": [
        Module(
            "SensorDrivers", "the protocol of drivers, and their conversations with sensors",
            never: "knowing a sensor",
            ["Base", "BlueZ", "CGcrypt", "EventLoops", "VitalDecoders", "Vitals", "Waves"]),
        Module(
            "KnownSensors",
            "the sensors that are known: their signs, their drivers, the readings that their values are",
            never: "I/O, clocks", ["Base", "JSON", "SensorDrivers", "VitalDecoders", "Vitals", "Waves"]),
        Module(
            "SensorDriverExamples", "the example of the article about drivers, compiled as printed",
            never: "code that is not in an article", ["KnownSensors", "SensorDrivers"]),
    ],
    "Program": [
        Module(
            "bluez-simulator", "the simulated bluetoothd as a program, for clients in any language",
            never: "scenarios of its own", ["BlueZSimulator", "CSystem", "EventLoops"])
    ],
]

/// A C library of the system: a module map and `static inline` wrappers.
func library(_ name: String, pkgConfig: String? = nil, package: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

let package = Package(
    name: "BedsideLibraries",
    products: [
        .library(name: "BlueZ", targets: ["BlueZ"]),
        .library(name: "VitalDecoders", targets: ["VitalDecoders"]),
        .library(name: "HealthDevices", targets: ["DeviceLists", "HealthDevices"]),
        .library(name: "SensorDrivers", targets: ["KnownSensors", "SensorDrivers"]),
        .library(name: "BlueZSimulator", targets: ["BlueZSimulator"]),
        .executable(name: "bluez-simulator", targets: ["bluez-simulator"]),
        // What these consist of, for the program in this repository: anything of it may change with any version.
        .library(
            name: "_BedsideSupport",
            targets: [
                "Base", "BluetoothCapture", "BluetoothValues", "DBus", "EventLoops", "JSON", "UserFiles", "Vitals",
                "Waves",
            ]),
        .library(name: "_BedsideExamples", targets: ["BlueZExamples", "SensorDriverExamples"]),
        .library(name: "CDBus", targets: ["CDBus"]),
        .library(name: "CGcrypt", targets: ["CGcrypt"]),
        .library(name: "CSystem", targets: ["CSystem"]),
    ],
    targets: floors.flatMap { floor, modules in
        modules.map { module -> Target in
            let dependencies = module.dependencies.map { Target.Dependency(stringLiteral: $0) }
            let path = "Sources/\(floor)/\(module.name)"
            let settings = strict + module.settings
            return module.name == "bluez-simulator"
                ? .executableTarget(name: module.name, dependencies: dependencies, path: path, swiftSettings: settings)
                : .target(name: module.name, dependencies: dependencies, path: path, swiftSettings: settings)
        }
    } + [
        library("CDBus", pkgConfig: "dbus-1", package: "libdbus-1-dev"),
        library("CSystem"),
        // Loaded at run time, where it is installed.
        library("CGcrypt"),
    ]
)
