/// The scenarios of nights: a ring of each generation that has stored four, and one of each whose files are damaged.
extension BuiltInScenario {
    /// The texts by name.
    static let nights: [String: String] = [
        "ring-nights": text(
            "The nights of a ring", legacy,
            nights: [
                quiet(daysAgo: 4), some(daysAgo: 3), many(daysAgo: 2), severe(daysAgo: 1),
                // When the next one begins, the oldest goes.
                night("start: 90, length: 300"),
            ]),
        "ring-nights-damaged": damaged("The damaged nights of a ring", legacy),
        "ring-s-nights": text(
            "The nights of a newer ring", newer,
            nights: [
                quiet(daysAgo: 4), some(daysAgo: 3), many(daysAgo: 2), severe(daysAgo: 1),
                // Half an hour of it is there, without its end.
                night("start: -1800, length: 7200, \(falls(depth: 4, count: 20, every: 300))"),
            ]),
        "ring-s-nights-damaged": damaged("The damaged nights of a newer ring", newer),
    ]

    private typealias Ring = (name: String, fields: String)

    private static let legacy: Ring = ("O2Ring 0553", "address: 'C0:52:49:53:00:01', kind: 'oximeterRing'")
    private static let newer: Ring = ("O2Ring S 0554", "address: 'C0:52:49:53:00:02', kind: 'oximeterRingS'")

    /// Seven hours without a fall.
    private static func quiet(daysAgo: Int) -> String {
        night("start: '22:58:12', daysAgo: \(daysAgo), length: 25200")
    }

    /// Seven hours with 42 falls of 4 %: six an hour.
    private static func some(daysAgo: Int) -> String {
        night(
            "start: '23:10:40', daysAgo: \(daysAgo), length: 25200, \(falls(depth: 4, count: 42, every: 590)), "
                + "movements: [{ at: 3000, length: 8, count: 8, every: 2700 }]")
    }

    /// Seven and a half hours with 150 falls of 5 %: twenty an hour; a visit to the bathroom, and a cold hand.
    private static func many(daysAgo: Int) -> String {
        night(
            "start: '22:41:05', daysAgo: \(daysAgo), length: 27000, "
                + "falls: [\(series(at: 600, depth: 5, count: 73, every: 170)), "
                + "\(series(at: 13500, depth: 5, count: 77, every: 170))], "
                + "gaps: [{ at: 13000, length: 420 }], weakPulses: [{ at: 20000, length: 60 }], "
                + "movements: [{ at: 12980, length: 20, strength: 60 }, { at: 13420, length: 40, strength: 40 }]")
    }

    /// Eight hours with 280 falls of 9 %: 35 an hour, of which the ring reminds.
    private static func severe(daysAgo: Int) -> String {
        night(
            "start: '23:02:30', daysAgo: \(daysAgo), length: 28800, reminder: 88, "
                + falls(depth: 9, count: 280, every: 100))
    }

    private static func falls(depth: Int, count: Int, every: Int) -> String {
        "falls: [\(series(at: 600, depth: depth, count: count, every: every))]"
    }

    private static func series(at second: Int, depth: Int, count: Int, every: Int) -> String {
        "{ at: \(second), depth: \(depth), length: 24, recovery: 12, count: \(count), every: \(every) }"
    }

    /// A night at 96 %, whose noise alone never looks like a fall.
    private static func night(_ fields: String) -> String {
        """
        {
          \(fields),
          saturation: { value: 96, noise: 0.4, waves: [{ amplitude: 0.4, period: 5400 }] },
          pulseRate: { value: 58, noise: 2, waves: [{ amplitude: 3, period: 5400 }] },
        }
        """
    }

    /// A link that breaks once, a ring that is busy once and slow, a lead with an error, and of four files one that is sound.
    private static func damaged(_ title: String, _ ring: Ring) -> String {
        text(
            title, ring, fields: "quantities: { breakAfter: 12, busyAnswers: 1, chunkDelay: 0.1 },",
            nights: [
                night("start: '22:58:12', daysAgo: 4, length: 7200, \(falls(depth: 4, count: 10, every: 600))"),
                night("start: '23:10:40', daysAgo: 3, length: 3600, defect: 'wrongSum'"),
                night(
                    "start: '22:41:05', daysAgo: 2, length: 3600, defect: 'wrongSize', name: '../../.night\\u001b[2J'"),
                night("start: '23:02:30', daysAgo: 1, length: 3600, defect: 'unfinished'"),
            ],
            leads: [(60, 3), (90, 1)])
    }

    private static func text(
        _ title: String, _ ring: Ring, fields: String = "", nights: [String],
        leads: [(seconds: Int, value: Int)] = []
    ) -> String {
        let events = leads.map {
            "{ at: \($0.seconds), sensor: '\(ring.name)', do: 'set', quantity: 'lead', value: \($0.value) }"
        }
        return """
            {
              title: '\(title)', seed: 53,
              sensors: [{
                name: '\(ring.name)', \(ring.fields), \(fields)
                oxygenSaturation: { value: 96, noise: 0.6 }, pulseRate: { value: 58, noise: 2 },
                nights: [\(nights.joined(separator: ", "))],
              }],
              events: [\(events.joined(separator: ", "))],
            }
            """
    }
}
