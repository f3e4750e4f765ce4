import Foundation
import Testing

/// Compares a text with the golden file of that name beside the tests.
///
/// With `BEDSIDE_UPDATE_GOLDEN=1` in the environment the file is written instead, for a person to review.
///
/// - Parameters:
///   - text: The text that the program makes now.
///   - name: The file's name in `Golden`, as a literal: `RepositoryTests` reports a golden file that no test names.
///   - file: The test's own file; the nearest folder `Golden` beside it or above it is used.
public func expectGolden(
    _ text: String, _ name: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try compare(text, with: goldenFolder(near: file).appendingPathComponent(name), sourceLocation)
}

/// Compares texts with all files of a folder within `Golden`; a file without a text is an issue.
///
/// With `BEDSIDE_UPDATE_GOLDEN=1` in the environment the files are written and removed instead.
///
/// - Parameters:
///   - texts: Every file's name and the text that the program makes for it now.
///   - folder: The folder's name in `Golden`, as a literal.
///   - file: The test's own file; the nearest folder `Golden` beside it or above it is used.
public func expectGoldenFolder(
    _ texts: [(name: String, text: String)], _ folder: String, file: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let url = try goldenFolder(near: file).appendingPathComponent(folder)
    if isUpdating { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    for (name, text) in texts { try compare(text, with: url.appendingPathComponent(name), sourceLocation) }
    for name in Set(try FileManager.default.contentsOfDirectory(atPath: url.path)).subtracting(texts.map(\.name)) {
        if isUpdating {
            try FileManager.default.removeItem(at: url.appendingPathComponent(name))
        } else {
            Issue.record("\(folder)/\(name) belongs to no test any more", sourceLocation: sourceLocation)
        }
    }
}

private let isUpdating = ProcessInfo.processInfo.environment["BEDSIDE_UPDATE_GOLDEN"] == "1"

private func compare(_ text: String, with url: URL, _ sourceLocation: SourceLocation) throws {
    if isUpdating { return try text.write(to: url, atomically: true, encoding: .utf8) }
    let name = url.lastPathComponent
    guard let golden = try? String(contentsOf: url, encoding: .utf8) else {
        Issue.record(
            "there is no golden file \(name); make it with BEDSIDE_UPDATE_GOLDEN=1 and read it",
            sourceLocation: sourceLocation)
        return
    }
    if golden == text { return }
    let (expected, found) = (lines(golden), lines(text))
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
