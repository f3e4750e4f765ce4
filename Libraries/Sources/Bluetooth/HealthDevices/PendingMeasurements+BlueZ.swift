extension PendingMeasurements {
    /// Lets a measurement wait, unless the device has sent it before.
    ///
    /// - Parameters:
    ///   - measurement: What the device has sent.
    ///   - device: The device.
    ///   - timestamp: When it arrived, as its `DeviceReading` says.
    /// - Returns: What has become of it; only with `added` has the list changed.
    @discardableResult
    public mutating func offer(
        _ measurement: HealthMeasurement, from device: BluetoothAddress, at timestamp: Timestamp
    ) -> MeasurementOffer {
        offer(measurement, from: device, at: timestamp.wallMilliseconds)
    }
}
