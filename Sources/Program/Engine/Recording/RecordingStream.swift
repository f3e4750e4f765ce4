import BlueZ
import Configuration
import EventLoops
import Monitoring
import Recording
import Sensors
import Synchronization
import Vitals

/// The recorder's reader of the one event stream, beside those of the screen and of `watch`.
///
/// Events enter the inbox on the thread that sends them, so a slow terminal does not delay the recording, and a slow
/// disk delays nothing else.
package struct RecordingStream {
    private let deliveries: [BroadcastDelivery]

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - settings: Whether to record the bytes of every notification, too.
    ///   - inbox: Receives all records.
    package init(
        _ settings: Settings.Recording, _ supervisor: SensorSupervisor, _ bluez: BluetoothCentral,
        to inbox: RecorderInbox
    ) async {
        guard settings.isEnabled else {
            deliveries = []
            return
        }
        guard settings.keepsNotifications else {
            deliveries = [await supervisor.events().deliver { inbox.append($0) }]
            return
        }
        // BlueZ reports notifications with the address only; the sensor's name is known from earlier events.
        let sensors = ConnectedSensors()
        var deliveries = [
            await supervisor.events().deliver { event in
                sensors.update(event)
                inbox.append(event)
            }
        ]
        let delivery = await bluez.events().deliver { event in
            guard case .notification(let characteristic, let octets) = event.kind else { return }
            inbox.append(
                RawNotification(
                    source: sensors.source(characteristic.peripheral.description),
                    characteristic: characteristic.uuid.description, octets: octets, moment: Moment(event.timestamp)))
        }
        deliveries.append(delivery)
        self.deliveries = deliveries
    }
}

/// The sensors that are, or were, connected, by address.
private final class ConnectedSensors: Sendable {
    /// Random addresses, which change hourly, must not fill the memory.
    private static let limit = 1024

    private let sensors = Mutex<[String: SensorIdentity]>([:])

    /// Records the sensor of a connection.
    func update(_ event: MonitorEvent) {
        guard case .connection(let sensor, _) = event.kind else { return }
        sensors.withLock { sensors in
            if sensors.count >= Self.limit, sensors[sensor.address] == nil { sensors.removeAll() }
            sensors[sensor.address] = sensor
        }
    }

    /// The sensor with an address.
    func source(_ address: String) -> RawNotification.Source {
        sensors.withLock { $0[address] }.map { .sensor($0) } ?? .address(address)
    }
}

/// The stored data from before the program began.
struct RecordedBeginning: Sendable {
    /// The restored trends.
    var trends: RestoredTrends
    /// The time from which data of this patient exist, in milliseconds since 1970 (UTC); `nil` for none.
    var since: Int64?

    /// Reads the store on another thread.
    ///
    /// - Throws: `StoreError` when the store cannot be read.
    static func read(from path: String, at now: Moment) async throws(StoreError) -> RecordedBeginning {
        let loop = EventLoop()
        loop.startThread(named: "history")
        defer { loop.stop() }
        let reader = PastReader(path: path, loop: loop)
        let past = try await reader.beginning(at: now)
        let trends = await reader.make { RestoredTrends(past.series.map { RecordedTrend($0) }, now: now) }
        return RecordedBeginning(trends: trends, since: past.since)
    }
}

extension RecordedTrend {
    /// The stored trend of a vital.
    package init(_ series: RecordedSeries) {
        self.init(
            series.vital, from: TrendSource(sensor: series.sensor),
            series.stretches.map { stretch in
                Point(
                    wallMilliseconds: stretch.from, duration: .milliseconds(stretch.length),
                    values: stretch.values.map {
                        TrendColumn(minimum: $0.minimum, maximum: $0.maximum, last: $0.last)
                    }, endsAbsent: stretch.endsAbsent)
            })
    }
}

extension Retention {
    /// The retention by the settings.
    init(_ settings: Settings.Recording) {
        self.init(
            age: settings.keptDays.map { .seconds($0 * 86_400) },
            waveAge: settings.keptWaveDays.map { .seconds($0 * 86_400) },
            entryAge: settings.keptEntryDays.map { .seconds($0 * 86_400) },
            size: settings.sizeLimit.map { Int64($0) * 1_000_000 }
        )
    }
}
