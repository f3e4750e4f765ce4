import Foundation
import Testing

@Suite("The modules of the architecture article")
struct ModuleTests {
    struct Row {
        var modules: [String]
        var mayUse: Set<String>
        var isPure: Bool
    }

    /// The table of the article "Architecture", without `bedside`, which may use everything.
    static func rows() throws -> [Row] {
        try Repository.text("Sources/bedside/Bedside.docc/Architecture.md")
            .tableRows(after: "| Module | Content | May use | Never |")
            .filter { $0[2] != "all" }
            .map { Row(modules: $0[0].quoted, mayUse: Set($0[2].quoted), isPure: $0[3].contains("I/O")) }
    }

    @Test("the table lists every module, and no other one")
    func complete() throws {
        let folders = Set(try Repository.files(below: "Sources").map { $0.split(separator: "/")[1] }.map(String.init))
        #expect(Set(try Self.rows().flatMap(\.modules)).union(["bedside"]) == folders)
    }

    @Test("no module imports what the table does not allow, and the pure ones no system module")
    func imports() throws {
        let system: Set = ["Glibc", "Synchronization"]
        for row in try Self.rows() {
            let allowed = row.mayUse.union(row.isPure ? [] : system)
            for module in row.modules {
                for file in try Repository.files(below: "Sources/\(module)", endingIn: [".swift"]) {
                    let imported = try Repository.text(file).split(separator: "\n")
                        .filter { $0.hasPrefix("import ") || $0.hasPrefix("@") && $0.contains(" import ") }
                        .compactMap { $0.split(separator: " ").last?.split(separator: ".").first.map(String.init) }
                    #expect(Set(imported).subtracting(allowed) == [], "\(file)")
                }
            }
        }
    }

    @Test("Package.swift gives each module the dependencies in the table")
    func dependencies() throws {
        var declared: [String: Set<String>] = [:]
        let module = #/ module\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?(?:,\s*settings: \w+)?\)/#
        for match in try Repository.text("Package.swift").matches(of: module) {
            let names = match.2.map { $0.split(whereSeparator: { "\", \n".contains($0) }).map(String.init) }
            declared[String(match.1)] = Set(names ?? [])
        }
        #expect(declared.count >= 10)
        for row in try Self.rows() {
            for module in row.modules where module.prefixMatch(of: #/C[A-Z]/#) == nil {
                #expect(declared[module, default: []] == row.mayUse, "\(module)")
            }
        }
    }

    @Test("only the engine applies inputs to a live state")
    func folding() throws {
        var folding: Set<String> = []
        for file in try Repository.files(below: "Sources", endingIn: [".swift"])
        where !file.hasPrefix("Sources/Monitoring/") {
            let text = try Repository.text(file)
            if text.contains(#/\bstate\.(apply|loseMonitor|restore)\(/#) { folding.insert(file) }
        }
        #expect(folding == ["Sources/Monitor/Engine/MonitorEngine.swift"])
    }
}
