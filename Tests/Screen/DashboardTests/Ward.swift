import Appearance
import Base
import Monitoring
import TextGrid
import Vitals

@testable import Dashboard

/// A patient with sensors, driven event by event by a test, which also controls time.
struct Ward {
    var state: MonitorState
    var now: Moment
    var screen = ScreenState()

    static let strap = SensorIdentity(address: "C0:52:49:00:00:02", name: "Polar H10 4A2C1234", kind: .heartRateStrap)
    static let oximeter = SensorIdentity(address: "C0:52:49:00:00:03", name: "e-Oximeter", kind: .oximeter)
    static let core = SensorIdentity(address: "C0:52:49:00:00:01", name: "CORE 1A2B", kind: .core)
    static let thermometer = SensorIdentity(address: "C0:52:49:00:00:04", name: "Thermometer X", kind: .thermometer)

    /// 2026-03-01 13:50:00 UTC.
    init(settings: MonitorSettings = MonitorSettings()) {
        now = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_772_373_000_000)
        state = MonitorState(settings: settings, start: now)
        screen.session.title = "Bed 12"
    }

    mutating func apply(_ kind: MonitorEvent.Kind) {
        record(state.apply(MonitorEvent(moment: now, kind: kind)))
    }

    /// Lets time pass, with a tick at its end.
    mutating func pass(_ seconds: Int) {
        now = now.advanced(by: .seconds(seconds))
        apply(.tick)
    }

    mutating func ready(scanning: Bool = true) {
        apply(.bus(.connected))
        apply(.daemon(.running))
        apply(.adapter(AdapterStatus(identifier: "hci0", address: nil, power: .ready, isScanning: scanning)))
    }

    mutating func find(_ sensor: SensorIdentity, signal: Int) {
        apply(.nearby(sensor, signalStrength: signal, services: []))
    }

    mutating func connect(_ sensor: SensorIdentity, battery: Int? = nil) {
        apply(.connection(sensor, ConnectionState(phase: .connecting, attempt: 1)))
        apply(.connection(sensor, ConnectionState(phase: .connected)))
        apply(.connection(sensor, ConnectionState(phase: .ready)))
        if let battery { apply(.battery(sensor, percent: battery)) }
    }

    mutating func measure(
        _ sensor: SensorIdentity, _ vital: Vital, _ hundredths: Int, quality: Reading.Quality = .good,
        site: BodySite? = nil
    ) {
        let outcome = Reading.Outcome.measured(VitalValue(hundredths: hundredths), quality)
        apply(.reading(Reading(sensor: sensor, vital: vital, outcome: outcome, moment: now, site: site)))
    }

    mutating func miss(_ sensor: SensorIdentity, _ vital: Vital, _ reason: AbsenceReason) {
        apply(
            .reading(Reading(sensor: sensor, vital: vital, outcome: .noMeasurement(reason), moment: now)))
    }

    /// Lets three connected sensors stream once a second for some time.
    mutating func stream(seconds: Int, temperature: (Int) -> Int = { 3680 + $0 / 60 }, strapOff: Bool = false) {
        for second in 0..<seconds {
            now = now.advanced(by: .seconds(1))
            if strapOff {
                miss(Self.strap, .heartRate, .noContact)
            } else {
                measure(Self.strap, .heartRate, 7200 + 100 * wave(second, period: 40, height: 8))
            }
            measure(Self.oximeter, .oxygenSaturation, 9800 - 100 * wave(second, period: 90, height: 3))
            measure(Self.oximeter, .pulseRate, 7100 + 100 * wave(second, period: 40, height: 8))
            measure(Self.core, .bodyTemperature, temperature(second), site: .core)
            measure(Self.core, .skinTemperature, 3410, site: .skin)
        }
    }

    /// A triangle between 0 and `height`.
    private func wave(_ second: Int, period: Int, height: Int) -> Int {
        let phase = second % period
        return height * (phase < period / 2 ? phase : period - phase) * 2 / period
    }

    func drawn(_ columns: Int, _ rows: Int, _ glyphs: GlyphSet = .braille) -> Grid {
        var screen = screen
        screen.glyphs = glyphs
        return draw(state: state, screen: screen, size: (columns, rows), now: now)
    }
}

extension Ward {
    /// Adapter ready, nothing on the air.
    static func empty(settings: MonitorSettings = MonitorSettings()) -> Ward {
        var ward = Ward(settings: settings)
        ward.ready()
        return ward
    }

    /// Three sensors that stream, a fourth that is only nearby.
    static func live(seconds: Int = 240, settings: MonitorSettings = MonitorSettings()) -> Ward {
        var ward = empty(settings: settings)
        ward.find(core, signal: -58)
        ward.find(strap, signal: -63)
        ward.find(oximeter, signal: -71)
        ward.find(thermometer, signal: -81)
        ward.connect(core, battery: 87)
        ward.connect(strap, battery: 64)
        ward.connect(oximeter)
        ward.stream(seconds: seconds)
        ward.find(thermometer, signal: -81)
        ward.screen.list.selection = strap.address
        return ward
    }

    /// The strap reports no skin contact.
    static func offBody() -> Ward {
        var ward = live()
        ward.stream(seconds: 4, strapOff: true)
        return ward
    }

    /// A temperature that has risen to fever.
    static func fever() -> Ward {
        var ward = live(seconds: 60)
        ward.stream(seconds: 180, temperature: { 3700 + $0 })
        return ward
    }

    /// Fever, and the link to the oximeter is lost and being reconnected.
    static func linkLost() -> Ward {
        var ward = fever()
        ward.apply(
            .connection(
                oximeter,
                ConnectionState(
                    phase: .waiting, reason: .linkLost, attempt: 2, retryAt: ward.now.advanced(by: .seconds(16)))))
        for _ in 0..<12 {
            ward.pass(1)
            ward.measure(core, .bodyTemperature, 3880, site: .core)
            ward.measure(core, .skinTemperature, 3410, site: .skin)
            ward.measure(strap, .heartRate, 9100)
        }
        return ward
    }

    /// bluetoothd does not run.
    static func noDaemon() -> Ward {
        var ward = Ward()
        ward.apply(.bus(.connected))
        ward.apply(.daemon(.gone))
        return ward
    }

    /// Names that try to take over the terminal or to break the columns.
    static func hostileName() -> Ward {
        var ward = empty()
        let names = [
            "\u{1B}[2J\u{1B}]0;owned\u{07}", "体温計体温計体温計体温計体温計体温計", "Z\u{0351}\u{0352}\u{0353}a\u{0300}l\u{0301}go",
            "", "\u{202E}desrever", "👩‍⚕️ nurse 👍🏽", String(repeating: "W", count: 300),
        ]
        for (index, name) in names.enumerated() {
            let sensor = SensorIdentity(address: "AA:BB:CC:DD:EE:0\(index)", name: name, kind: .heartRateStrap)
            ward.find(sensor, signal: -50 - index)
            if index < 2 { ward.connect(sensor) }
        }
        ward.measure(
            SensorIdentity(address: "AA:BB:CC:DD:EE:01", name: names[1], kind: .heartRateStrap), .heartRate, 6600)
        return ward
    }

    /// A poor pulse signal, a saturation that is not renewed, and degrees Fahrenheit.
    static func stale() -> Ward {
        var ward = live(seconds: 120)
        for _ in 0..<4 {
            ward.pass(1)
            ward.measure(strap, .heartRate, 7350, quality: .questionable)
            ward.measure(core, .bodyTemperature, 3829, site: .core)
        }
        ward.screen.temperatureUnit = .fahrenheit
        ward.screen.dialogs.message = "Polar H10 4A2C1234 refused the connection"
        return ward
    }

    /// The help over live values.
    static func help() -> Ward {
        var ward = live(seconds: 30)
        ward.screen.pages.help = LineScroll()
        return ward
    }

    /// Every story that is kept as a golden picture.
    static let stories: [(name: String, ward: Ward)] =
        [
            ("empty", empty()), ("live", live()), ("off-body", offBody()), ("fever", simulated(fever())),
            ("link-lost", linkLost()), ("no-daemon", noDaemon()), ("stale", stale()), ("hostile-name", hostileName()),
            ("help", help()), ("crowd", crowd()), ("remembered", remembered()), ("filter", filter()),
            ("rename", rename()),
            ("forget", forget()),
        ] + alarmStories + lookStories + manualStories + sensorStories + trendStories + rhythmStories
        + daysStories

    static func simulated(_ ward: Ward) -> Ward {
        var ward = ward
        ward.screen.session.isSimulated = true
        return ward
    }
}
