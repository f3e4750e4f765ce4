extension Declared where Value: CharacteristicValue {
    /// Declares a characteristic whose type `VitalDecoders` knows.
    ///
    /// - Parameters:
    ///   - type: What it is.
    ///   - options: What is done with it when the device is connected, and whether the device must have it.
    public init(_ type: CharacteristicType, _ options: DeclaredOption...) {
        self.init(type.uuid, options: Set(options))
    }
}
