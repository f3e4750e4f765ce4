import DBus

/// Interfaces that clients expect but that have no function here.
enum ManagerInterfaces {
    /// The interfaces of `/org/bluez`.
    static func daemon(_ methods: MethodTable) -> [ExportedInterface] {
        [
            ExportedInterface(
                "org.bluez.AgentManager1",
                methods: [
                    methods.method("RegisterAgent", "os") { $0.bluetoothd?.registerAgent($1, $2) },
                    methods.method("UnregisterAgent", "o") { $0.bluetoothd?.unregisterAgent($1, $2) },
                    methods.method("RequestDefaultAgent", "o") { $0.bluetoothd?.requestDefaultAgent($1, $2) },
                ]),
            ExportedInterface(
                "org.bluez.ProfileManager1",
                methods: [
                    methods.failing("RegisterProfile", "osa{sv}", "", .notSupported),
                    methods.failing("UnregisterProfile", "o", "", .doesNotExist),
                ]),
            ExportedInterface(
                "org.bluez.HealthManager1",
                methods: [
                    methods.failing("CreateApplication", "a{sv}", "o", .notSupported),
                    methods.failing("DestroyApplication", "o", "", .doesNotExist),
                ]),
        ]
    }

    /// The interfaces of the adapter, besides `org.bluez.Adapter1`.
    static func adapter(_ methods: MethodTable) -> [ExportedInterface] {
        [
            ExportedInterface(
                "org.bluez.GattManager1",
                methods: [
                    methods.failing("RegisterApplication", "oa{sv}", "", .notSupported),
                    methods.failing("UnregisterApplication", "o", "", .doesNotExist),
                ]),
            ExportedInterface(
                "org.bluez.Media1",
                properties: [("SupportedUUIDs", .strings(["110a", "110b"].map(longUUID)))],
                methods: [
                    methods.failing("RegisterEndpoint", "oa{sv}", "", .notSupported),
                    methods.failing("UnregisterEndpoint", "o", "", .doesNotExist),
                    methods.failing("RegisterPlayer", "oa{sv}", "", .notSupported),
                    methods.failing("UnregisterPlayer", "o", "", .doesNotExist),
                ]),
            ExportedInterface(
                "org.bluez.NetworkServer1",
                methods: [
                    methods.failing("Register", "ss", "", .notSupported),
                    methods.failing("Unregister", "s", "", .doesNotExist),
                ]),
            ExportedInterface(
                "org.bluez.LEAdvertisingManager1",
                properties: [
                    ("ActiveInstances", .byte(0)), ("SupportedInstances", .byte(5)),
                    ("SupportedIncludes", .strings(["tx-power", "appearance", "local-name"])),
                ],
                methods: [
                    methods.failing("RegisterAdvertisement", "oa{sv}", "", .notSupported),
                    methods.failing("UnregisterAdvertisement", "o", "", .doesNotExist),
                ]),
        ]
    }

    /// The long form of a 16-bit UUID.
    static func longUUID(_ short: String) -> String { "0000\(short)-0000-1000-8000-00805f9b34fb" }
}
