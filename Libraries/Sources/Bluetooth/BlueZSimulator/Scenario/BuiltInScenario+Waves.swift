/// The scenarios of waves: each has one sensor, and shows one thing that a wave can be or that can go wrong with it.
extension BuiltInScenario {
    /// The texts by name.
    static let waves: [String: String] = [
        "ecg": strap("An ECG", "heartRate: { value: 72, noise: 1 }, electrocardiogram: true"),
        "ecg-ectopic": strap(
            "An ECG with ectopic beats", "heartRate: 70, rhythm: 'ectopic', electrocardiogram: true"),
        "ecg-fibrillation": strap(
            "An ECG in atrial fibrillation", "heartRate: 98, rhythm: 'fibrillation', electrocardiogram: true"),
        // Movement from 20 to 32 s, and the hum of the mains from 50 to 70 s.
        "ecg-artefact": strap(
            "An ECG with artefacts",
            """
            heartRate: 76, motion: [[20, 0], [21, 1], [31, 1], [32, 0]],
            electrocardiogram: { mains: [[50, 0], [50.5, 0.25], [69.5, 0.25], [70, 0]] }
            """),
        "ecg-lead-off": strap(
            "An ECG that is lost with the contact", "heartRate: 74, electrocardiogram: true",
            events: [(20, "do: 'offBody'"), (40, "do: 'onBody'")]),
        "ecg-late": strap("An ECG that begins late", "heartRate: 74, electrocardiogram: { delay: 25 }"),
        "ecg-loss": strap(
            "An ECG with lost frames, and a clock that begins again",
            "heartRate: 74, electrocardiogram: { sampleRate: 127.6 }",
            events: [
                (15, "do: 'loseFrames', count: 2"), (30, "do: 'loseFrames', count: 6"), (60, "do: 'restartClock'"),
            ]),
        "ecg-flood": strap(
            "An ECG that is sent ten times as often", "heartRate: 74, electrocardiogram: true",
            events: [(20, "do: 'flood', count: 10"), (40, "do: 'flood', count: 1")]),
        "pleth": oximeter("A pulse wave", "perfusion: { value: 4.2, waves: [{ amplitude: 0.6, period: 53 }] }"),
        "pleth-weak": oximeter(
            "A pulse wave that gets weak", "perfusion: [[20, 4], [30, 0.25], [70, 0.25], [80, 4]]"),
        "pleth-motion": oximeter("A pulse wave with movement", "motion: [[20, 0], [21, 0.8], [39, 0.8], [40, 0]]"),
        // From 20 to 25 s the sensor finds no pulse; at 50 s two seconds are lost on their way.
        "pleth-drop-out": oximeter(
            "A pulse wave that drops out", "perfusion: [[20, 4], [20.5, 0], [25, 0], [25.5, 4]]",
            events: [(50, "do: 'loseFrames', count: 50")]),
    ]

    private static func strap(_ title: String, _ fields: String, events: [(Int, String)] = []) -> String {
        text(title, "Polar H10 52EC0001", "address: 'C0:52:49:52:00:01', kind: 'heartRateStrap', \(fields)", events)
    }

    private static func oximeter(_ title: String, _ fields: String, events: [(Int, String)] = []) -> String {
        text(
            title, "VTM 20F 5202",
            """
            address: 'C0:52:49:52:00:02', kind: 'fingertipOximeter',
            oxygenSaturation: 97, pulseRate: { value: 68, noise: 1 }, \(fields)
            """, events)
    }

    private static func text(
        _ title: String, _ name: String, _ fields: String, _ events: [(seconds: Int, words: String)]
    ) -> String {
        let events = events.map { "{ at: \($0.seconds), sensor: '\(name)', \($0.words) }" }
        return """
            {
              title: '\(title)', seed: 52, repeatAfter: 120,
              sensors: [{ name: '\(name)', \(fields) }],
              events: [\(events.joined(separator: ", "))],
            }
            """
    }
}
