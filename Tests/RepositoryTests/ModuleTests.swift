import Foundation
import Testing

@Suite("The modules and floors of both manifests")
struct ModuleTests {
    @Test("every folder of sources is one of them")
    func complete() throws {
        let modules = try DescribedModule.all()
        #expect(modules.count >= 30)
        let folders = Set(
            try Repository.sources().map { path in
                let length = path.hasPrefix("Libraries/") ? 4 : 3
                return path.split(separator: "/").prefix(length).joined(separator: "/")
            })
        let libraries = try DescribedPackage.all.flatMap { package in
            try package.libraries().map { "\(package.sources)/C/\($0)" }
        }
        #expect(Set(modules.map(\.folder) + libraries) == folders)
    }

    @Test("the program uses each module of Libraries through its product")
    func products() throws {
        let used = try Repository.text("Package.swift").matches(of: #/"(\w+)": "(\w+)"/#).map { ($0.1, $0.2) }
        let manifest = try Repository.text("Libraries/Package.swift")
        let products = manifest.matches(of: #/\.library\(\s*name: "(\w+)",\s*targets: \[([^\]]*)\]/#)
        #expect(products.count > 5)
        let offered = products.flatMap { product in
            product.2.split { "\", \n".contains($0) }.map { ($0, product.1) }
        }
        #expect(Set(used.map { "\($0): \($1)" }) == Set(offered.map { "\($0): \($1)" }))
    }

    @Test("the article on the architecture shows them as a table that is made from there")
    func article() throws {
        let path = "Sources/Program/bedside/Bedside.docc/Architecture.md"
        let table = try DescribedModule.table()
        var text = try Repository.text(path)
        if ProcessInfo.processInfo.environment["BEDSIDE_UPDATE_GOLDEN"] == "1" {
            let begin = try #require(text.range(of: "| Floor | Package | Module |")).lowerBound
            let end = text.range(of: "\n\n", range: begin..<text.endIndex)?.lowerBound ?? text.endIndex
            text.replaceSubrange(begin..<end, with: table)
            try text.write(to: Repository.root.appending(path: path), atomically: true, encoding: .utf8)
        }
        #expect(text.contains("\n\n\(table)\n\n"), "run `make golden ONLY=RepositoryTests`")
    }

    @Test("a module uses only modules of its own floor and of floors below it")
    func floors() throws {
        let modules = try DescribedModule.all()
        let floors = modules.map(\.floor).reduce(into: ["C"]) { if $0.last != $1 { $0.append($1) } }
        #expect(Set(floors).count == floors.count, "a floor is divided")
        #expect((8...12).contains(floors.count))
        let libraries = try DescribedPackage.all.flatMap { try $0.libraries() }.map { ($0, "C") }
        let floor = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0.floor) } + libraries)
        for module in modules {
            for dependency in module.dependencies {
                let below = try floors.firstIndex(of: #require(floor[dependency], "\(dependency)"))
                let own = floors.firstIndex(of: module.floor)
                #expect(try #require(below) <= #require(own), "\(module.name) uses \(dependency), which is above it")
            }
        }
    }

    @Test("a module imports all that it depends on, nothing else, and no system module where it is pure")
    func imports() throws {
        let system: Set = ["Glibc", "Synchronization"]
        for module in try DescribedModule.all() {
            var used: Set<String> = []
            for file in try Repository.files(below: module.folder, endingIn: [".swift"]) {
                let imported = try Self.imports(of: file)
                let allowed = Set(module.dependencies).union(module.isPure ? [] : system)
                #expect(imported.subtracting(allowed) == [], "\(file)")
                used.formUnion(imported)
            }
            #expect(Set(module.dependencies).subtracting(used) == [], "\(module.name) does not use them")
        }
    }

    /// Else the build would depend on the order in which the modules happen to be compiled.
    @Test("tests depend on every module that they import")
    func importsOfTests() throws {
        let modules = Set(
            try DescribedModule.all().map(\.name) + DescribedPackage.all.flatMap { try $0.libraries() } + [
                "TestSupport"
            ])
        let targets = try DescribedTests.all()
        #expect(targets.count >= modules.count / 2)
        for target in targets {
            let files = try Repository.files(below: "Tests", endingIn: [".swift"])
                .filter { $0.split(separator: "/").contains { $0 == target.name } }
            #expect(!files.isEmpty, "\(target.name)")
            for file in files {
                let imported = try Self.imports(of: file).intersection(modules)
                #expect(imported.subtracting(target.dependencies) == [], "\(file)")
            }
        }
    }

    /// The modules that a file imports.
    private static func imports(of file: String) throws -> Set<String> {
        Set(
            try Repository.text(file).split(separator: "\n")
                .filter { $0.hasPrefix("import ") || $0.hasPrefix("@") && $0.contains(" import ") }
                .compactMap { $0.split(separator: " ").last?.split(separator: ".").first.map(String.init) })
    }

    @Test("only the engine applies inputs to a live state")
    func folding() throws {
        var folding: Set<String> = []
        for file in try Repository.sources(endingIn: [".swift"])
        // An invented past is no live state.
        where !["Monitoring", "SimulatedHistory"].contains(where: { file.hasPrefix("Sources/Patient/\($0)/") }) {
            let text = try Repository.text(file)
            if text.contains(#/\bstate\.(apply|loseMonitor|restore)\(/#) { folding.insert(file) }
        }
        #expect(folding == ["Sources/Program/Engine/MonitorEngine.swift"])
    }
}
