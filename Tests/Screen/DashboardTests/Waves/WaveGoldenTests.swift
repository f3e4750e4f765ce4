import Appearance
import Base
import TestSupport
import Testing
import TextGrid
import Vitals

@testable import Dashboard

/// Approved pictures of waves; `make golden` rewrites them.
@Suite("Golden waves")
struct WaveGoldenTests {
    private func picture(_ name: String, _ ward: WaveWard, _ sizes: [(Int, Int)], _ glyphs: GlyphSet...) -> String {
        sizes.flatMap { size in
            glyphs.map { glyphs in
                var ward = ward
                let grid = ward.drawn(size.0, size.1, glyphs)
                return "== \(name), \(size.0)x\(size.1), \(glyphs.rawValue)\n" + lines(grid).joined(separator: "\n")
                    + "\n"
            }
        }.joined()
    }

    @Test("strips with waves look as approved at three sizes in every glyph set, and wherever keys change them")
    func looksAsApproved() throws {
        var pictures = picture("live", .live(), [(80, 24), (120, 40), (200, 60)], .braille)
        pictures += picture("live", .live(), [(80, 24)], .blocks, .ascii)
        var trends = WaveWard.live()
        _ = trends.drawn(120, 40)
        trends.press(.character("t"))
        pictures += picture("trends by key", trends, [(120, 40)], .braille)
        var frozen = WaveWard.live()
        _ = frozen.drawn(120, 40)
        frozen.press(.character(" "))
        _ = frozen.drawn(120, 40)
        frozen.stream(halves: 8)
        for _ in 0..<11 { frozen.press(.left) }
        pictures += picture("frozen with marks", frozen, [(120, 40)], .braille)
        var page = WaveWard.live()
        page.ward.screen.session.isSimulated = true
        _ = page.drawn(80, 24)
        page.press(.character("W"))
        pictures += picture("page", page, [(80, 24), (120, 40)], .braille)
        var lost = WaveWard.live()
        lost.ward.now = lost.ward.now.advanced(by: .milliseconds(700))
        lost.lose(.electrocardiogram)
        lost.stream(halves: 5)
        pictures += picture("lost samples", lost, [(80, 24)], .braille)
        var stopped = WaveWard.live()
        stopped.stream(halves: 8, kinds: [.plethysmogram])
        pictures += picture("ECG stopped", stopped, [(80, 24), (120, 40)], .braille)
        var wanted = WaveWard()
        wanted.sweeps.take([.state(Ward.strap, .electrocardiogram, .wanted)], at: wanted.ward.now)
        wanted.stream(halves: 24, kinds: [])
        pictures += picture("ECG wanted", wanted, [(80, 24), (120, 40)], .braille)
        try expectGolden(pictures, "waves.txt")
    }
}
