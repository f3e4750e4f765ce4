import VitalDecoders

/// Lists the characteristics that can be decoded.
enum DecodeList {
    /// One line for each characteristic: UUID, name, specification and its revision.
    static func text() -> String {
        let rows = Characteristic.all.map { characteristic in
            (
                uuid: characteristic.uuid.description, name: characteristic.name,
                specification: "\(characteristic.specification.title) \(characteristic.specification.revision)"
            )
        }
        let uuidWidth = rows.map(\.uuid.count).max() ?? 0
        let nameWidth = rows.map(\.name.count).max() ?? 0
        return rows.map { row in
            row.uuid + String(repeating: " ", count: uuidWidth - row.uuid.count + 2) + row.name
                + String(repeating: " ", count: nameWidth - row.name.count + 2) + row.specification + "\n"
        }.joined()
    }
}
