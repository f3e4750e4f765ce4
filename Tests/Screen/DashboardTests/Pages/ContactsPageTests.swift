import Appearance
import Monitoring
import Testing

@testable import Dashboard

@Suite("The page of contacts")
struct ContactsPageTests {
    private func text(_ ward: Ward, _ columns: Int, _ rows: Int) -> String {
        let grid = ward.drawn(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    @Test("shows every number whole, wherever it has room for it, and never a control character")
    func numbers() {
        for (columns, rows) in [(120, 40), (80, 24), (40, 16)] {
            let text = text(.contactsPage(), columns, rows)
            for number in ["+49 351 1234-0", "+49 351 1234-17", "110"] { #expect(text.contains(number), "\(columns)") }
            #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        }
    }

    @Test("says how to add one where there is none")
    func empty() {
        #expect(text(.contactsPage([]), 80, 24).contains("people = [\"Ward 7, nurse on duty"))
    }

    @Test("is opened and closed by its key, and a fever says whom to call")
    func fever() {
        var ward = Ward.contactsPage()
        #expect(ward.screen.pages.current == .contacts)
        ward.press(.character("C"))
        #expect(ward.screen.pages.current == nil)
        ward.press(.character("A"))
        #expect(text(ward, 100, 30).contains("call Haematology ward +49 351 1234-0 (C: others)"))
        var none = Ward.contactsPage([])
        none.press(.character("A"))
        #expect(!text(none, 100, 30).contains("call "))
    }
}
