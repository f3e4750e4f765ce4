// With a file of this name SwiftPM looks for no XCTest cases, for which it would have every test indexed while it compiles.
import Testing

@main
enum TestRun {
    static func main() async {
        // `swift test` asks for the tests of either library, one after the other; all of ours are Swift Testing's.
        let arguments = CommandLine.arguments
        let library = arguments.firstIndex(of: "--testing-library").map { arguments.dropFirst($0 + 1).first }
        if library == "xctest" { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
