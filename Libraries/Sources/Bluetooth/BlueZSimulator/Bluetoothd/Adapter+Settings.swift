import DBus
import EventLoops

// What clients set at the adapter.
extension Adapter {
    func set(_ name: String, _ value: DBusValue, _ answer: Answer) {
        switch (name, value) {
        case ("Powered", .boolean(let isOn)):
            return setPowered(isOn, answer)
        case ("Alias", .string(let alias)):
            let text = alias.isEmpty ? world.air.adapter.name : alias
            world.tree.change(path, Self.interface, [(name, .string(text))])
        case ("Discoverable", .boolean(let isOn)):
            // As `property_set_discoverable` of bluetoothd does.
            if !isPowered, discoverable.limit > 0 { return answer.fail(.failed("Not Powered")) }
            change(\.discoverable, to: isOn)
        case ("Pairable", .boolean(let isOn)): change(\.pairable, to: isOn)
        case ("DiscoverableTimeout", .uint32(let seconds)): limit(\.discoverable, to: seconds)
        case ("PairableTimeout", .uint32(let seconds)): limit(\.pairable, to: seconds)
        default:
            return answer.fail(.invalidArguments)
        }
        answer.succeed()
    }

    func setPairable(_ isPairable: Bool) { change(\.pairable, to: isPairable) }

    private func limit(_ setting: ReferenceWritableKeyPath<Adapter, LimitedSetting>, to seconds: UInt32) {
        self[keyPath: setting].limit = seconds
        let name = "\(self[keyPath: setting].name)Timeout"
        world.tree.change(path, Self.interface, [(name, .uint32(seconds))])
        if self[keyPath: setting].isOn { startTimer(setting) }
    }

    private func change(_ setting: ReferenceWritableKeyPath<Adapter, LimitedSetting>, to isOn: Bool) {
        self[keyPath: setting].isOn = isOn
        world.tree.change(path, Self.interface, [(self[keyPath: setting].name, .boolean(isOn))])
        startTimer(setting)
    }

    private func startTimer(_ setting: ReferenceWritableKeyPath<Adapter, LimitedSetting>) {
        world.clock.cancel(self[keyPath: setting].timer)
        self[keyPath: setting].timer = nil
        guard self[keyPath: setting].isOn, self[keyPath: setting].limit > 0 else { return }
        self[keyPath: setting].timer = world.clock.after(Double(self[keyPath: setting].limit)) { [weak self] in
            self?.change(setting, to: false)
        }
    }
}

/// A setting of the adapter that ends by itself.
struct LimitedSetting {
    /// The name of its property.
    let name: String
    var isOn = false
    /// Seconds after which it ends; 0 for never.
    var limit: UInt32
    var timer: LoopTimer?

    init(name: String, limit: UInt32) {
        (self.name, self.limit) = (name, limit)
    }

    /// The properties of the setting and of its limit.
    var properties: [(name: String, value: DBusValue)] {
        [(name, .boolean(isOn)), ("\(name)Timeout", .uint32(limit))]
    }
}
