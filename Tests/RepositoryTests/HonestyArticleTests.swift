import Testing

@Suite("The sentences of the article on honesty")
struct HonestyArticleTests {
    @Test("each name a module that is there and a suite of tests that is there, and all are proven")
    func rows() throws {
        let article = try Repository.text("Sources/Program/bedside/Bedside.docc/Honesty.md")
        let files = try Repository.files(below: "Tests", endingIn: [".swift"])
        let suites = Set(files.compactMap { $0.split(separator: "/").last?.dropLast(".swift".count) }.map(String.init))
        let modules = Set(try DescribedModule.all().map(\.name))
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Rule") }
        #expect(rows.count >= 20)
        for row in rows {
            let cells = row.split(separator: "|").map(String.init)
            #expect(cells.count == 3 || cells.count == 4, "\(row)")
            for module in cells[1].quoted { #expect(modules.contains(module), "\(module)") }
            let tests = cells[2].quoted
            #expect(!tests.isEmpty)
            for test in tests { #expect(suites.contains(test), "\(test)") }
        }
    }
}
