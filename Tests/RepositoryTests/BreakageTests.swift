import Foundation
import Testing

@Suite("The breakages that the random stories and the simulated nights must notice")
struct BreakageTests {
    @Test("replace text that is in the sources", arguments: ["HonestyTests", "Simulation"])
    func sources(tests: String) throws {
        let files = try Repository.files(below: "Tests/\(tests)/Breakages")
        #expect(!files.isEmpty)
        for file in files {
            let parts = try Repository.text(file).components(separatedBy: "\n---\n")
            try #require(parts.count == 3, "\(file)")
            #expect(try Repository.text(parts[0]).contains(parts[1]), "\(file): the text is not in \(parts[0])")
        }
    }
}
