import Foundation

/// A module as Package.swift describes it.
struct DescribedModule {
    var name: String
    var floor: String
    var content: String
    var never: String
    var dependencies: [String]

    /// The folder of its sources.
    var folder: String { "Sources/\(floor)/\(name)" }

    /// Whether it may use no system module either.
    var isPure: Bool { never.contains("I/O") }

    /// Every module, in the order of Package.swift, which is from the lowest floor up.
    static func all() throws -> [DescribedModule] {
        let text = try Repository.text("Package.swift")
        let floor = #/(?m)^    "(\w+)": \[$/#
        let module =
            #/
            Module\(\s*"(?<name>\w+)",\s*"(?<content>[^"]*)",\s*never:\s*"(?<never>[^"]*)"
            (?:,\s*\[(?<dependencies>[^\]]*)\])?(?:,\s*settings:\s*\w+)?\)
            /#
        let floors = text.matches(of: floor)
        return text.matches(of: module).compactMap { match in
            guard let floor = floors.last(where: { $0.range.lowerBound < match.range.lowerBound }) else { return nil }
            let names = match.output.dependencies.map { $0.split { "\", \n".contains($0) }.map(String.init) }
            return DescribedModule(
                name: String(match.output.name), floor: String(floor.1), content: String(match.output.content),
                never: String(match.output.never), dependencies: names ?? [])
        }
    }

    /// The C libraries below all floors.
    static func libraries() throws -> [String] {
        try Repository.text("Package.swift").matches(of: #/ library\("(\w+)"/#).map { String($0.1) }
    }

    /// The table of the article "Architecture".
    static func table() throws -> String {
        let libraries = try libraries().sorted().map { "`\($0)`" }.joined(separator: ", ")
        let rows = try all().map { module in
            let dependencies =
                module.name == "bedside" ? "all" : module.dependencies.map { "`\($0)`" }.joined(separator: ", ")
            let cells = [
                module.floor, "`\(module.name)`", module.content, dependencies.isEmpty ? "nothing" : dependencies,
                module.never,
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        return """
            | Floor | Module | Content | May use | Never |
            |---|---|---|---|---|
            | C | \(libraries) | module maps and `static inline` wrappers for C libraries | the C library | logic |
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
