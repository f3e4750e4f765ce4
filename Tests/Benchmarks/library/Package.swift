// swift-tools-version: 6.2

import PackageDescription

/// Five tasks as programs of their own beside the library's products, so that they use what any client can use.
let package = Package(
    name: "library",
    dependencies: [.package(path: "../../../Libraries")],
    targets: ["control", "nearby", "packets", "packets-loop", "rates", "sensor"].map { name in
        .executableTarget(name: name, dependencies: [.product(name: "HealthDevices", package: "Libraries")])
    })
