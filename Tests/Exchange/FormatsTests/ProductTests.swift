import Formats
import Testing

@Suite("The program's description of itself")
struct ProductTests {
    @Test("has the version first, and says what it was built from, or that this is not known")
    func line() {
        #expect(
            Product.line(build: "commit 0123456789ab of 2026-01-02")
                == "bedside \(Product.version) (commit 0123456789ab of 2026-01-02)")
        #expect(Product.line(build: nil) == "bedside \(Product.version) (built from an unknown commit)")
    }
}
