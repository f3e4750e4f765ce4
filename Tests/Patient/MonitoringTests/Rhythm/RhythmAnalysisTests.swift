import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("An analysis of RR intervals")
struct RhythmAnalysisTests {
    private static func at(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    /// A second for each beat, from one moment to another.
    private func beat(
        _ series: inout RRSeries, _ seconds: ClosedRange<Int>, rate: UInt16? = nil, _ interval: (Int) -> UInt16
    ) {
        for second in seconds { series.append([interval(second)], heartRate: rate, arrivedAt: Self.at(Double(second))) }
    }

    @Test("has figures from 90 % coverage on", arguments: [(30, true), (31, false)])
    func coverage(missing: Int, isEnough: Bool) {
        var series = RRSeries()
        beat(&series, 1...100) { _ in 1024 }
        series.interrupt()
        beat(&series, (101 + missing)...300) { _ in 1024 }
        let analysis = RhythmAnalysis(series, at: Self.at(300))
        #expect(analysis.coveragePercent == (300 - missing) * 100 / 300)
        if isEnough {
            #expect(analysis.result == .figures(RhythmAnalysis.Figures(rmssd: 0, sdnn: 0, mean: 1000)))
        } else {
            #expect(analysis.result == .tooLittle)
        }
    }

    @Test("has figures up to 5 % artefacts", arguments: [(15, true), (16, false)])
    func artefacts(count: Int, areFew: Bool) {
        var series = RRSeries()
        var time = 0.0
        for beat in 1...300 {
            let interval: UInt16 = beat % 18 == 9 && beat / 18 < count ? 1440 : 960
            time += Double(interval) / 1024
            series.append([interval], arrivedAt: Self.at(time))
        }
        let analysis = RhythmAnalysis(series, at: Self.at(time))
        #expect(analysis.beats.count == 300)
        #expect(analysis.artefactCount == count)
        if areFew {
            #expect(analysis.result == .figures(RhythmAnalysis.Figures(rmssd: 0, sdnn: 0, mean: 937.5)))
        } else {
            #expect(analysis.result == .tooManyArtefacts)
        }
    }

    @Test("takes no difference across a gap, however it became known")
    func gaps() {
        for way in ["interrupted", "silent"] {
            var series = RRSeries()
            beat(&series, 1...150) { _ in 1024 }
            if way == "interrupted" { series.interrupt() }
            // Another rhythm: one difference between the two would be 100 ms.
            for beat in 1...160 {
                series.append([922], arrivedAt: Self.at((way == "silent" ? 152.5 : 150) + Double(beat) * 922 / 1024))
            }
            let analysis = RhythmAnalysis(series, at: Self.at(300))
            guard case .figures(let figures) = analysis.result else {
                Issue.record("\(way): \(analysis.result)")
                continue
            }
            #expect(figures.rmssd == 0, "\(way)")
            #expect(figures.sdnn > 40)
        }
    }

    @Test("says nothing without intervals, and nothing of another time")
    func nothing() {
        #expect(RhythmAnalysis(RRSeries(), at: Self.at(0)).result == .tooLittle)
        var series = RRSeries()
        beat(&series, 1...300) { _ in 1024 }
        #expect(RhythmAnalysis(series, at: Self.at(299)).coveragePercent == 99)
        #expect(RhythmAnalysis(series, at: Self.at(331)).result == .tooLittle)
        #expect(RhythmAnalysis(series, at: Self.at(601)).beats.isEmpty)
    }

    @Test("of anything never traps, and never has a figure below 90 % or above 5 %", .computing)
    func anything() {
        var random = SeededGenerator(seed: 18)
        var count = 0
        for _ in 0..<300 {
            var series = RRSeries()
            var time = 0.0
            let jitter = Bool.random(using: &random) ? 0 : Double.random(in: 0...1, using: &random)
            let wildness = Int.random(in: 0...40, using: &random)
            while time < 320 {
                var intervals = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    UInt16.random(in: 700...1100, using: &random)
                }
                if Int.random(in: 0..<2000, using: &random) < wildness {
                    intervals.append(.random(in: 0 ... .max, using: &random))
                }
                let sum = Double(intervals.reduce(0) { $0 + Int($1) }) / 1024
                time += sum * Double.random(in: 1 - jitter...1, using: &random)
                if Int.random(in: 0..<400, using: &random) == 0 { time += Double.random(in: 0...20, using: &random) }
                if Int.random(in: 0..<100, using: &random) == 0 { series.interrupt() }
                series.append(intervals, heartRate: .random(in: 0...300, using: &random), arrivedAt: Self.at(time))
                time += intervals.isEmpty && jitter > 0 ? 0.5 : 0
            }
            let analysis = RhythmAnalysis(series, at: Self.at(time))
            #expect(series.isCoherent && analysis.artefacts.count == analysis.beats.count)
            #expect(analysis.covered >= 0 && analysis.covered <= RRSeries.window.nanoseconds)
            guard case .figures(let figures) = analysis.result else { continue }
            #expect(analysis.coveragePercent >= 90 && analysis.artefactCount * 20 <= analysis.beats.count)
            #expect(figures.rmssd.isFinite && figures.sdnn.isFinite && figures.mean > 0)
            count += 1
            #expect(rmssd(analysis) == figures.rmssd)
        }
        #expect(count > 20)
    }

    /// The RMSSD series by series, computed in another way.
    private func rmssd(_ analysis: RhythmAnalysis) -> Double {
        var squares: [Double] = []
        var before: Double?
        var isSpoiled = false
        for (beat, artefact) in zip(analysis.beats, analysis.artefacts) {
            if beat.followsGap { (before, isSpoiled) = (nil, false) }
            if artefact == nil, !isSpoiled {
                if let before { squares.append((beat.milliseconds - before) * (beat.milliseconds - before)) }
                before = beat.milliseconds
            } else {
                before = nil
            }
            isSpoiled = artefact?.spoilsNext == true
        }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    @Test("checks the reported rate against the intervals of a minute")
    func rate() throws {
        for (rate, isRight) in [(60, true), (66, true), (67, false), (54, false), (55, true)] {
            var series = RRSeries()
            beat(&series, 1...70, rate: UInt16(rate)) { _ in 1024 }
            let check = RhythmAnalysis(series, at: Self.at(70)).disagreement
            #expect((check == nil) == isRight, "\(rate)")
            if let check { #expect(check.computed == 60 && check.reported == Double(rate)) }
        }
        var short = RRSeries()
        beat(&short, 1...40, rate: 90) { _ in 1024 }
        #expect(RhythmAnalysis(short, at: Self.at(40)).disagreement == nil)
    }
}

@Suite("The time of RR intervals")
struct RRTimelineTests {
    private static func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

    @Test("is unbroken while a strap sends the beats of each second, for eight hours with a clock that drifts")
    func unbroken() {
        var timeline = RRTimeline()
        var (beats, sent, gaps) = (0, 0, 0)
        for second in 1...28_800 {
            // The strap's clock is 0.005 % fast.
            let end = Double(second) * 1.00005
            var intervals: [UInt16] = []
            while Double(beats + 1) * 0.8125 <= end {
                beats += 1
                intervals.append(832)
            }
            if intervals.isEmpty { continue }
            timeline.place(intervals, arrivedAt: Self.at(Double(second) + (second % 7 == 0 ? 0.3 : 0))) {
                sent += 1
                if $0.followsGap { gaps += 1 }
            }
        }
        #expect(sent == beats && gaps == 1)
    }

    @Test("breaks where notifications are missing, where they come twice, and nowhere else")
    func broken() {
        func gaps(_ arrivals: [Double]) -> [Int] {
            var timeline = RRTimeline()
            var found: [Int] = []
            for (number, arrival) in arrivals.enumerated() {
                timeline.place([1024], arrivedAt: Self.at(arrival)) { if $0.followsGap { found.append(number) } }
            }
            return found
        }
        let steady = (1...20).map(Double.init)
        #expect(gaps(steady) == [0])
        #expect(gaps(steady.filter { $0 != 10 && $0 != 11 }) == [0, 9])
        #expect(gaps(Array(steady.prefix(10)) + [10, 10]) == [0, 11])
    }

    @Test("never runs back, whatever comes")
    func order() {
        var random = SeededGenerator(seed: 6)
        var timeline = RRTimeline()
        var newest = MonotonicTime.distantPast
        for _ in 0..<10_000 {
            let intervals = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                UInt16.random(in: 0 ... .max, using: &random)
            }
            let arrival = MonotonicTime(nanoseconds: .random(in: 0 ... .max / 2, using: &random))
            timeline.place(intervals, arrivedAt: arrival) { beat in
                #expect(beat.time >= newest)
                newest = beat.time
            }
        }
    }
}

@Suite("RR intervals of a sensor")
struct RRIntervalEventTests {
    private func intervals(_ values: [UInt16], at seconds: Double) -> MonitorEvent.Kind {
        .rrIntervals(
            RRIntervals(sensor: .strap, intervals: values, heartRate: 60, moment: Ward.moment(seconds)))
    }

    private func ward() -> Ward {
        var ward = Ward()
        ward.receive(.connection(.strap, ConnectionState(phase: .ready)), at: 0)
        return ward
    }

    private func gaps(_ ward: Ward) -> Int {
        ward.state.sensor(address: SensorIdentity.strap.address)?.rhythm.beats.count(where: \.followsGap) ?? -1
    }

    @Test("are kept without an effect, and a lost link or a gap breaks them")
    func kept() throws {
        var ward = ward()
        for second in 1...5 {
            ward.measure(.heartRate, 6000, from: .strap, at: Double(second))
            ward.receive(intervals([1024], at: Double(second)), at: Double(second))
        }
        #expect(gaps(ward) == 1)
        var lost = ward
        _ = lost.state.apply(
            MonitorEvent(
                moment: Ward.moment(5.2),
                kind: .connection(.strap, ConnectionState(phase: .waiting, reason: .linkLost))))
        _ = lost.state.apply(
            MonitorEvent(moment: Ward.moment(5.5), kind: .connection(.strap, ConnectionState(phase: .ready))))
        _ = lost.state.apply(MonitorEvent(moment: Ward.moment(6), kind: intervals([1024], at: 6)))
        #expect(gaps(lost) == 2)
        let gap = Gap(from: Ward.moment(5.1), to: Ward.moment(5.9), reason: .asleep)
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(5.9), kind: .gap(gap)))
        _ = ward.state.apply(MonitorEvent(moment: Ward.moment(6), kind: intervals([1024], at: 6)))
        #expect(gaps(ward) == 2)
        _ = ward.state.apply(.newPatient, at: Ward.moment(7))
        #expect(gaps(ward) == 0)
    }

    @Test("that come twice because another program listens, too, are kept once")
    func copies() throws {
        var ward = ward()
        for second in 1...20 {
            for delay in [0, 0.01] {
                let time = Double(second) + delay
                ward.measure(.heartRate, 6000, from: .strap, at: time)
                ward.receive(intervals([UInt16(1000 + second)], at: time), at: time)
            }
        }
        #expect(ward.state.sensor(address: SensorIdentity.strap.address)?.rhythm.beats.count == 20)
        #expect(gaps(ward) == 1)
    }
}
