import Appearance
import Testing
import Vitals

@testable import Dashboard

@Suite("The stored nights of a ring on its page")
struct NightKeyTests {
    private static let ring = SensorIdentity(address: "C0:52:49:00:00:53", name: "O2Ring S 0541", kind: .oximeter)

    /// The page of a ring that reports nights, and measures or not.
    private static func page(_ nights: SensorNights?, measures: Bool = false, columns: Int = 100) -> Ward {
        var ward = Ward.live(seconds: 5)
        ward.find(ring, signal: -60)
        ward.apply(.connection(ring, ConnectionState(phase: .ready)))
        if let nights { ward.apply(.nights(ring, nights)) }
        if measures {
            ward.apply(
                .reading(
                    Reading(
                        sensor: ring, vital: .oxygenSaturation, outcome: .measured(VitalValue(whole: 97), .good),
                        moment: ward.state.now)))
        }
        ward.screen.list.selection = ring.address
        ward.press(.character("i"))
        return ward
    }

    private static func text(_ ward: Ward, columns: Int = 100) -> String {
        (0..<40).map { ward.drawn(columns, 40).text(row: $0) }.joined(separator: "\n")
    }

    private static let nights = SensorNights(
        generation: .oxyII,
        nights: [
            .init(name: "20260918221320", state: .stored, minutes: 432),
            .init(name: "20260919221320", state: .partial(percent: 43)),
            .init(name: "20260920221320", state: .failed("its sum is 1, the octets before it give 2")),
            .init(name: "20260921221320", state: .onRing),
        ])

    @Test("has each with its beginning, its length and its state, and the key that fetches them")
    func lines() {
        let text = Self.text(Self.page(Self.nights))
        for expected in [
            "O2Ring S generation (OxyII)", "3 of 4 not stored · f fetches them",
            "2026-09-18 22:13 · 7 h 12 min · stored",
            "2026-09-19 22:13 · 43 % here, the rest on the ring", "2026-09-20 22:13 · not stored: its sum is 1",
            "2026-09-21 22:13 · on the ring",
        ] { #expect(text.contains(expected), "\(expected)") }
    }

    @Test("shows a bar while one is fetched, and says that values pause")
    func progress() {
        var nights = Self.nights
        nights.isTransferring = true
        nights.nights?[3].state = .fetching(percent: 43)
        let text = Self.text(Self.page(nights))
        #expect(text.contains("fetching 43 % [########............]"))
        #expect(text.contains("present values go on by themselves"))
        var ward = Self.page(nights)
        #expect(ward.press(.character("f")) == nil)
        #expect(ward.screen.dialogs.message == "The nights of O2Ring S 0541 are being fetched.")
        ward.apply(.connection(Self.ring, ConnectionState(phase: .waiting, reason: .linkLost)))
        #expect(Self.text(ward).contains("2026-09-21 22:13 · 43 % here, the rest on the ring"))
    }

    @Test("fetches at once while nothing is measured, and asks first while something is")
    func key() {
        let wish = ScreenWish.sensor(.fetchNights(address: Self.ring.address))
        var ward = Self.page(Self.nights)
        #expect(ward.press(.character("f")) == wish)
        ward = Self.page(Self.nights, measures: true)
        #expect(ward.press(.character("f")) == nil)
        #expect(Self.text(ward).contains("Fetch the stored nights of O2Ring S 0541 now?"))
        #expect(ward.screen.dialogs.explanation?.contains("pause meanwhile: about 3 minutes, 10 at most") == true)
        #expect(ward.press(.character("y")) == wish)
    }

    @Test("says of another sensor that it stores none")
    func other() {
        var ward = Self.page(nil)
        #expect(ward.press(.character("f")) == nil)
        #expect(ward.screen.dialogs.message == "O2Ring S 0541 is not known to store nights.")
    }
}
