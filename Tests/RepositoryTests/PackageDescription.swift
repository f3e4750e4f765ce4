import Foundation

/// A package of this repository: the program, or the libraries.
struct DescribedPackage {
    var name: String
    /// Its manifest.
    var manifest: String
    /// The folder of its sources.
    var sources: String

    /// Both, that of the libraries first.
    static let all = [
        DescribedPackage(name: "Libraries", manifest: "Libraries/Package.swift", sources: "Libraries/Sources"),
        DescribedPackage(name: "Bedside", manifest: "Package.swift", sources: "Sources"),
    ]

    /// Its modules, in the order of the manifest.
    func modules() throws -> [DescribedModule] {
        let text = try Repository.text(manifest)
        let floor = #/(?m)^    "(\w+)": \[$/#
        let module =
            #/
            Module\(\s*"(?<name>[\w-]+)",\s*"(?<content>[^"]*)",\s*never:\s*"(?<never>[^"]*)"
            (?:,\s*\[(?<dependencies>[^\]]*)\])?(?:,\s*settings:\s*\w+)?\)
            /#
        let floors = text.matches(of: floor)
        return text.matches(of: module).compactMap { match in
            guard let floor = floors.last(where: { $0.range.lowerBound < match.range.lowerBound }) else { return nil }
            let names = match.output.dependencies.map { $0.split { "\", \n".contains($0) }.map(String.init) }
            return DescribedModule(
                name: String(match.output.name), floor: String(floor.1), content: String(match.output.content),
                never: String(match.output.never), dependencies: names ?? [], package: self)
        }
    }

    /// Its C libraries, which are below all floors.
    func libraries() throws -> [String] {
        try Repository.text(manifest).matches(of: #/ library\("(\w+)"/#).map { String($0.1) }
    }
}

/// A module as a manifest describes it.
struct DescribedModule {
    var name: String
    var floor: String
    var content: String
    var never: String
    var dependencies: [String]
    var package: DescribedPackage

    /// The folder of its sources.
    var folder: String { "\(package.sources)/\(floor)/\(name)" }

    /// Whether it may use no system module either.
    var isPure: Bool { never.contains("I/O") }

    /// Every module, from the lowest floor up; on a floor of both packages, those of the libraries come first.
    static func all() throws -> [DescribedModule] {
        let modules = try DescribedPackage.all.flatMap { try $0.modules() }
        let floors = ["Base", "System", "Bluetooth"] + (try DescribedPackage.all[1].modules().map(\.floor))
        let order = floors.enumerated().reduce(into: [:]) { $0[$1.element] = $0[$1.element] ?? $1.offset }
        return modules.enumerated().sorted { one, other in
            (order[one.element.floor] ?? 0, one.offset) < (order[other.element.floor] ?? 0, other.offset)
        }.map(\.element)
    }

    /// The table of the article "Architecture".
    static func table() throws -> String {
        let libraries = try DescribedPackage.all.flatMap { try $0.libraries() }.sorted().map { "`\($0)`" }
            .joined(separator: ", ")
        let rows = try all().map { module in
            let dependencies =
                module.name == "bedside" ? "all" : module.dependencies.map { "`\($0)`" }.joined(separator: ", ")
            let cells = [
                module.floor, module.package.name, "`\(module.name)`", module.content,
                dependencies.isEmpty ? "nothing" : dependencies,
                module.never,
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        return """
            | Floor | Package | Module | Content | May use | Never |
            |---|---|---|---|---|---|
            | C | both | \(libraries) | module maps and `static inline` wrappers for C libraries | the C library | logic |
            \(rows.joined(separator: "\n"))
            """
    }
}

/// A target of tests as Package.swift describes it.
struct DescribedTests {
    var name: String
    var dependencies: Set<String>

    /// Every target of tests.
    static func all() throws -> [DescribedTests] {
        let text = try Repository.text("Package.swift")
        let target =
            #/(?:\stests\(|\.testTarget\(\s*name:)\s*"(?<name>\w+)",\s*(?:dependencies: )?\[(?<dependencies>[^\]]*)\]/#
        return text.matches(of: target).map { match in
            let names = match.output.dependencies.split { "\", \n".contains($0) }.map(String.init)
            return DescribedTests(name: String(match.output.name), dependencies: Set(names))
        }
    }
}
