import Vitals

/// The readings that waited during a stall of the loop, of the bus or of the daemon.
///
/// They are held until the last of them has arrived, because only then their times can be interpolated.
struct Backlog {
    /// When something was received last before the stall.
    let from: Moment
    /// When what waited was read.
    var to: Moment
    /// The readings in the order of their arrival.
    var readings: [Reading] = []

    /// The readings, each with the interval in which it was measured.
    ///
    /// Those of one sensor and vital are spread over the interval in their order, unless the sensor sends their times.
    func lateReadings() -> [Reading] {
        struct Source: Hashable {
            var address: String
            var vital: Vital
        }
        func source(_ reading: Reading) -> Source { Source(address: reading.sensor.address, vital: reading.vital) }
        let counts = readings.reduce(into: [Source: Int]()) { $0[source($1), default: 0] += 1 }
        var places: [Source: Int] = [:]
        return readings.map { reading in
            let place = places[source(reading), default: 0]
            places[source(reading)] = place + 1
            var interval = LateInterval(
                waitedFrom: from, to: to, place: place, of: counts[source(reading)] ?? 1)
            if let own = reading.late {
                guard own.estimate >= from, own.estimate <= to else { return reading }
                interval.estimate = own.estimate
            }
            var reading = reading
            reading.late = interval
            return reading
        }
    }
}

/// Collects the readings after a stall, until the last of them has arrived.
struct BacklogKeeper {
    /// `nil` while all readings are present ones.
    private var backlog: Backlog?
    /// Counts the stalls, so that the end of a former one is recognised.
    private var number = 0

    /// Whether incoming readings may have waited.
    var isOpen: Bool { backlog != nil }

    /// Opens the backlog, or extends the one that is open; returns the number that closes it.
    mutating func open(from: Moment, to: Moment) -> Int {
        if backlog == nil { backlog = Backlog(from: from, to: to) }
        backlog?.to = to
        number += 1
        return number
    }

    /// Holds a reading; returns whether a backlog is open.
    mutating func keep(_ reading: Reading) -> Bool {
        backlog?.readings.append(reading)
        return isOpen
    }

    /// Closes the backlog, unless another stall followed the one with this number; returns the held readings.
    ///
    /// - Parameter end: Until when they can have been measured, where that is later than was known.
    mutating func close(number: Int? = nil, end: Moment? = nil) -> [Reading] {
        guard number == nil || number == self.number, var ended = backlog else { return [] }
        backlog = nil
        if let end { ended.to = max(ended.to, end) }
        return ended.lateReadings()
    }
}
