import Testing
import Vitals

@Suite("The local time zone")
struct LocalTimeZoneTests {
    /// Germany in 2026: forward on 29 March at 01:00 UTC, back on 25 October at 01:00 UTC.
    private let berlin = LocalTimeZone(
        offset: 3600,
        changes: [
            .init(moment: 1_792_890_000, offsetBefore: 7200), .init(moment: 1_774_746_000, offsetBefore: 3600),
        ])

    @Test("the distance from UTC is that of the moment")
    func offset() {
        #expect(berlin.offset(at: 1_792_890_000) == 3600)
        #expect(berlin.offset(at: 1_792_889_999) == 7200)
        #expect(berlin.offset(at: 1_774_746_000) == 7200)
        #expect(berlin.offset(at: 1_774_745_999) == 3600)
        #expect(berlin.offset(at: .min) == 3600 && berlin.offset(at: .max) == 3600)
    }

    @Test("a local time names one moment, two in the doubled hour, none in the one that is left out")
    func moments() {
        // 24 October 2026, 12:00, in summer time; 26 October, 12:00, in winter time.
        #expect(berlin.moments(ofLocal: 1_792_843_200) == [1_792_836_000])
        #expect(berlin.moments(ofLocal: 1_793_016_000) == [1_793_012_400])
        // 25 October, 02:30.
        #expect(berlin.moments(ofLocal: 1_792_895_400) == [1_792_888_200, 1_792_891_800])
        // 29 March, 02:30, which no clock showed: half an hour after 02:00 it was 03:30.
        #expect(berlin.moments(ofLocal: 1_774_751_400).isEmpty)
        #expect(berlin.momentWithoutChange(ofLocal: 1_774_751_400) == 1_774_747_800)
        #expect(berlin.moments(ofLocal: .min).count <= 1 && berlin.moments(ofLocal: .max).count <= 1)
    }
}
