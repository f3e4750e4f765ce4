import Foundation
import Testing

/// Compares a text with the golden file of that name beside the tests.
///
/// With `BEDSIDE_UPDATE_GOLDEN=1` in the environment the file is written instead, to be reviewed by eye.
///
/// - Parameters:
///   - text: What the program makes now.
///   - name: The file's name within `Golden`.
///   - file: The test's own file, beside or below whose folder `Golden` lies.
public func expectGolden(
    _ text: String, _ name: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let url = try goldenFolder(near: file).appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["BEDSIDE_UPDATE_GOLDEN"] == "1" {
        try text.write(to: url, atomically: true, encoding: .utf8)
        return
    }
    let golden = try #require(
        try? String(contentsOf: url, encoding: .utf8),
        "there is no golden file \(name); make it with BEDSIDE_UPDATE_GOLDEN=1 and read it",
        sourceLocation: sourceLocation)
    if golden == text { return }
    let (expected, found) = (golden.split(separator: "\n", omittingEmptySubsequences: false), lines(text))
    let line =
        zip(expected, found).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        ?? min(expected.count, found.count)
    Issue.record(
        """
        \(name) differs in line \(line + 1):
          golden: \(line < expected.count ? expected[line] : "(no such line)")
          now:    \(line < found.count ? found[line] : "(no such line)")
        """, sourceLocation: sourceLocation)
}

private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
}

/// The nearest folder `Golden` at or above a test file's own.
private func goldenFolder(near file: String) throws -> URL {
    var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    while folder.path != "/", folder.lastPathComponent != "Tests" {
        let candidate = folder.appendingPathComponent("Golden")
        if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
}
