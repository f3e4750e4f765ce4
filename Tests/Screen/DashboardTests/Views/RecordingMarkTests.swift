import Testing
import Wording

@testable import Dashboard

@Suite("The header")
struct RecordingMarkTests {
    @Test("says whether readings are recorded", arguments: RecordingMark.allCases)
    func mark(mark: RecordingMark) {
        var ward = Ward()
        ward.ready()
        ward.screen.session.recording = mark
        let header = ward.drawn(140, 30).text(row: 0)
        let words = [RecordingMark.on: "REC ●", .off: "not recording", .failing: "REC FAILS"][mark]
        for other in ["REC ●", "not recording", "REC FAILS"] {
            #expect(header.contains(other) == (other == words), "\(header)")
        }
        let plain = ward.drawn(140, 30, .ascii).text(row: 0)
        #expect(plain.utf8.count == plain.unicodeScalars.count)
    }

    @Test("says that recording fails before it says what is less important")
    func failing() {
        var ward = Ward()
        ward.ready()
        ward.screen.session.recording = .failing
        #expect(ward.drawn(60, 16).text(row: 0).contains("REC FAILS"))
    }
}
