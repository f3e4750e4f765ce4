import Monitoring

extension SettingTable {
    /// The greatest number of contacts.
    static let contactCount = 6

    static let contacts: [Setting] = (1...contactCount).map { number in
        Setting(
            "contacts", "contact_\(number)", .contact(),
            number > 1
                ? "Another one, in the form of contact_1."
                : """
                Whom to call: name, role, telephone number, and when somebody answers, such as ["Ward 7", "nurse on duty", \
                "+49 351 1234", "day and night"]; role and time may be empty. An empty list is no contact.
                """,
            get: { $0.contact(number) }, set: { $0.setContact($1, number) })
    }
}

extension Settings {
    /// A contact by its number; `nil` for none.
    fileprivate func contact(_ number: Int) -> Contact? { contactPlaces[number] }

    fileprivate mutating func setContact(_ contact: Contact?, _ number: Int) {
        contactPlaces[number] = contact
        monitor.contacts = contactPlaces.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension SettingCodec {
    /// A contact as a list of its texts.
    static func contact() -> SettingCodec<Contact?> {
        let expectation =
            "a list of two to four texts of at most \(Contact.textLimit) characters: name, role, number, time"
        let texts = SettingCodec<[String]>.texts(expectation, limit: Contact.textLimit, count: 4, emptyAllowed: true)
        return SettingCodec<Contact?>(
            expectation,
            read: { value throws(SettingError) in
                let parts = try texts.read(value)
                if parts.allSatisfy(\.isEmpty) { return nil }
                // Of two or four texts, the number is the last one except the hours.
                let (name, role, number, hours) =
                    switch parts.count {
                    case 2: (parts[0], "", parts[1], "")
                    case 3: (parts[0], parts[1], parts[2], "")
                    case 4: (parts[0], parts[1], parts[2], parts[3])
                    default: throw SettingError(expected: expectation, value)
                    }
                guard !name.isEmpty, !number.isEmpty else {
                    throw SettingError("a contact has a name and a number, such as [\"Ward 7\", \"+49 351 1234\"]")
                }
                return Contact(name: name, role: role, number: number, hours: hours)
            },
            write: { contact in
                .texts(contact.map { [$0.name, $0.role, $0.number, $0.hours] } ?? [])
            })
    }
}
