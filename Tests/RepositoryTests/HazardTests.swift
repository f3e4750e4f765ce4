import Foundation
import Testing

@Suite("The hazards of the article")
struct HazardTests {
    /// A test by its suite's file and its sentence.
    struct NamedTest: Hashable {
        var suite: String
        var sentence: String
    }

    private static let heading = "| Hazard | Sequence | Harm | Control | Proven by |"

    /// The rows of all tables of the article, each as its cells.
    private static func rows() throws -> [[String]] {
        let sections = try Repository.text("Sources/Program/bedside/Bedside.docc/Hazards.md").components(
            separatedBy: "\n## ")
        return sections.flatMap { $0.tableRows(after: heading) }
    }

    /// The tests that a cell names, such as: `FreshnessTests`: *a late tick is as good as many early ones*.
    private static func tests(in cell: String) -> [NamedTest] {
        cell.matches(of: #/`(\w+)`: \*([^*]+)\*/#).map {
            NamedTest(suite: String($0.1), sentence: String($0.2))
        }
    }

    /// All tests that there are.
    private static func allTests() throws -> Set<NamedTest> {
        var tests: Set<NamedTest> = []
        for file in try Repository.files(below: "Tests", endingIn: ["Tests.swift"]) {
            let suite = try #require(file.split(separator: "/").last?.dropLast(".swift".count))
            for match in try Repository.text(file).matches(of: #/@Test\(\s*"((?:[^"\\]|\\.)*)"/#) {
                tests.insert(NamedTest(suite: String(suite), sentence: String(match.1)))
            }
        }
        return tests
    }

    @Test("each have a sequence, a harm, a control, and a test of that very sentence")
    func rowsAreProven() throws {
        let all = try Self.allTests()
        let rows = try Self.rows()
        #expect(rows.count >= 40)
        #expect(Set(rows.map { $0[0] }).count == rows.count, "a hazard stands there twice")
        for row in rows {
            try #require(row.count == 5, "\(row)")
            #expect(row.allSatisfy { !$0.isEmpty }, "\(row[0])")
            let tests = Self.tests(in: row[4])
            #expect(!tests.isEmpty, "\(row[0]): no test proves its control")
            for test in tests {
                let isThere = all.contains(test)
                #expect(isThere, "\(row[0]): there is no test \(test.suite): \(test.sentence)")
            }
        }
    }

    @Test("are proven by tests; for the worst hazards the tests are shown to fail without the control")
    func mutants() throws {
        let named = Set(try Self.rows().flatMap { Self.tests(in: $0[4]) })
        let files = try Repository.files(below: "Tests/Hazards/Mutants")
        #expect(!files.isEmpty)
        for file in files {
            let parts = try Repository.text(file).components(separatedBy: "\n---\n")
            try #require(parts.count == 4, "\(file)")
            let test = parts[0].components(separatedBy: ": ")
            let isNamed = named.contains(
                NamedTest(suite: test[0], sentence: test.dropFirst().joined(separator: ": ")))
            #expect(isNamed, "\(file): no row of the article names \(parts[0])")
            let pieces = try Repository.text(parts[1]).components(separatedBy: parts[2])
            #expect(pieces.count == 2, "\(file): the text does not stand exactly once in \(parts[1])")
        }
    }
}
