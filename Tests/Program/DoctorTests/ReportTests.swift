import Formats
import Foundation
import Testing
import TestSupport

@testable import Doctor

/// Facts of computers with something to report.
enum Patient: String, CaseIterable {
    case healthy, simulated, noBus, hungBus, noDaemon, notInstalled, hungDaemon, denied, nonsense, ignored, noAdapter
    case noKernelSupport, hiddenAdapter, poweredOff, softBlocked, hardBlocked, oneOfTwoBlocked, notCentral,
        silentAdapter
    case oldTerminal, asciiLocale, missingLocale, noTerminal, openFolders, readOnlyFolders, noHome, wrongFile, hostile
    case oldDaemon, refusingSensor, wideLink, narrowLink, noColors, fullDisk, unsetClock, lateClock, noSoundAtAll,
        silentByChoice
    case damagedStore, damagedStores, rememberedSensors, emptyBattery
    case noLandlock, landlockOff, landlockUnsuitable
    case noSoundCard, toneWithoutSoundCard, tonePlayed, toneHeard, toneNotHeard, mutedMicrophone, noMicrophone
    case ward, wardAtHome, wardScreen, wrongBroker, noBroker, hungBroker, openKey, endingCertificate, endedCertificate
    case noCertificate, plainBroker, forbiddenBed, openBroker, silentBroker, deafBroker, wrongClock, leftovers
    case hostileBroker, nothingWorks

    var facts: Facts {
        var facts = Facts.healthy
        switch self {
        case .healthy: break
        case .simulated:
            facts.bluetooth.isSimulated = true
            facts.bluetooth.version = nil
            facts.bluetooth.busAddress = "unix:path=/tmp/bedside-simulator-x/bus"
        case .noBus:
            facts.bluetooth.becomeUnasked()
            facts.bluetooth.bus = .absent(reason: "Failed to connect to socket /run/dbus/system_bus_socket")
        case .hungBus:
            facts.bluetooth.becomeUnasked()
            facts.bluetooth.bus = .timedOut(seconds: 3)
            facts.bluetooth.busAddress = "unix:path=/run/elsewhere"
        case .noDaemon: facts.bluetooth.loseDaemon(.absent(reason: ""))
        case .notInstalled:
            facts.bluetooth.loseDaemon(.absent(reason: ""))
            facts.bluetooth.version = nil
            facts.bluetooth.isDaemonInstalled = false
        case .hungDaemon: facts.bluetooth.loseObjects(.timedOut(seconds: 3))
        case .denied: facts.bluetooth.loseObjects(.denied(reason: "Rejected send message"))
        case .nonsense: facts.bluetooth.loseObjects(.nonsense(reason: "its list of objects is malformed"))
        case .ignored:
            facts.bluetooth.ignored = [
                "The Bluetooth service sent an invalid property, which was ignored (/org/bluez/hci0).",
                "Another one.",
            ]
        case .noAdapter:
            facts.bluetooth.adapters = []
            facts.bluetooth.kernelAdapters = []
            facts.bluetooth.switches = []
        case .noKernelSupport:
            facts.bluetooth.adapters = []
            facts.bluetooth.kernelAdapters = nil
        case .hiddenAdapter: facts.bluetooth.adapters = []
        case .poweredOff: facts.bluetooth.adapters[0].isPowered = false
        case .softBlocked, .hardBlocked:
            facts.bluetooth.adapters[0].isPowered = false
            facts.bluetooth.switches[0].isSoftBlocked = self == .softBlocked
            facts.bluetooth.switches[0].isHardBlocked = self == .hardBlocked
        case .oneOfTwoBlocked:
            facts.bluetooth.adapters[0].isPowered = false
            facts.bluetooth.switches[0].isSoftBlocked = true
            facts.bluetooth.adapters.append(
                AdapterFacts(name: "hci1", address: "00:11:22:33:44:56", isPowered: true, roles: ["central"]))
        case .notCentral: facts.bluetooth.adapters[0].roles = ["peripheral"]
        case .silentAdapter: facts.bluetooth.adapters = [AdapterFacts(name: "hci0")]
        case .oldDaemon: facts.bluetooth.version = "5.55"
        case .refusingSensor: facts.refusing = ["Polar H10", "O2Ring 1234"]
        case .wideLink: facts.bluetooth.waveLinks = [WaveLinkFacts(name: "Polar H10", transferUnit: 232)]
        case .narrowLink:
            facts.bluetooth.waveLinks = [
                WaveLinkFacts(name: "Polar H10 1", transferUnit: 70),
                WaveLinkFacts(name: "Polar H10 2", transferUnit: 69),
            ]
        case .noColors: facts.terminal?.colors = 2
        case .fullDisk: facts.diskRoom = 199_999_999
        case .unsetClock: facts.clock = ClockFacts(now: 12_000)
        case .lateClock: facts.clock?.newestValue = 4_102_444_800_000 + 60_001
        case .noSoundAtAll:
            (facts.signals.speakers, facts.signals.hasBell) = (.unavailable(reason: "no sound card"), false)
        case .silentByChoice:
            (facts.signals.speakers, facts.signals.isSoundWanted) = (.unavailable(reason: "no sound card"), false)
        case .noLandlock: facts.confinement = .unavailable
        case .landlockOff: facts.confinement = .switchedOff(variable: "BEDSIDE_LANDLOCK")
        case .landlockUnsuitable: facts.confinement = .unsuitable
        case .noSoundCard: facts.signals.speakers = .unavailable(reason: "no sound card")
        case .toneWithoutSoundCard:
            (facts.signals.speakers, facts.signals.isToneWanted) = (.unavailable(reason: "no sound card"), true)
        case .tonePlayed: (facts.signals.speakers, facts.signals.isToneWanted) = (.played, true)
        case .toneHeard: (facts.signals.speakers, facts.signals.isToneWanted) = (.heard(decibels: 34), true)
        case .toneNotHeard: (facts.signals.speakers, facts.signals.isToneWanted) = (.notHeard, true)
        case .mutedMicrophone: (facts.signals.speakers, facts.signals.isToneWanted) = (.muted, true)
        case .noMicrophone:
            (facts.signals.speakers, facts.signals.isToneWanted) = (.noMicrophone(reason: "no microphone"), true)
        case .ward, .wardAtHome, .wardScreen, .wrongBroker, .noBroker, .hungBroker, .openKey, .endingCertificate,
            .endedCertificate, .noCertificate, .plainBroker, .forbiddenBed, .openBroker, .silentBroker, .deafBroker,
            .wrongClock, .leftovers, .hostileBroker:
            facts.broker = broker
        case .nothingWorks:
            facts = Patient.noAdapter.facts
            facts.terminal = Patient.oldTerminal.facts.terminal
            facts.broker = Patient.noBroker.broker
        case .oldTerminal:
            facts.terminal = TerminalFacts(
                type: "dumb", isKnown: false, colors: 0, isColorRefused: false, columns: 80, rows: 24)
        case .asciiLocale:
            (facts.locale.codeset, facts.locale.glyphs, facts.locale.name) = ("ANSI_X3.4-1968", "ascii", "C")
        case .missingLocale:
            (facts.locale.isInstalled, facts.locale.glyphs, facts.locale.name) = (false, "ascii", "tlh_KL.UTF-8")
        case .noTerminal:
            (facts.terminal, facts.signals.hasBell, facts.signals.notifications) = (nil, false, .unasked)
            facts.signals.speakers = .unavailable(reason: "no sound card")
        case .openFolders:
            facts.folders = facts.folders.map {
                FolderFacts(purpose: $0.purpose, path: $0.path, state: .usable(mode: 0o755))
            }
        case .readOnlyFolders:
            facts.folders = facts.folders.map {
                FolderFacts(purpose: $0.purpose, path: $0.path, state: .unusable(reason: "Read-only file system"))
            }
        case .damagedStore: facts.damagedStores = ["/h/.local/share/bedside/store.sqlite.damaged-2026-01-02"]
        case .damagedStores:
            facts.damagedStores = ["/h/store.sqlite.damaged-2026-01-02", "/h/store.sqlite.damaged-2026-01-03"]
        case .rememberedSensors:
            facts.sensors = [
                SensorFacts(
                    name: "Polar H10", clauses: ["last value yesterday 22:10", "battery 54 %"], battery: 54),
                SensorFacts(name: "CORE 1A2B", clauses: [], battery: nil),
            ]
        case .emptyBattery:
            facts.sensors = (0..<10).map {
                SensorFacts(name: "Strap \($0)", clauses: ["battery \(10 + $0) % 07:00"], battery: 10 + $0)
            }
        case .noHome:
            facts.folders = []
            facts.folderProblem =
                "There is no home folder to keep files in. Set HOME to a folder that you can write to."
            facts.configuration = .unknown
        case .wrongFile:
            facts.configuration = .invalid(
                path: "/h/bedside.toml", sentence: "/h/bedside.toml:3:7: units: expected \"celsius\" or \"fahrenheit\"",
                count: 2)
        case .hostile:
            facts.bluetooth.adapters = [
                AdapterFacts(
                    name: "hci0\u{1B}[2J\u{202E}\n" + String(repeating: "x", count: 5000),
                    address: String(repeating: "\n", count: 5000), isPowered: true, roles: ["central"])
            ]
            facts.bluetooth.version = nil
            facts.bluetooth.waveLinks = [WaveLinkFacts(name: "\u{1B}[2J\u{202E}", transferUnit: .min)]
            facts.refusing = ["\u{1B}[2J\n"]
        }
        return facts
    }
}

extension Facts {
    /// A computer on which all is well.
    static var healthy: Facts {
        var facts = Facts()
        facts.bluetooth.bus = .yes
        facts.bluetooth.daemon = .yes
        facts.bluetooth.objects = .yes
        facts.bluetooth.version = "5.66"
        facts.bluetooth.kernel = "Linux 6.1.0-21-amd64"
        facts.bluetooth.kernelAdapters = ["hci0"]
        facts.bluetooth.adapters = [
            AdapterFacts(
                name: "hci0", address: "00:11:22:33:44:55", isPowered: true, roles: ["central", "peripheral"])
        ]
        facts.bluetooth.switches = [RadioSwitchFacts(name: "hci0", isSoftBlocked: false, isHardBlocked: false)]
        facts.terminal = TerminalFacts(
            type: "xterm-256color", isKnown: true, colors: 256, isColorRefused: false, columns: 100, rows: 30)
        facts.locale.name = "en_GB.UTF-8"
        facts.locale.codeset = "UTF-8"
        facts.locale.glyphs = "braille"
        facts.locale.sample = "♥ ● ⣿"
        facts.folders =
            ["state", "data"].map {
                FolderFacts(purpose: $0, path: "/h/\($0)", state: .usable(mode: 0o700))
            } + [FolderFacts(purpose: "config", path: "/h/config", state: .missing)]
        facts.configuration = .absent(path: "/h/config/bedside.toml")
        facts.diskRoom = 50_000_000_000
        facts.clock = ClockFacts(now: 4_102_444_800_000, newestValue: 4_102_444_860_000)
        facts.confinement = .restricts(version: 7)
        facts.signals.hasBell = true
        facts.signals.speakers = .opened
        facts.signals.notifications = .yes
        return facts
    }
}

extension Patient {
    /// A ward's broker with something to report.
    fileprivate var broker: BrokerFacts {
        var facts = BrokerFacts.healthy
        switch self {
        case .wardAtHome:
            facts = BrokerFacts(
                address: "mqtt://localhost:1883", isEncrypted: false, isLocal: true, hasBed: true,
                now: BrokerFacts.day(0).seconds)
            (facts.connection, facts.own, facts.foreign) = (.accepted, .silent, .silent)
        case .wardScreen: (facts.hasBed, facts.own) = (false, .unasked)
        case .wrongBroker: facts.settingsProblem = "The setting ward.broker is no broker's address: mqtt://:."
        case .noBroker:
            facts.connection = .failed(reason: "Connection refused")
            facts.certificates.removeLast()
        case .hungBroker: facts.connection = .timedOut(seconds: 8)
        case .openKey:
            facts.secrets[0].problem = "others can read /etc/bedside/12.key; run: chmod 600 /etc/bedside/12.key"
        case .endingCertificate:
            facts.certificates[0].end = .success(BrokerFacts.day(13))
            facts.certificates[1].end = .success(BrokerFacts.day(14))
        case .endedCertificate:
            facts.certificates[2].end = .success(BrokerFacts.day(-1))
            facts.connection = .failed(reason: "the broker's certificate is not trusted, or has expired")
        case .noCertificate:
            facts.certificates[0].end = .failure(.init("/etc/bedside/12.crt does not exist"))
            facts.connection = .failed(reason: "/etc/bedside/12.crt cannot be read (No such file or directory)")
        case .plainBroker:
            (facts.isEncrypted, facts.certificates, facts.secrets) = (false, [], [])
            facts.address = "mqtt://ward.example:1883"
        case .forbiddenBed: facts.own = .refused
        case .openBroker: facts.foreign = .echoed
        case .silentBroker: facts.foreign = .silent
        case .deafBroker: facts.foreign = .unanswered
        case .wrongClock: facts.clocks = ["bed 12": 1900, "bed 14": -3_600_400]
        case .leftovers:
            facts.leftovers = ["bedside/v1/ward-2/14/heartbeat", "bedside/v1/ward-2/14/alarm/3"]
        case .hostileBroker:
            facts.connection = .failed(reason: "\u{1B}[2J\u{202E}" + String(repeating: "x", count: 5000))
            facts.leftovers = ["\u{1B}]0;"]
            facts.clocks = ["\u{1B}c": .min]
        default: break
        }
        return facts
    }
}

extension BrokerFacts {
    /// The end of a certificate, in days from the present one.
    fileprivate static func day(_ days: Int64) -> CertificateFacts.End {
        let seconds = 1_795_608_000 + days * 86_400
        return CertificateFacts.End(seconds: seconds, day: date(ofWallMilliseconds: seconds * 1000))
    }

    /// A broker with which all is well.
    fileprivate static var healthy: BrokerFacts {
        var facts = BrokerFacts(
            address: "mqtts://ward.example:8883", isEncrypted: true, isLocal: false, hasBed: true, now: day(0).seconds)
        facts.connection = .accepted
        facts.certificates = [
            CertificateFacts(owner: "this computer", path: "/etc/bedside/12.crt", end: .success(day(600))),
            CertificateFacts(owner: "the authority", path: "/etc/bedside/ca.crt", end: .success(day(3000))),
            CertificateFacts(owner: "the broker", end: .success(day(400))),
        ]
        facts.secrets = [SecretFacts(path: "/etc/bedside/12.key")]
        (facts.own, facts.foreign) = (.silent, .refused)
        facts.clocks = ["bed 14": 40, "bed 15": -120]
        return facts
    }
}

extension BluetoothFacts {
    mutating func becomeUnasked() {
        loseDaemon(.unasked)
        bus = .unasked
    }

    mutating func loseDaemon(_ answer: Answer) {
        daemon = answer
        loseObjects(.unasked)
    }

    mutating func loseObjects(_ answer: Answer) {
        objects = answer
        adapters = []
    }
}

@Suite("The doctor's report")
struct ReportTests {
    @Test("of every patient is as reviewed")
    func golden() throws {
        var text = ""
        for patient in Patient.allCases {
            let report = Report(patient.facts)
            text += "== \(patient.rawValue): \(report.verdict.rawValue)\n"
            // What is as with a healthy one needs no second reading.
            let usual = Set(Report(Patient.healthy.facts).checks)
            let checks = patient == .healthy ? report.checks : report.checks.filter { !usual.contains($0) }
            text += Report(checks: checks).text(.init(hasSymbols: true, hasColors: false, width: 100)) + "\n"
        }
        try expectGolden(text, "reports.txt")
    }

    @Test("as JSON is as reviewed")
    func json() throws {
        let text = [Patient.healthy, .noAdapter, .hostile].map { DoctorJSON.text(Report($0.facts), $0.facts) }.joined()
        try expectGolden(text, "reports.jsonl")
    }

    @Test("in ASCII has none but ASCII of its own")
    func ascii() {
        for patient in Patient.allCases where patient != .hostile && patient != .hostileBroker {
            var facts = patient.facts
            facts.locale.sample = "* # -"
            let text = Report(facts).text(.init(hasSymbols: false, hasColors: false, width: 80))
            let others = text.unicodeScalars.filter { !$0.isASCII }
            #expect(others.isEmpty, "\(patient)")
        }
    }

    @Test("has colour only where it is wanted, and the words without it are the same")
    func colors() {
        let report = Report(Facts.healthy)
        let plain = report.text(.init(hasSymbols: true, hasColors: false, width: 100))
        let colored = report.text(.init(hasSymbols: true, hasColors: true, width: 100))
        #expect(!plain.unicodeScalars.contains("\u{1B}"))
        let words = colored.replacing(#/\x1B\[[0-9]+m/#, with: "")
        #expect(words == plain)
    }

    @Test("lets nothing through that could harm a terminal")
    func hostile() {
        let text = Report(Patient.hostile.facts).text(.init(hasSymbols: true, hasColors: false, width: 80))
        let harmful = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" }
        #expect(harmful.isEmpty)
        #expect(text.count < 5000)
    }

    @Test("every trouble and every advice names a remedy", arguments: Patient.allCases)
    func remedies(_ patient: Patient) {
        for check in Report(patient.facts).checks where check.verdict >= .advice { #expect(check.remedy != nil) }
    }

    @Test("tells an old bluetoothd from a new one by its two numbers, and takes no other text for old")
    func daemonVersions() {
        for old in ["5.65", "5.9", "4.101"] { #expect(!DaemonVersion.isTested(old), "\(old)") }
        for new in ["5.66", "5.100", "6.0", "", "5", "5.x", "5.6.1"] { #expect(DaemonVersion.isTested(new), "\(new)") }
    }

    @Test("the article for users has a row for each trouble and advice, with the same remedy")
    func troubleshooting() throws {
        let article = try UserDocuments.text("Sources/Program/bedside/Bedside.docc/Troubleshooting.md")
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") }.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 3 && $0[1].hasPrefix("`") && $0[1] != "`doctor`" }
        // What a remedy names of this computer is different on each.
        let own: Set = ["state folder", "data folder", "config folder", "sensors"]
        let evaluated = Patient.allCases.filter { $0 != .hostile }.flatMap { Report($0.facts).checks }
        let checks = evaluated.filter { $0.verdict >= .advice && !own.contains($0.name) && !$0.name.hasPrefix("ward") }
        let remedies = Dictionary(grouping: checks, by: \.name).mapValues { Set($0.compactMap(\.remedy)) }
        var documented: [String: Set<String>] = [:]
        for row in rows {
            let name = row[1].filter { $0 != "`" }
            documented[name, default: []].insert(row[2].replacing("`", with: ""))
        }
        for name in Set(remedies.keys).union(documented.keys) {
            #expect(documented[name] == remedies[name], "\(name)")
        }
    }

    @Test("lets nothing of a hostile broker through, and never says that it is well")
    func hostileBroker() {
        let text = Report(Patient.hostileBroker.facts).text(.init(hasSymbols: true, hasColors: false, width: 80))
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
        for patient in Patient.allCases where patient.facts.broker != nil {
            let isWell = [.ward, .wardAtHome, .wardScreen, .silentBroker].contains(patient)
            #expect((Report(patient.facts).verdict == .ok) == isWell, "\(patient)")
        }
    }

    @Test("names each check once, the same ones for everybody who has a home")
    func names() {
        let names = Report(Facts.healthy).checks.map(\.name)
        #expect(Set(names).count == names.count)
        let wardNames = Report(Patient.ward.facts).checks.map(\.name)
        #expect(Set(wardNames).isSuperset(of: names) && Set(wardNames).count == wardNames.count)
        for patient in Patient.allCases where patient != .noHome {
            #expect(Report(patient.facts).checks.map(\.name) == (patient.facts.broker == nil ? names : wardNames))
        }
    }
}

@Suite("The version of bluetoothd")
struct DaemonVersionTests {
    @Test(
        "is read from an adapter's Modalias",
        arguments: [("usb:v1D6Bp0246d0542", "5.66"), ("usb:v1D6Bp0246d0549", "5.73")])
    func modalias(text: String, version: String) {
        #expect(DaemonVersion.version(modalias: text) == version)
    }

    @Test(
        "is not guessed",
        arguments: ["", "usb:v1D6Bp0246d", "usb:v1D6Bp0246d05", "usb:v1D6Bp0247d0542", "usb:v1D6Bp0246d+542"])
    func others(text: String) {
        #expect(DaemonVersion.version(modalias: text) == nil)
    }

    @Test(
        "is read from what bluetoothd prints",
        arguments: [("5.66\n", "5.66"), ("5.66", "5.66"), ("5.6.6\n", nil), ("bluetoothd", nil), ("", nil)])
    func printed(text: String, version: String?) {
        #expect(DaemonVersion.version(printed: text) == version)
    }
}
