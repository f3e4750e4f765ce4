import VitalDecoders

/// Lists the characteristics that can be decoded.
enum DecodeList {
    /// One line per characteristic: UUID, name, specification and revision.
    ///
    /// The few long UUIDs are at the end; they shift the other columns of their lines to the right.
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
