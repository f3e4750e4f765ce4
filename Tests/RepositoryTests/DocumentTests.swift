import BlueZSimulator
import Configuration
import Formats
import Foundation
import SetupPage
import Testing

@Suite("Documents")
struct DocumentTests {
    @Test("every link to another article, to a file or to a picture leads somewhere")
    func links() throws {
        let story = try Repository.text("screenshots/story")
        for document in try Repository.documents() {
            let text = try Repository.text(document)
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            let prefix = folder.isEmpty ? "" : folder + "/"
            for match in text.matches(of: #/<doc:([^>]+)>/#) {
                #expect(Repository.exists("\(prefix)\(match.1).md"), "\(match.1) in \(document)")
            }
            for match in text.matches(of: #/\]\(([^)#]+)\)/#) where !match.1.hasPrefix("http") {
                // The pictures are made by `make screenshots`.
                if let picture = (prefix + match.1).wholeMatch(of: #/screenshots/(.+)\.(png|gif)/#) {
                    let name = picture.1
                    let lines = picture.2 == "png" ? ["shoot \(name)\n", "draw \(name)\n"] : ["film \(name) "]
                    #expect(lines.contains { story.contains("\n" + $0) }, "\(match.1) in \(document)")
                } else {
                    #expect(Repository.exists(prefix + match.1), "\(match.1) in \(document)")
                }
            }
        }
    }

    @Test("every table of the store has a row in the article on its format")
    func storeTables() throws {
        let folder = "Sources/Storing/Recording"
        let schema = try Repository.text("\(folder)/Schema/Schema+Version1.swift")
        let article = try Repository.text("\(folder)/Recording.docc/StoreFormat.md")
        let tables = schema.matches(of: #/CREATE TABLE (\w+)/#).map(\.1)
        #expect(tables.count > 20)
        for table in tables { #expect(article.contains("\n| `\(table)` | "), "\(table)") }
    }

    @Test(
        "an example that is compiled stands in its article word for word",
        arguments: [
            (
                "Libraries/Sources/Sensing/KnownSensors/KnownSensors.docc/AddingASensor.md",
                ["Table/AddingASensorTests.swift", "Drivers/AddingATransmitterTests.swift"]
            )
        ])
    func examples(article: String, tests: [String]) throws {
        let blocks = try Repository.text(article).codeBlocks("swift")
        let compiled = try tests.map { try Repository.text("Tests/Sensing/SensorsTests/\($0)").trimmedLines }.joined()
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(compiled.contains(block.trimmedLines), "\(block)") }
    }

    @Test(
        "every example of the libraries is a compiled file from its imports to its end, and every such file is printed")
    func wholeFiles() throws {
        let modules = [
            "Bluetooth/BlueZ", "Bluetooth/BlueZSimulator", "Bluetooth/HealthDevices", "Sensing/SensorDrivers",
            "Sensing/KnownSensors",
        ]
        let articles = try modules.flatMap {
            try Repository.files(below: "Libraries/Sources/\($0)", endingIn: [".md"]).filter {
                // The test above is about that.
                !$0.hasSuffix("AddingASensor.md")
            }
        }
        let printed = try articles.flatMap { try Repository.text($0).codeBlocks("swift") }
        let folders = [
            "Libraries/Sources/Bluetooth/BlueZExamples", "Libraries/Sources/Sensing/SensorDriverExamples",
            "Tests/Bluetooth/BlueZExamplesTests/Printed",
        ]
        let files = try folders.flatMap { try Repository.files(below: $0, endingIn: [".swift"]) }
        let compiled = try files.map { try Repository.text($0) }
        #expect(compiled.count >= 5)
        #expect(Set(printed.map { $0 + "\n" }) == Set(compiled))
    }

    @Test("the libraries' README prints the program that `make test` builds outside, and the version is one everywhere")
    func libraries() throws {
        let readme = try Repository.text("Libraries/README.md")
        let blocks = readme.codeBlocks("swift")
        #expect(blocks.count == 2 && blocks[0].contains("dependencies: [.package(path: \"../bedside/Libraries\")]"))
        #expect(try Repository.text("README.md").codeBlocks("swift").isEmpty)
        let evolution = try Repository.text("Libraries/EVOLUTION.md")
        let citation = try Repository.text("Libraries/CITATION.cff")
        #expect(readme.contains("\nVersion \(Simulator.version). "))
        #expect(evolution.contains("This is \(Simulator.version): ") && evolution.contains("## \(Simulator.version)\n"))
        #expect(citation.contains("\nversion: \(Simulator.version)\n"))
        #expect(try Repository.text("Libraries/LICENSE") == Repository.text("LICENSE"))
    }

    @Test("the program's citation has its version and date")
    func citation() throws {
        let citation = try Repository.text("CITATION.cff")
        #expect(citation.contains("\nversion: \(Product.version)\ndate-released: \"\(Product.date)\"\n"))
    }

    @Test("the article on errors has every error of the libraries, and every kind of the daemon's")
    func errors() throws {
        let article = try Repository.text("Libraries/Sources/Bluetooth/BlueZ/BlueZ.docc/Errors.md")
        let modules = ["BlueZ", "BluetoothValues", "VitalDecoders", "HealthDevices", "DeviceLists", "BlueZSimulator"]
        let error = #/public (?:struct|enum) (\w+): Error/#
        var count = 0
        for module in modules {
            for file in try Repository.files(below: "Libraries/Sources/Bluetooth/\(module)", endingIn: [".swift"]) {
                for match in try Repository.text(file).matches(of: error) where match.1 != "ParsingError" {
                    #expect(article.contains("`\(match.1)`"), "\(match.1)")
                    count += 1
                }
            }
        }
        #expect(count > 10)
        let source = try Repository.text("Libraries/Sources/Bluetooth/BlueZ/BlueZError.swift")
        let kinds =
            source.components(separatedBy: "/// Name and text").first?.matches(of: #/\n        case (\w+)/#) ?? []
        #expect(kinds.count > 20)
        let cells = article.tableRows(after: "| ``BlueZError/Kind`` | When").flatMap { $0[0].quoted }
        #expect(cells.sorted() == kinds.map { String($0.1) }.sorted())
    }

    @Test("every scenario in a document can be played")
    func scenarios() throws {
        var count = 0
        for document in try Repository.documents() {
            for block in try Repository.text(document).codeBlocks("json5") {
                _ = try Scenario(json5: block, file: document)
                count += 1
            }
        }
        #expect(count >= 3)
    }

    @Test("every configuration in a document is right")
    func configurations() throws {
        var count = 0
        for document in try Repository.documents() {
            for block in try Repository.text(document).codeBlocks("toml") {
                let document = try ConfigurationDocument(block)
                if document.sections.contains(where: { $0.name == "setup" }) {
                    _ = try SetupAnswersFile(document)
                } else {
                    _ = try Settings(document)
                }
                count += 1
            }
        }
        #expect(count >= 1)
    }

    @Test("every command of make that a document names is in the Makefile")
    func makeCommands() throws {
        let makefile = try Repository.text("Makefile")
        for document in try Repository.documents() {
            for match in try Repository.text(document).matches(of: #/(?:`|    |sudo )make ([a-z][a-z0-9-]*[a-z0-9])/#) {
                #expect(makefile.contains("\n\(match.1):"), "make \(match.1) in \(document)")
            }
        }
    }

    @Test("no file names a folder of the machine that it was written on")
    func paths() throws {
        let folders = ["work", "home", "root", "Users"].map { "/\($0)/" }
        for file in try Repository.files() {
            // What is no text has no paths to read.
            guard let text = try? Repository.text(file) else { continue }
            for folder in folders {
                let isNamed = text.ranges(of: folder).contains { range in
                    range.lowerBound == text.startIndex || !text[text.index(before: range.lowerBound)].isLetter
                }
                #expect(!isNamed, "\(folder) in \(file)")
            }
        }
    }
}
