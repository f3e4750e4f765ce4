import Testing
import Vitals

@testable import Monitoring

@Suite("A late value")
struct LateValueTests {
    /// A CORE that has sent 37.0 every second until second 10, then a program that stood still for a minute.
    private func stopped(_ sensor: SensorIdentity = .core) -> Ward {
        var ward = Ward()
        ward.connection(sensor, .ready, at: 0)
        ward.stream(.bodyTemperature, 3700, from: sensor, at: (1...10).map(Double.init))
        ward.state.applyQuietly(.gap(gap), at: 70)
        return ward
    }

    private var gap: Gap { Gap(from: Ward.moment(10), to: Ward.moment(70), reason: .program) }

    /// Sends values of one sensor that waited for the end of the gap; returns the effects.
    private func waiting(_ hundredths: [Int], of sensor: SensorIdentity = .core, in ward: inout Ward) -> [String] {
        hundredths.enumerated().flatMap { place, value in
            let late = LateInterval(waitedFrom: gap.from, to: gap.to, place: place, of: hundredths.count)
            return receive(value, late, of: sensor, at: 70, in: &ward)
        }
    }

    private func receive(
        _ hundredths: Int, _ late: LateInterval, of sensor: SensorIdentity, at seconds: Double, in ward: inout Ward
    ) -> [String] {
        apply(hundredths, late, of: sensor, at: seconds, in: &ward).compactMap(\.summary)
    }

    private func apply(
        _ hundredths: Int, _ late: LateInterval, of sensor: SensorIdentity, at seconds: Double, in ward: inout Ward
    ) -> [Effect] {
        let reading = Reading(
            sensor: sensor, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: hundredths), .good),
            moment: Ward.moment(seconds), late: late)
        let effects = ward.state.apply(MonitorEvent(moment: Ward.moment(seconds), kind: .reading(reading)))
        for case .soundBurst(let priority, _) in effects { ward.sounds.append(priority.rawValue) }
        return effects
    }

    @Test("that waited is not current, and does not refresh the value before it")
    func neverNow() {
        var ward = stopped()
        #expect(ward.condition(.bodyTemperature) == "lost 3700")
        #expect(waiting([3710, 3720], in: &ward) == [])
        #expect(ward.condition(.bodyTemperature) == "lost 3700")
        ward.measure(.bodyTemperature, 3730, from: .core, at: 70.5)
        #expect(ward.condition(.bodyTemperature) == "measured 3730")
    }

    @Test("that waited lies in the trend where it was measured")
    func trend() {
        var ward = stopped()
        _ = waiting([3710, 3720], in: &ward)
        let columns = ward.state[.bodyTemperature].trend.samples(
            from: Ward.moment(10), to: Ward.moment(80), columns: 7)
        #expect(columns.map { $0?.last.hundredths } == [3700, nil, nil, 3710, nil, nil, 3720])
    }

    @Test("joins no trend of another source: neither that of another sensor, nor that of another site")
    func trendSource() {
        var ward = Ward()
        for second in 0..<100 { ward.measure(.bodyTemperature, 3700, from: .core, site: .core, at: Double(second)) }
        ward.connection(.core, .disconnected, .user, at: 100)
        ward.measure(.bodyTemperature, 3760, from: .thermometer, site: .armpit, at: 200)
        for (second, site) in [(50.0, BodySite.armpit), (199, .ear), (205, .ear)] {
            let reading = Reading(
                sensor: .thermometer, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3790), .good),
                moment: Ward.moment(210), site: site, late: LateInterval(sensorTime: Ward.moment(second)))
            ward.state.applyQuietly(.reading(reading), at: 210)
        }
        let trend = ward.state[.bodyTemperature].trend
        let columns = trend.samples(from: Ward.moment(0), to: Ward.moment(220), columns: 22)
        #expect(Set(columns.prefix(10).map { $0?.maximum.hundredths }) == [3700])
        #expect(trend.source(at: Ward.moment(50))?.sensor == .core)
        #expect(trend.source(at: Ward.moment(210))?.site == .ear)
        #expect(columns.suffix(3).map { $0?.maximum.hundredths } == [nil, 3790, nil])
    }

    @Test("counts for fever with those that waited with it, in their order, and the fever comes once")
    func fever() {
        var ward = stopped()
        let summaries = waiting(Array(repeating: 3850, count: 10), in: &ward)
        #expect(summaries == ["fever_single active high", "fever_single suspended high"])
        #expect(ward.state.alarms.first?.text.contains(" now ") == false)
        ward.measure(
            .bodyTemperature, 3850, from: .core, at: 70.5, expecting: ["fever_single active high"])
        #expect(ward.alarms.first == "fever_single active high")
        #expect(ward.sounds.filter { $0.hasPrefix("high") }.count == 1)
    }

    @Test("is named as the last one by a fever that it raises, in every report of it, until a current one comes")
    func feverText() {
        var ward = Ward()
        ward.connection(.core, .ready, at: 0)
        ward.stream(.bodyTemperature, 3700, from: .core, at: (1...10).map(Double.init))
        let texts = (0..<3).flatMap { place in
            let late = LateInterval(waitedFrom: Ward.moment(10), to: Ward.moment(12), place: place, of: 3)
            return apply(3850, late, of: .core, at: 12, in: &ward).compactMap { effect in
                if case .alarm(let alarm, _) = effect { alarm.text } else { nil }
            }
        }
        let text = "Fever, neutrophils unknown last 38.5 °C ≥ 38.3 · CORE 1A2B"
        #expect(texts == [text])
        // Also where another value is current.
        #expect(ward.condition(.bodyTemperature) == "measured 3700")
        #expect(ward.state.alarms.map { ward.state.text(of: $0) } == [text])
        ward.measure(.bodyTemperature, 3860, from: .core, at: 12.5)
        #expect(ward.state.alarms.map(\.text) == ["Fever, neutrophils unknown 38.6 °C ≥ 38.3 · CORE 1A2B"])
    }

    @Test("that alone is hot among those that waited makes no fever of a sensor that streams")
    func outlier() {
        var ward = stopped()
        #expect(waiting([3700, 3850, 3700, 3700], in: &ward) == [])
        #expect(!ward.alarms.contains { $0.hasPrefix("fever") })
    }

    @Test("ends no limit's alarm and begins none", arguments: [3650, 3990])
    func limits(hundredths: Int) {
        var settings = MonitorSettings()
        settings.limits[.bodyTemperature]?.high.delay = .zero
        var ward = Ward(settings: settings)
        ward.connection(.core, .ready, at: 0)
        ward.stream(.bodyTemperature, 3790, from: .core, at: (1...10).map(Double.init))
        let before = ward.state.alarms.filter { !$0.kind.isFever }
        let late = LateInterval(waitedFrom: Ward.moment(10), to: Ward.moment(12), place: 0, of: 1)
        _ = receive(hundredths, late, of: .core, at: 12, in: &ward)
        #expect(ward.state.alarms.filter { !$0.kind.isFever } == before)
    }

    @Test("from a sensor's memory is no current fever, and is reported with its own time")
    func stored() throws {
        var ward = Ward()
        ward.connection(.thermometer, .ready, at: 0)
        for hour in [8.0, 7, 6] {
            let late = LateInterval(sensorTime: Ward.moment(-hour * 3600))
            #expect(receive(3950, late, of: .thermometer, at: 1, in: &ward) == [])
        }
        #expect(ward.condition(.bodyTemperature) == "never seen")
        #expect(ward.alarms == [])
        let series = try #require(ward.state.sensors.first?.vitals.first?.late)
        #expect(series.count == 3)
        #expect(series.from == Ward.moment(-8 * 3600) && series.to == Ward.moment(-6 * 3600))
        #expect(series.last.moment == Ward.moment(-6 * 3600))
    }

    @Test("a value of now ends the series, and the next late one begins another")
    func series() {
        var ward = stopped()
        _ = waiting([3710, 3720], in: &ward)
        ward.measure(.bodyTemperature, 3730, from: .core, at: 75)
        _ = receive(3740, LateInterval(sensorTime: Ward.moment(-900)), of: .core, at: 76, in: &ward)
        #expect(ward.state.sensors.first?.vitals.first?.late?.count == 1)
    }

    @Test(
        "no sensor is silent because the program or the computer stood still, and one that stays silent is",
        arguments: [GapReason.program, .asleep])
    func silence(_ reason: GapReason) {
        var ward = Ward()
        ward.connection(.strap, .ready, at: 0)
        ward.stream(.heartRate, 7200, from: .strap, at: (1...10).map(Double.init))
        ward.state.applyQuietly(.gap(Gap(from: gap.from, to: gap.to, reason: reason)), at: 70)
        #expect(ward.condition(.heartRate) == "lost 7200")
        #expect(ward.alarms == ["not_monitored active low"])
        #expect(ward.wait(until: 200).contains("reading heart_rate silent"))
        #expect(ward.alarms.contains { $0.hasPrefix("silent") })
    }

    @Test("while stored values come the sensor is not silent; when they have come it is")
    func storedIsNotSilent() {
        var ward = Ward()
        ward.connection(.oximeter, .ready, at: 0)
        for second in stride(from: 1.0, through: 120, by: 1) {
            let reading = Reading(
                sensor: .oximeter, vital: .oxygenSaturation, outcome: .measured(VitalValue(hundredths: 9700), .good),
                moment: Ward.moment(second), late: LateInterval(sensorTime: Ward.moment(second - 28_800)))
            ward.receive(.reading(reading), at: second)
        }
        #expect(ward.wait(until: 400).contains { $0.hasSuffix("silent") })
        #expect(ward.alarms.contains { $0.hasPrefix("silent") })
    }

    @Test("a thermometer that is subscribed to again each minute measures on request, so one hot value is a fever")
    func subscribedAnew() {
        var ward = Ward()
        for (start, value) in [(0.0, 3700), (20, 3700), (40, 3700), (60, 3850)] {
            ward.state.applyQuietly(.connection(.thermometer, ConnectionState(phase: .ready)), at: start)
            let reading = Reading(
                sensor: .thermometer, vital: .bodyTemperature,
                outcome: .measured(VitalValue(hundredths: value), .good), moment: Ward.moment(start + 1))
            ward.state.applyQuietly(.reading(reading), at: start + 1)
            if value > 3800 { break }
            let lost = ConnectionState(phase: .waiting, reason: .linkLost)
            ward.state.applyQuietly(.connection(.thermometer, lost), at: start + 10)
        }
        #expect(ward.alarms.contains("fever_single active high"))
    }
}

extension MonitorState {
    /// Applies an event of whose effects nothing is expected.
    fileprivate mutating func applyQuietly(_ kind: MonitorEvent.Kind, at seconds: Double) {
        _ = apply(MonitorEvent(moment: Ward.moment(seconds), kind: kind))
    }
}
