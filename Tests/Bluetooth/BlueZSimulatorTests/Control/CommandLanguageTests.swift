import Testing

@testable import BlueZSimulator

@Suite("Commands")
struct CommandLanguageTests {
    private let language = CommandLanguage(sensors: Scenario.steady.sensors)

    @Test(
        "every command is understood",
        arguments: [
            ("temp 38.6", .action(.sensors([0], .vitals(.temperature(38.6))))),
            ("temp nan", .action(.sensors([0], .vitals(.temperature(nil))))),
            ("unit f", .action(.sensors([0], .vitals(.unit(.fahrenheit))))),
            ("stamp on", .action(.sensors([0], .vitals(.timestamp(true))))),
            ("ttype 2", .action(.sensors([0], .vitals(.temperatureType(2))))),
            ("ttype off", .action(.sensors([0], .vitals(.temperatureType(nil))))),
            ("hr 121", .action(.sensors([1], .vitals(.heartRate(121))))),
            ("contact off", .action(.sensors([1], .vitals(.contact(false))))),
            ("contact none", .action(.sensors([1], .vitals(.contact(nil))))),
            ("rr 500 750.5", .action(.sensors([1], .vitals(.intervals(.fixed([500, 750.5])))))),
            ("rr auto", .action(.sensors([1], .vitals(.intervals(.computed))))),
            ("energy off", .action(.sensors([1], .vitals(.energy(nil))))),
            ("wide on", .action(.sensors([1], .vitals(.wide(true))))),
            ("spo2 91", .action(.sensors([2], .vitals(.saturation(91))))),
            ("pulse 60", .action(.sensors([2], .vitals(.pulseRate(60))))), ("spot", .action(.sensors([2], .spotCheck))),
            ("battery hr 41", .action(.sensors([1], .battery(41)))),
            ("interval all 0.1", .action(.sensors([0, 1, 2], .interval(0.1)))),
            ("quiet spo2", .action(.sensors([2], .silence))), ("loud", .action(.sensors([0, 1, 2], .speak))),
            ("burst hr 200 10", .action(.sensors([1], .burst(200, seconds: 0.01)))),
            ("burst hr 200", .action(.sensors([1], .burst(200, seconds: 0)))),
            ("raw hr 16 48", .action(.sensors([1], .octets([0x16, 0x48])))),
            ("drop hr 08", .action(.sensors([1], .linkLoss))), ("bye core", .action(.sensors([0], .hangUp))),
            ("vanish", .action(.sensors([0, 1, 2], .outOfRange))), ("return temp", .action(.sensors([0], .inRange))),
            ("off hr", .action(.sensors([1], .offBody))), ("on hr", .action(.sensors([1], .onBody))),
            ("adv hr off", .action(.sensors([1], .advertise(false)))),
            ("refuse hr 5", .action(.sensors([1], .refuse(5)))),
            ("rssi temp -80 3", .action(.sensors([0], .signalStrength(-80, noise: 3)))),
            ("rename hr Polar H10 9999", .action(.sensors([1], .rename("Polar H10 9999")))),
            ("rotate hr c0:52:49:00:00:77", .action(.sensors([1], .rotate("C0:52:49:00:00:77")))),
            ("quiet C0:52:49:00:00:03", .action(.sensors([2], .silence))),
            ("quiet e-Oximeter", .action(.sensors([2], .silence))),
            ("dupfilter off", .action(.adapter(.filterDuplicates(false)))), ("unplug", .action(.adapter(.unplug))),
            ("plug", .action(.adapter(.plug))), ("power off", .action(.adapter(.powerOff))),
            ("bluez-kill", .action(.daemon(.kill))), ("bluez-stop", .action(.daemon(.stop))),
            ("bluez-start", .action(.daemon(.start))), ("bluez-restart", .action(.daemon(.restart))),
            ("rfkill block", .action(.adapter(.block))), ("rfkill unblock", .action(.adapter(.unblock))),
            ("dbus-stop", .action(.bus(.stop))), ("dbus-start", .action(.bus(.start))),
            ("permit off", .action(.bus(.permit(false)))), ("latency 0.1", .action(.latency(0.1))),
            ("rhythm hr fibrillation", .action(.sensors([1], .vitals(.rhythm(.fibrillation))))),
            ("lose hr 3", .action(.sensors([1], .loseFrames(3)))), ("flood hr 10", .action(.sensors([1], .flood(10)))),
            ("restart-clock hr", .action(.sensors([1], .restartClock))),
            ("  STATE \n", .state), ("help", .help), ("stats", .statistics), ("events", .events(50)),
            ("events 7", .events(7)), ("sleep 0.5", .sleep(0.5)),
        ] as [(String, Command)])
    func commands(line: String, expected: Command) throws {
        #expect(try language.parse(line) == expected)
    }

    @Test(
        "an unknown command is answered with an error",
        arguments: [
            ("", "an empty command"), ("dance", "unknown command: dance (try help)"),
            ("temp", "expected a number or nan"), ("temp warm", "expected a number or nan, found 'warm'"),
            ("temp 1e99", "expected a number or nan, found '1e99'"),
            ("hr 70000", "expected a whole number from 0 to 65535, found '70000'"),
            ("contact perhaps", "expected none or off or on, found 'perhaps'"), ("battery", "which sensor?"),
            ("battery toe 4", "no such sensor: toe"),
            ("raw hr 0", "expected at most 512 octets as pairs of hexadecimal digits"),
            ("rotate hr here", "expected an address such as 'C0:52:49:00:00:77'"),
            ("plug hr", "'plug' does not take 'hr'"),
        ])
    func mistakes(line: String, reason: String) {
        #expect(throws: ControlCommandError(reason: reason)) { try language.parse(line) }
    }
}
