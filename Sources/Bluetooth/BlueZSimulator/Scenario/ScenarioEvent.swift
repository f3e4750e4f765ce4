import VitalDecoders

/// An event at a time of a scenario.
struct ScenarioEvent: Hashable, Sendable {
    /// Seconds since the scenario, or its newest repetition, began.
    var seconds: Double
    var action: SimulatedAction
}

/// An action on the simulated world, from a scenario's event or a command.
enum SimulatedAction: Hashable, Sendable {
    /// An action on the sensors at these indices of the scenario's list.
    case sensors([Int], SensorAction)
    case daemon(DaemonAction)
    case adapter(AdapterAction)
    case bus(BusAction)
    /// The new duration of a packet, in seconds.
    case latency(Double)
}

/// An action on bluetoothd; the raw value is the word in a scenario.
enum DaemonAction: String, CaseIterable, Hashable, Sendable {
    case stop, kill, start, restart
}

/// An action on the message bus.
enum BusAction: Hashable, Sendable {
    case stop, start
    /// Whether clients may call bluetoothd.
    case permit(Bool)
}

enum AdapterAction: Hashable, Sendable {
    case powerOn, powerOff, plug, unplug
    /// rfkill blocks the adapter, as a key for airplane mode does, or unblocks it.
    case block, unblock
    /// Whether the controller reports a device only once in a scan.
    case filterDuplicates(Bool)
}

enum SensorAction: Hashable, Sendable {
    /// The sensor is taken off the body, or put back.
    case offBody, onBody
    /// The link is lost; the sensor is still there.
    case linkLoss
    /// The sensor ends the connection.
    case hangUp
    case outOfRange, inRange
    /// Its services move to other handles.
    case servicesChange
    /// The connected sensor stops measuring, or continues.
    case silence, speak
    case battery(Int)
    /// Any octets as a measurement.
    case octets([UInt8])
    case rename(String)
    /// A new address, a random one if none is given.
    case rotate(String?)
    case signalStrength(Int, noise: Int)
    case advertise(Bool)
    /// The number of connections that will fail.
    case refuse(Int)
    /// The interval in seconds.
    case interval(Double)
    /// Numbered values, with seconds between them.
    case burst(Int, seconds: Double)
    /// A user measures: the sensor wakes up, and has one more record.
    case measure
    /// A quantity is set to a value.
    case quantity(String, Double)
    /// An indication of a spot-check measurement (2A5E).
    case spotCheck
    /// The sensor loses the key of its bond, as after a change of its battery.
    case forgetBond
    /// The sensor's behaviour during pairing.
    case pairing(PairingBehaviour.Conduct)
    case vitals(VitalChange)
}

/// A change of what a sensor measures or how it sends it.
enum VitalChange: Hashable, Sendable {
    /// Degrees Celsius; `nil` for "not a number".
    case temperature(Double?)
    case unit(TemperatureUnit)
    case timestamp(Bool)
    case temperatureType(UInt8?)
    case heartRate(Int)
    case contact(Bool?)
    case intervals(SimulatedVitals.HeartRate.Intervals)
    case energy(UInt16?)
    case wide(Bool)
    /// Percent; `nil` for "not a number".
    case saturation(Double?)
    /// Beats a minute; `nil` for "not a number".
    case pulseRate(Double?)
}
