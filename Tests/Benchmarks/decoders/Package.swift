// swift-tools-version: 6.2

import PackageDescription

/// A program of its own beside the library product, so that it sees of the decoders what any client does.
let package = Package(
    name: "decoders",
    dependencies: [.package(path: "../../../Libraries")],
    targets: [
        .target(name: "CDecoders"),
        .executableTarget(
            name: "decoders",
            dependencies: ["CDecoders", .product(name: "VitalDecoders", package: "Libraries")]),
    ]
)
