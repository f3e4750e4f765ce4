import Foundation
import Testing

@Suite("The plan of the house")
struct ModuleTests {
    struct Room {
        var modules: [String]
        var mayUse: Set<String>
        var isPure: Bool
    }

    /// The table of the article "Architecture", without `bedside`, which may use everything.
    static func plan() throws -> [Room] {
        try Repository.text("Sources/bedside/Bedside.docc/Architecture.md")
            .tableRows(after: "| Module | What lives here | May use | Never |")
            .filter { $0[2] != "all" }
            .map { Room(modules: $0[0].quoted, mayUse: Set($0[2].quoted), isPure: $0[3].contains("I/O")) }
    }

    @Test("every module has a room in the plan, and every room a module")
    func complete() throws {
        let folders = Set(try Repository.files(below: "Sources").map { $0.split(separator: "/")[1] }.map(String.init))
        #expect(Set(try Self.plan().flatMap(\.modules)).union(["bedside"]) == folders)
    }

    @Test("no module imports what the plan does not allow, and the pure ones nothing of the system")
    func imports() throws {
        let system: Set = ["Glibc", "Synchronization"]
        for room in try Self.plan() {
            let allowed = room.mayUse.union(room.isPure ? [] : system)
            for module in room.modules {
                for file in try Repository.files(below: "Sources/\(module)", endingIn: [".swift"]) {
                    let imported = try Repository.text(file).split(separator: "\n")
                        .filter { $0.hasPrefix("import ") || $0.hasPrefix("@") && $0.contains(" import ") }
                        .compactMap { $0.split(separator: " ").last?.split(separator: ".").first.map(String.init) }
                    #expect(Set(imported).subtracting(allowed) == [], "\(file)")
                }
            }
        }
    }

    @Test("Package.swift gives each module what the plan says it may use")
    func dependencies() throws {
        var declared: [String: Set<String>] = [:]
        let module = #/ module\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?(?:,\s*settings: \w+)?\)/#
        for match in try Repository.text("Package.swift").matches(of: module) {
            let names = match.2.map { $0.split(whereSeparator: { "\", \n".contains($0) }).map(String.init) }
            declared[String(match.1)] = Set(names ?? [])
        }
        #expect(declared.count >= 10)
        for room in try Self.plan() {
            for module in room.modules where module.prefixMatch(of: #/C[A-Z]/#) == nil {
                #expect(declared[module, default: []] == room.mayUse, "\(module)")
            }
        }
    }

    @Test("only the engine folds inputs into a live state")
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
