import Monitoring
import Vitals

/// A text in every spoken language: another language needs another property here, and a column below.
struct SpeechText {
    private let english, german: String

    fileprivate init(_ english: String, _ german: String) {
        (self.english, self.german) = (english, german)
    }

    /// The text in a language.
    func `in`(_ language: SpeechLanguage) -> String {
        switch language {
        case .english: english
        case .german: german
        }
    }
}

// All texts that are spoken.
extension SpeechText {
    static let simulated = SpeechText("simulated", "simuliert")
    static let alarm = SpeechText("alarm", "Alarm")
    static let noMeasurement = SpeechText("no measurement", "keine Messung")
    static let doubtful = SpeechText("doubtful", "unsicher")
    /// A time of day follows.
    static let feverSince = SpeechText("fever since", "Fieber seit")
    static let feverSinceADay = SpeechText("fever for more than a day", "Fieber seit mehr als einem Tag")

    static func vital(_ vital: Vital) -> SpeechText {
        SpeechText(vital.traits.spoken.english, vital.traits.spoken.german)
    }

    /// The condition of an alarm; for a crossed limit, the text after the vital.
    static func condition(_ kind: AlarmKind) -> SpeechText {
        switch kind {
        case .feverSingle: SpeechText("fever", "Fieber")
        case .feverSustained: SpeechText("sustained fever", "anhaltendes Fieber")
        case .severeLow: SpeechText("severely low", "sehr niedrig")
        case .low: SpeechText("low", "niedrig")
        case .high: SpeechText("high", "hoch")
        case .severeHigh: SpeechText("severely high", "sehr hoch")
        case .fall: SpeechText("falling fast", "fällt schnell")
        case .rise: SpeechText("rising fast", "steigt schnell")
        case .flatLine: SpeechText("unchanged for a long time", "lange unverändert")
        case .sensorOff: SpeechText("sensor off", "Sensor nicht am Körper")
        case .equipment: SpeechText("sensor fault", "Sensorfehler")
        case .noMeasurement: noMeasurement
        case .calibrationWanted: SpeechText("calibration wanted", "Kalibrierung nötig")
        case .silent: SpeechText("sensor silent", "Sensor sendet nicht")
        case .linkLost: SpeechText("link lost", "Verbindung verloren")
        case .batteryLow: SpeechText("battery low", "Batterie schwach")
        case .weakSignal: SpeechText("weak signal", "schwaches Signal")
        case .malformed: SpeechText("malformed data", "fehlerhafte Daten")
        case .busLost: SpeechText("no message bus", "kein Message-Bus")
        case .daemonGone: SpeechText("Bluetooth service not running", "Bluetooth-Dienst läuft nicht")
        case .busSilent: SpeechText("message bus does not answer", "Message-Bus antwortet nicht")
        case .daemonSilent: SpeechText("Bluetooth does not answer", "Bluetooth antwortet nicht")
        case .adapterOff: SpeechText("Bluetooth adapter not usable", "Bluetooth-Adapter nicht verfügbar")
        case .storage: SpeechText("storage", "Speicherung gestört")
        case .soundLost: SpeechText("sound lost", "Ton ausgefallen")
        case .wardLost: SpeechText("no connection to the ward", "keine Verbindung zur Station")
        case .labDue: SpeechText("blood count due", "Blutbild fällig")
        case .clockJump: SpeechText("clock was set", "Uhr wurde gestellt")
        case .notMonitored: SpeechText("monitoring was interrupted", "Überwachung war unterbrochen")
        case .readingsDropped: SpeechText("sensor not monitored", "Sensor nicht überwacht")
        case .nothingMonitored: SpeechText("nothing is monitored", "Nichts wird überwacht")
        case .tooManySensors: SpeechText("too many sensors", "zu viele Sensoren")
        case .monitorLost: SpeechText("no monitor", "kein Monitor")
        }
    }
}
