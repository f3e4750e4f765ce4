extension Declared where Value: CharacteristicValue {
    /// Declares a characteristic whose type `VitalDecoders` knows.
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - options: What to do with it after connecting, and whether it is required.
    public init(_ type: CharacteristicType, _ options: DeclaredOption...) {
        self.init(type.uuid, options: Set(options))
    }
}
