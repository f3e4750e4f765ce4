/// Polar Measurement Data, which a Polar sensor has beside its heart rate: an ECG, acceleration and other streams.
///
/// A stream is started and stopped by ``control`` (`start(_:choosing:)`, `stop(_:)`), and comes in frames of ``data``. A
/// strap whose stream was not stopped stays awake until its battery is empty, also when its link has ended.
public struct PolarMeasurementData: ServiceDeclaration {
    /// The UUID of the service.
    public static let uuid = PolarMeasurementDataService.uuid
    /// What can be measured; commands and their answers.
    public let control = Declared<PolarMeasurementControl>(.polarMeasurementControl, .notifies, .isOptional)
    /// The samples, with the time of the last one by the sensor's clock.
    public let data = Declared<PolarMeasurementFrame>(.polarMeasurementData, .notifies, .isOptional)

    public init() {}
}

/// A Polar sensor that measures the heart rate, such as an H10; others lack the stream service or an ECG.
public struct PolarHeartRateSensor: DeviceDeclaration {
    /// It advertises the Heart Rate Service, and its maker's name.
    public static let discovery = DiscoveryCriteria(services: [StandardService.HeartRate.uuid], name: "Polar")
    /// The heart rate.
    public let heartRate = StandardService.HeartRate()
    /// The streams, if it has the service.
    public let measurementData = PolarMeasurementData()
    /// Its battery, if it has the service.
    public let battery = StandardService.Battery()
    /// The device information, if it has the service.
    public let information = StandardService.DeviceInformation()

    public init() {}
}

extension DeviceCharacteristic where Value == PolarMeasurementControl {
    /// Asks which settings a stream can have.
    ///
    /// - Parameter type: What the stream measures.
    /// - Throws: ``PolarMeasurementError``.
    public func settings(
        of type: PolarMeasurementType
    ) async throws(PolarMeasurementError) -> PolarMeasurementSettings {
        PolarMeasurementSettings(octets: try await answer(to: .settings(of: type)))
    }

    /// Starts a stream; one that runs already is as good as started.
    ///
    /// - Parameters:
    ///   - type: What it measures.
    ///   - wanted: The wanted settings; of the others, and where one is not offered, the first that is.
    /// - Throws: ``PolarMeasurementError``.
    public func start(
        _ type: PolarMeasurementType, choosing wanted: [PolarMeasurementSettings.Kind: UInt32] = [:]
    ) async throws(PolarMeasurementError) {
        let settings = try await settings(of: type).choosing(wanted)
        _ = try await answer(to: .start(type, settings))
    }

    /// Stops a stream; one that does not run is as good as stopped.
    ///
    /// - Parameter type: What it measures.
    /// - Throws: ``PolarMeasurementError``.
    public func stop(_ type: PolarMeasurementType) async throws(PolarMeasurementError) {
        _ = try await answer(to: .stop(type))
    }

    /// Sends a command, and returns the parameters of its answer.
    private func answer(to command: PolarMeasurementControl) async throws(PolarMeasurementError) -> [UInt8] {
        guard case .command(let code, let sent) = command else { return [] }
        let answer: PolarMeasurementControl
        do throws(DeviceError) {
            answer = try await request(command, answeredBy: PolarMeasurementControl.self) { answer in
                guard case .answer(code, let type, _, _, _) = answer else { return false }
                return sent.first.map { $0 == type } ?? true
            }
        } catch {
            throw .device(error)
        }
        guard case .answer(_, _, let status, _, let parameters) = answer else { return [] }
        guard status.isAsAsked else { throw .refused(status) }
        return parameters
    }
}

/// Why a stream could not be started or stopped.
public enum PolarMeasurementError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The device could not be used, or did not answer.
    case device(DeviceError)
    /// The sensor refused the command.
    case refused(PolarMeasurementStatus)

    public var description: String {
        switch self {
        case .device(let error): error.description
        case .refused(let status):
            "The sensor refused the command: \(status.name.split(separator: "_").joined(separator: " "))."
        }
    }
}
