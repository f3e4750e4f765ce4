import BlueZ
import Configuration
import Recording
import Sensors
import Vitals

/// The recorder's own reader of the one event stream, beside those of the screen and of `watch`.
///
/// Events go into the inbox on the thread that sends them, so a slow terminal holds up no recording, and a slow disk
/// nothing else.
struct RecordingStream {
    private let deliveries: [BroadcastDelivery]

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - settings: Whether the octets of every notification are wanted, too.
    ///   - inbox: Where everything goes.
    init(_ settings: Settings.Recording, _ supervisor: SensorSupervisor, _ bluez: BlueZ, to inbox: RecorderInbox) async
    {
        guard settings.isEnabled else {
            deliveries = []
            return
        }
        var deliveries = [await supervisor.events().deliver { inbox.give($0) }]
        if settings.keepsNotifications {
            let delivery = await bluez.events().deliver { event in
                guard case .notification(let characteristic, let octets) = event.kind else { return }
                inbox.give(
                    RawNotification(
                        source: .address(characteristic.peripheral.description),
                        characteristic: characteristic.uuid.description, octets: octets,
                        moment: Moment(event.timestamp)))
            }
            deliveries.append(delivery)
        }
        self.deliveries = deliveries
    }
}
