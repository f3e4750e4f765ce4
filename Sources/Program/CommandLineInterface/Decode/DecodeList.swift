import VitalDecoders

/// Lists the characteristics that can be decoded.
enum DecodeList {
    /// One line for each characteristic: UUID, name, specification and its revision.
    ///
    /// Long UUIDs stand alone in the first column and push the others to the right; there are few, and at the end.
    static func text() -> String {
        let nameWidth = CharacteristicType.all.filter { $0.uuid.assignedNumber != nil }.map(\.name.count).max() ?? 0
        return CharacteristicType.all.map { characteristic in
            let name = characteristic.name
            let padding = characteristic.uuid.assignedNumber == nil ? 0 : nameWidth - name.count
            return "\(characteristic.uuid)  \(name)\(String(repeating: " ", count: padding + 2))"
                + "\(characteristic.specification.title) \(characteristic.specification.revision)\n"
        }.joined()
    }
}
