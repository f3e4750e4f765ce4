import Base
import SensorDrivers
import VitalDecoders
import Vitals
import Waves

/// The supported sensors, each declared once.
public enum SupportedSensors {
    /// All declarations; the first one that matches a peripheral determines its kind.
    ///
    /// Device Information (180A) is never a sign, because nearly every peripheral has it.
    public static let all: [SensorDeclaration] = [
        SensorDeclaration(
            kind: .core, word: "CORE",
            signs: [
                // The maker's own instruction. Quirk core-scan-response: only the scan response has the 128-bit UUIDs.
                .service(CoreBodyTemperatureService.uuid),
                .service(CoreBodyTemperatureService.legacyUUID),
                // A passive scan hears this; newer firmware adds a part of the address or a state letter to the name.
                .serviceAndName(HealthThermometerService.uuid, prefix: "CORE"),
            ],
            // Quirk core-twice: both carry the core temperature; `ReadingDecoder` uses only one of them.
            subscribed: [.coreBodyTemperature, .temperatureMeasurement],
            readOnce: [.temperatureType, .measurementInterval]),
        SensorDeclaration(
            kind: .oximeter, word: "Oximeter",
            signs: [
                .service(PulseOximeterService.uuid),
                // Quirk pm100-by-name: Medisana PM 100 Connect. Its service FEE8 is for firmware updates and is never
                // used.
                .name("e-Oximeter"),
            ],
            subscribed: [.pulseOximeterContinuous, .pulseOximeterSpotCheck],
            readOnce: [.pulseOximeterFeatures],
            beside: [
                BesideDeclaration(
                    work: .records, service: PulseOximeterService.uuid, control: RecordTransfer.control,
                    driver: SpotCheckDriver.self)
            ]),
        SensorDeclaration(
            kind: .heartRateStrap, word: "Heart rate strap",
            signs: [.service(HeartRateService.uuid)],
            subscribed: [.heartRateMeasurement],
            readOnce: [.bodySensorLocation],
            beside: [
                BesideDeclaration(
                    work: .waves, service: PolarMeasurementDataService.uuid, control: PolarWaveDriver.control,
                    driver: PolarWaveDriver.self, waves: [.electrocardiogram, .acceleration])
            ]),
        SensorDeclaration(
            kind: .thermometer, word: "Thermometer",
            signs: [.service(HealthThermometerService.uuid)],
            subscribed: [.temperatureMeasurement, .intermediateTemperature],
            readOnce: [.temperatureType, .measurementInterval]),
        SensorDeclaration(
            kind: .heartRateStrap, word: "ECG recorder",
            signs: ViatomECGDriver.names.map { .serviceAndName(OximeterRingDriver.service, prefix: $0) },
            driver: ViatomECGDriver.self, waves: [.electrocardiogram]),
        // Quirk new-rings-two-services: before the older rings, whose service it has without answering there.
        // Quirk new-rings-without-uuid: they advertise no service, only a name and their maker's number.
        SensorDeclaration(
            kind: .oximeter, word: "Oximeter ring",
            signs: [.service(OxyIIDriver.service), .company(OxyIIDriver.company)]
                + OxyIIDriver.names.map { .namePrefix($0) },
            driver: OxyIIDriver.self, waves: [.plethysmogram]),
        SensorDeclaration(
            kind: .oximeter, word: "Oximeter ring", signs: [.service(OximeterRingDriver.service)],
            driver: OximeterRingDriver.self, waves: [.plethysmogram], mayLoseLinkByWave: true),
        SensorDeclaration(
            kind: .oximeter, word: "Oximeter", signs: [.namePrefix("VTM 20F")], driver: FingertipOximeterDriver.self,
            waves: [.plethysmogram]),
        SensorDeclaration(
            kind: .oximeter, word: "Oximeter",
            signs: [.service(JumperOximeterDriver.service), .namePrefix("My Oximeter")],
            driver: JumperOximeterDriver.self),
        SensorDeclaration(
            kind: .oximeter, word: "Oximeter", signs: [.service(BCIOximeterDriver.service)],
            driver: BCIOximeterDriver.self, waves: [.plethysmogram]),
        SensorDeclaration(
            kind: .oximeter, word: "Oximeter", signs: [.service(NoninOximeterDriver.service)],
            driver: NoninOximeterDriver.self, waves: [.plethysmogram], waveOnly: [NoninOximeterDriver.plethysmogram]),
        SensorDeclaration(
            kind: .bloodPressure, word: "Blood pressure monitor", signs: [.service(BloodPressureService.uuid)],
            driver: BloodPressureDriver.self),
        SensorDeclaration(
            kind: .glucose, word: "Glucose meter", signs: [.service(GlucoseService.uuid)],
            driver: GlucoseMeterDriver.self),
        SensorDeclaration(
            kind: .continuousGlucose, word: "MiaoMiao", signs: [.namePrefix("miaomiao")], driver: MiaoMiaoDriver.self),
        SensorDeclaration(
            kind: .continuousGlucose, word: "Dexcom transmitter",
            signs: [.serviceAndName(DexcomDriver.service, prefix: "Dexcom")],
            driver: DexcomDriver.self, isConnectedUnasked: false),
        SensorDeclaration(
            kind: .continuousGlucose, word: "xDrip bridge",
            signs: [.serviceAndName(XDripBridgeDriver.service, prefix: "xBridge"), .namePrefix("xDrip")],
            driver: XDripBridgeDriver.self),
        SensorDeclaration(
            kind: .weightScale, word: "Weight scale", signs: [.service(WeightScaleService.uuid)],
            driver: WeightScaleDriver.self),
        SensorDeclaration(
            kind: .continuousGlucose, word: "Glucose sensor",
            signs: [.service(ContinuousGlucoseMonitoringService.uuid)], driver: ContinuousGlucoseDriver.self),
    ]

    /// Optional for every sensor: its battery level and the maker's details.
    public static let common = SensorDeclaration(
        kind: .other, word: "Sensor", signs: [], subscribed: [],
        readOnce: [
            .batteryLevel, .manufacturerName, .modelNumber, .serialNumber, .firmwareRevision, .hardwareRevision,
            .softwareRevision,
        ])

    /// Every characteristic that some sensor is subscribed to, notified or indicated.
    ///
    /// A sensor with the services of several kinds gets the subscriptions of all of them.
    public static let subscribed = Set(all.flatMap(\.subscribed))

    /// Every characteristic that is read once, in the order of reading: those that readings need come first.
    public static let readOnce: [ReadCharacteristic] = {
        var seen = Set<ReadCharacteristic>()
        return (all + [common]).flatMap(\.readOnce).filter { seen.insert($0).inserted }
    }()

    /// The kind of a peripheral, by the services that it advertises or has, and by its name.
    public static func kind(services: [BluetoothUUID], name: String?, companies: Set<UInt16> = []) -> SensorKind {
        declaration(services: services, name: name, companies: companies)?.kind ?? .other
    }

    /// The declaration of a peripheral, by the services that it advertises or has, by its name, and by the companies
    /// whose data it advertises.
    public static func declaration(
        services: [BluetoothUUID], name: String?, companies: Set<UInt16> = []
    ) -> SensorDeclaration? {
        all.first { $0.signs.contains { $0.isShown(services: services, name: name, companies: companies) } }
    }

    /// The companies by whose data some sensor is recognised.
    public static let companies = Set(
        all.flatMap(\.signs).compactMap { if case .company(let company) = $0 { company } else { nil } })

    /// Whether Bedside makes readings of this kind's data.
    public static func isRead(_ kind: SensorKind) -> Bool {
        all.contains { $0.kind == kind && $0.isRead }
    }

    /// The name of an unnamed peripheral: its kind and the last two octets of its address.
    public static func substituteName(for kind: SensorKind, address: String) -> String {
        let word = all.first { $0.kind == kind }?.word ?? common.word
        let tail = address.split(separator: ":").suffix(2).joined()
        return tail.isEmpty ? word : "\(word) \(tail)"
    }
}

/// The declaration of a supported sensor: how it is recognised and named, and what is read from it.
public struct SensorDeclaration: Sendable {
    /// The kind, as other modules see it.
    public var kind: SensorKind
    /// The name of a sensor that sends none.
    public var word: String
    /// The signs by which a peripheral is recognised; one of them is enough.
    public var signs: [Sign]
    /// The subscribed characteristics, notified or indicated.
    public var subscribed: [ReadCharacteristic] = []
    /// The characteristics that are read once, after subscribing.
    public var readOnce: [ReadCharacteristic] = []
    /// What a sensor that is subscribed to can have beside its present values; the first that it has is used.
    public var beside: [BesideDeclaration] = []
    /// The driver of its conversation; `nil` for a sensor that is only subscribed to.
    public var driver: (any SensorDriver.Type)?

    /// The waves that its driver reports, if they are wanted.
    public var waves: Set<WaveKind> = []

    /// Whether a sensor that does not know the command for its wave may fall silent or end the link by it.
    public var mayLoseLinkByWave = false

    /// The characteristics with nothing but a wave, which do not make a sensor look alive whose values are missing.
    public var waveOnly: Set<BluetoothUUID> = []

    /// Whether a policy for all sensors may connect it; otherwise the user must choose it.
    public var isConnectedUnasked = true

    /// The waves that it may give.
    public var allWaves: Set<WaveKind> { beside.reduce(waves) { $0.union($1.waves) } }

    /// Whether Bedside makes readings of its data.
    public var isRead: Bool { driver != nil || !subscribed.isEmpty }

    /// A sign by which a peripheral is recognised.
    public enum Sign: Hashable, Sendable {
        /// It offers a service.
        case service(BluetoothUUID)
        /// It has exactly this name.
        case name(String)
        /// It offers a service, and its name begins with this.
        case serviceAndName(BluetoothUUID, prefix: String)
        /// Its name begins with this text; case is ignored.
        case namePrefix(String)
        /// It advertises data of a company (Assigned Numbers, "Company Identifiers"), which is its own for these sensors.
        case company(UInt16)

        public func isShown(services: [BluetoothUUID], name: String?, companies: Set<UInt16> = []) -> Bool {
            switch self {
            case .company(let company): companies.contains(company)
            case .service(let service): services.contains(service)
            case .name(let exact): name == exact
            case .namePrefix(let prefix): name?.lowercased().hasPrefix(prefix.lowercased()) == true
            case .serviceAndName(let service, let prefix):
                services.contains(service) && name?.hasPrefix(prefix) == true
            }
        }
    }
}

/// A conversation beside the present values of a sensor, which come without one.
public struct BesideDeclaration: Sendable {
    /// What it is for.
    public var work: Work
    /// The service that it is about.
    public var service: BluetoothUUID
    /// The control point of that service, without which there is no conversation.
    public var control: BluetoothUUID
    /// The driver.
    public var driver: any SensorDriver.Type
    /// The waves that the driver reports, if they are wanted.
    public var waves: Set<WaveKind> = []

    /// What a conversation beside the present values is for.
    public enum Work: Hashable, Sendable {
        /// It fetches stored records.
        case records
        /// It starts waves and stops them.
        case waves
    }
}

extension SensorIdentity {
    /// Recognises a peripheral.
    ///
    /// - Parameters:
    ///   - address: The Bluetooth address.
    ///   - name: The name as sent, `nil` or empty when there is none; it is sanitized here.
    ///   - alias: The user's name for it, which is shown instead.
    ///   - services: The services that it advertises or, once connected, has.
    ///   - companies: The companies whose data it advertises.
    public init(
        recognising address: String, name: String?, alias: String? = nil, services: [BluetoothUUID],
        companies: Set<UInt16> = []
    ) {
        let kind = SupportedSensors.kind(services: services, name: name, companies: companies)
        let shown = [alias, name].compactMap { $0 }.first { !Self.isBlank($0) }
        self.init(
            address: address, name: shown ?? SupportedSensors.substituteName(for: kind, address: address), kind: kind)
    }

    /// Whether a name would be an empty row on the screen: only blanks and invisible characters.
    private static func isBlank(_ name: String) -> Bool {
        sanitized(name).allSatisfy { $0.isWhitespace || $0 == "\u{FFFD}" }
    }
}
