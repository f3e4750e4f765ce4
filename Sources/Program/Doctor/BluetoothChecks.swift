extension BluetoothFacts {
    /// The checks of the path to the sensors.
    var checks: [Check] {
        [
            busCheck, daemonCheck, permissionCheck, objectCheck, adapterCheck, roleCheck, switchCheck, powerCheck,
            waveCheck,
        ]
    }

    /// The finding of a check that depends on a failed one.
    private static let hidden = "Not known as long as the trouble above lasts."

    private var busCheck: Check {
        let place = busAddress.map { " at \($0)" } ?? ""
        switch bus {
        case .yes:
            return Check(
                "bus", .ok,
                isSimulated ? "A simulator's message bus answers\(place)." : "The message bus answers\(place).")
        case .unasked: return Check("bus", .skipped, "The message bus was not asked.")
        case .timedOut(let seconds):
            return Check(
                "bus", .trouble, "The message bus\(place) does not answer within \(seconds) s.",
                remedy: busAddress == nil ? "sudo systemctl restart dbus" : "unset DBUS_SYSTEM_BUS_ADDRESS")
        case .absent(let reason), .denied(let reason), .nonsense(let reason):
            return Check(
                "bus", .trouble, "The message bus\(place) cannot be reached: \(Self.trimmed(reason)).",
                remedy: busAddress == nil ? "sudo systemctl start dbus" : "unset DBUS_SYSTEM_BUS_ADDRESS")
        }
    }

    private var daemonCheck: Check {
        switch daemon {
        case .yes:
            if isSimulated { return Check("daemon", .ok, "A simulated bluetoothd serves; its sensors are SIMULATED.") }
            guard let version else { return Check("daemon", .ok, "bluetoothd is running; its version is unknown.") }
            guard DaemonVersion.isTested(version) else {
                return Check(
                    "daemon", .advice,
                    "bluetoothd \(version) is running; Bedside is tested with \(DaemonVersion.oldestTested) and newer.",
                    remedy: "upgrade the system (Debian 12 has \(DaemonVersion.oldestTested)), or install a newer bluez"
                )
            }
            return Check("daemon", .ok, "bluetoothd \(version) is running.")
        case .unasked: return Check("daemon", .skipped, Self.hidden)
        case .absent:
            return isDaemonInstalled
                ? Check(
                    "daemon", .trouble,
                    "bluetoothd\(version.map { " \($0)" } ?? "") is installed, but not running.",
                    remedy: "sudo systemctl start bluetooth")
                : Check(
                    "daemon", .trouble, "bluetoothd is not installed.",
                    remedy: "sudo apt install bluez && sudo systemctl start bluetooth")
        case .timedOut(let seconds):
            return Check(
                "daemon", .trouble, "The bus does not say within \(seconds) s whether bluetoothd is running.",
                remedy: "sudo systemctl restart dbus")
        case .denied(let reason), .nonsense(let reason):
            return Check(
                "daemon", .trouble, "The bus does not say whether bluetoothd is running: \(Self.trimmed(reason)).",
                remedy: "sudo systemctl restart bluetooth")
        }
    }

    private var permissionCheck: Check {
        switch objects {
        case .yes: return Check("permission", .ok, "bluetoothd answers this user.")
        case .unasked: return Check("permission", .skipped, Self.hidden)
        case .denied:
            return Check(
                "permission", .trouble, "The bus does not let this user talk to bluetoothd.",
                remedy: "sudo usermod --append --groups bluetooth \"$USER\", then log out and in again")
        case .timedOut(let seconds):
            return Check(
                "permission", .trouble, "bluetoothd is running, but does not answer within \(seconds) s.",
                remedy: "sudo systemctl restart bluetooth")
        case .absent(let reason), .nonsense(let reason):
            return Check(
                "permission", .trouble, "bluetoothd sent a malformed answer: \(Self.trimmed(reason)).",
                remedy: "sudo systemctl restart bluetooth")
        }
    }

    private var objectCheck: Check {
        guard objects == .yes else { return Check("objects", .skipped, Self.hidden) }
        guard let first = ignored.first else { return Check("objects", .ok, "The objects of bluetoothd are valid.") }
        let more = ignored.count > 1 ? " There is more of that kind." : ""
        return Check(
            "objects", .advice, first + more,
            remedy: isSimulated ? "correct the program that plays bluetoothd" : "sudo systemctl restart bluetooth")
    }

    private var adapterCheck: Check {
        guard objects == .yes else { return Check("adapter", .skipped, Self.hidden) }
        if adapters.isEmpty { return missingAdapter }
        let list = adapters.map { $0.address.map { [name = $0.name] in "\(name) (\($0))" } ?? $0.name }
        return Check(
            "adapter", .ok,
            adapters.count == 1 ? "The adapter is \(list[0])." : "The adapters are \(Self.joined(list)).")
    }

    private var missingAdapter: Check {
        guard let kernelAdapters else {
            return Check(
                "adapter", .trouble, "There is no adapter, and the kernel (\(kernel)) has no Bluetooth loaded.",
                remedy: "plug in an adapter; if that changes nothing: sudo modprobe bluetooth")
        }
        if kernelAdapters.isEmpty {
            return Check(
                "adapter", .trouble, "There is no Bluetooth adapter, or it is not plugged in.",
                remedy: "plug in an adapter, or switch Bluetooth on in the computer's firmware")
        }
        return Check(
            "adapter", .trouble, "The kernel shows \(Self.joined(kernelAdapters)), but bluetoothd does not.",
            remedy: "sudo systemctl restart bluetooth")
    }

    private var roleCheck: Check {
        guard !adapters.isEmpty else { return Check("roles", .skipped, Self.hidden) }
        let central = adapters.filter { $0.roles?.contains("central") == true }.map(\.name)
        if !central.isEmpty {
            return Check("roles", .ok, "\(Self.joined(central)) can connect to sensors (role central).")
        }
        if adapters.contains(where: { $0.roles == nil }) {
            return Check(
                "roles", .advice, "bluetoothd does not say whether the adapter can connect to Low Energy sensors.",
                remedy: "if no sensor is ever heard, use an adapter with Bluetooth 4.0 or newer")
        }
        return Check(
            "roles", .trouble, "No adapter here can connect to Low Energy sensors (role central).",
            remedy: "use an adapter with Bluetooth 4.0 or newer")
    }

    private var switchCheck: Check {
        if isSimulated, switches.isEmpty {
            return Check("rfkill", .skipped, "A simulated adapter has no radio switch.")
        }
        let blocked = switches.filter { $0.isHardBlocked || $0.isSoftBlocked }
        guard !blocked.isEmpty else {
            return switches.isEmpty
                ? Check("rfkill", .ok, "There is no radio switch that could block Bluetooth.")
                : Check("rfkill", .ok, "No radio switch blocks Bluetooth.")
        }
        // Another, unblocked adapter may be enough.
        let isHarmless = adapters.contains { adapter in
            adapter.isPowered == true && !blocked.contains { $0.name == adapter.name }
        }
        let verdict = isHarmless ? Check.Verdict.advice : .trouble
        let hard = blocked.filter(\.isHardBlocked).map(\.name)
        if !hard.isEmpty {
            return Check(
                "rfkill", verdict, "\(Self.joined(hard)) is blocked by a switch or a key of the computer.",
                remedy: "set that switch, or press the key with the aerial or the aeroplane")
        }
        return Check(
            "rfkill", verdict, "\(Self.joined(blocked.map(\.name))) is blocked by software (airplane mode).",
            remedy: "rfkill unblock bluetooth")
    }

    private var powerCheck: Check {
        guard !adapters.isEmpty else { return Check("power", .skipped, Self.hidden) }
        let on = adapters.filter { $0.isPowered == true }.map(\.name)
        if !on.isEmpty { return Check("power", .ok, "\(Self.joined(on)) \(on.count == 1 ? "is" : "are") switched on.") }
        if adapters.contains(where: { $0.isPowered == nil }) {
            return Check(
                "power", .trouble, "bluetoothd does not say whether the adapter is switched on.",
                remedy: "sudo systemctl restart bluetooth")
        }
        let names = Self.joined(adapters.map(\.name))
        if switches.contains(where: { $0.isHardBlocked || $0.isSoftBlocked }) {
            return Check("power", .trouble, "\(names) is off, because it is blocked.", remedy: "see rfkill above")
        }
        return Check(
            "power", .trouble, "\(names) \(adapters.count == 1 ? "is" : "are") switched off.",
            remedy: "bluetoothctl power on")
    }

    /// The smallest ATT MTU, in octets, with which a strap sends its ECG.
    ///
    /// Quirk polar-least-mtu: a Polar H10 sends no frame of an ECG over a link with less.
    private static let leastWaveTransferUnit = 70

    private var waveCheck: Check {
        let name = "waves"
        guard let narrow = waveLinks.first(where: { $0.transferUnit < Self.leastWaveTransferUnit }) else {
            return waveLinks.isEmpty
                ? Check(name, .skipped, "No Polar strap, whose ECG needs room, is connected.")
                : Check(name, .ok, "The link to \(Self.joined(waveLinks.map(\.name))) has room for an ECG.")
        }
        return Check(
            name, .advice,
            "The link to \(narrow.name) carries too little at a time for an ECG (MTU \(narrow.transferUnit), at least "
                + "\(Self.leastWaveTransferUnit)).",
            remedy: "disconnect the sensor and connect it again; if that changes nothing, use another adapter")
    }

    private static func joined(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// A reason without final punctuation.
    private static func trimmed(_ reason: String) -> String {
        reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }
}

/// Finds the version of bluetoothd.
public enum DaemonVersion {
    /// The oldest version that Bedside is tested with: Debian 12's.
    static let oldestTested = "5.66"

    /// Whether a version is not older than the oldest tested one; `true` for one that is no version.
    static func isTested(_ version: String) -> Bool {
        guard let found = numbers(version), let oldest = numbers(oldestTested) else { return true }
        return found >= oldest
    }

    /// The two numbers of a version.
    private static func numbers(_ version: String) -> (Int, Int)? {
        let parts = version.split(separator: ".").compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// The version in an adapter's `Modalias`.
    ///
    /// Quirk no-version: BlueZ 5.66 has no property for its version, but gives its adapters the identity of the Linux
    /// Foundation (1D6B) and of BlueZ (0246) with the version as two bytes, unless `main.conf` says otherwise:
    /// `usb:v1D6Bp0246d0542` is 5.66.
    public static func version(modalias: String) -> String? {
        let prefix = "usb:v1D6Bp0246d"
        let digits = modalias.dropFirst(prefix.count)
        guard modalias.hasPrefix(prefix), digits.utf8.count == 4,
            digits.allSatisfy(\.isHexDigit), let number = UInt16(digits, radix: 16)
        else {
            return nil
        }
        return "\(number >> 8).\(number & 0xFF)"
    }

    /// The version in the output of `bluetoothd --version`: two numbers with a full stop between them.
    public static func version(printed: String) -> String? {
        let word = printed.prefix { $0 != "\n" }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } })
        else {
            return nil
        }
        return String(word)
    }
}
