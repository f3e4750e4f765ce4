import Testing

@Suite("Golden files")
struct GoldenFileTests {
    /// The golden files, each with its test target and its path in the folder `Golden`.
    private static func files() throws -> [(target: String, path: [String])] {
        try Repository.files(below: "Tests").compactMap { file in
            let parts = file.split(separator: "/").map(String.init)
            guard let golden = parts.firstIndex(of: "Golden"), golden >= 2, golden < parts.count - 1 else { return nil }
            return (parts[..<golden].last { $0.hasSuffix("Tests") } ?? parts[1], Array(parts[(golden + 1)...]))
        }
    }

    @Test("each is compared by a test of its target, by its name or as a file of a folder that is compared as a whole")
    func areUsed() throws {
        let files = try Self.files()
        #expect(!files.isEmpty)
        var sources: [String: String] = [:]
        for (target, path) in files {
            if sources[target] == nil {
                sources[target] = try Repository.files(below: "Tests", endingIn: [".swift"]).filter {
                    $0.contains("/\(target)/")
                }
                .map(Repository.text).filter { $0.contains("expectGolden") }.joined()
            }
            let isUsed = sources[target]?.contains(", \"\(path[0])\")") == true
            #expect(isUsed, "\(path.joined(separator: "/")) of \(target) belongs to no test any more")
        }
    }

    @Test("are few enough that people read what changes in them")
    func areFew() throws {
        #expect(try Self.files().count <= 164)
    }
}
