// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// A program of its own around the reducer's sources, which are linked here as they are: they are no product.
let package = Package(
    name: "monitoring",
    targets: [
        .target(name: "Base", swiftSettings: strict),
        .target(name: "Vitals", dependencies: ["Base"], swiftSettings: strict),
        .target(name: "Monitoring", dependencies: ["Base", "Vitals"], swiftSettings: strict),
        .executableTarget(
            name: "monitoring", dependencies: ["Monitoring", "Vitals"], path: "Sources/bench", swiftSettings: strict),
    ]
)
