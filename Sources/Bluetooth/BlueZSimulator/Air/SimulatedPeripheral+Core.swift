import VitalDecoders

extension SimulatedPeripheral {
    /// The manufacturer data of its advertisements; a CORE's contain its temperature, unless a scenario gives others.
    func manufacturerData(at seconds: Double) -> [SensorDescription.CompanyData] {
        guard description.kind == .core, description.manufacturerData.isEmpty else {
            return description.manufacturerData
        }
        return [
            SensorDescription.CompanyData(
                company: CompanyIdentifier.greenTEG, octets: encoder(at: seconds).coreAdvertisement())
        ]
    }

    /// Handles a command on a CORE's control point; returns the octets of its answer, `nil` for no valid command.
    ///
    /// Only the external heart rate (13) is supported. Source: CORE Body Temperature Service Specification 2.2.
    func answerOfCore(to octets: [UInt8]) -> [UInt8]? {
        guard let request = octets.first else { return nil }
        let (success, notSupported, invalidParameter): (UInt8, UInt8, UInt8) = (1, 2, 3)
        guard request == CoreControlOpcode.externalHeartRate.rawValue else { return [0x80, request, notSupported] }
        guard octets.count <= 2 else { return [0x80, request, invalidParameter] }
        toldHeartRate = octets.dropFirst().first
        return [0x80, request, success]
    }
}
