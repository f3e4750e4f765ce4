import Base
import Testing

@Suite("Curves")
struct CurveTests {
    @Test(
        "between points a curve is a straight line, before and after them it stands still",
        arguments: [(-5.0, 10.0), (0, 10), (10, 10), (15, 15), (20, 20), (30, 0), (25, 10), (99, 0)])
    func interpolation(seconds: Double, value: Double) throws {
        let curve = try #require(
            Curve(keyframes: [
                .init(seconds: 10, value: 10), .init(seconds: 20, value: 20), .init(seconds: 30, value: 0),
            ]))
        #expect(curve.value(at: seconds) == value)
    }

    @Test("a curve needs points whose times rise")
    func invalidCurves() {
        #expect(Curve(keyframes: []) == nil)
        #expect(Curve(keyframes: [.init(seconds: 1, value: 0), .init(seconds: 1, value: 1)]) == nil)
    }
}
