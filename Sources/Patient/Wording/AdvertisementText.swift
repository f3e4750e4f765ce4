import Base
import VitalDecoders
import Vitals

/// What a peripheral advertises in words, with the names of services, companies and appearances.
package enum AdvertisementText {
    /// One item: what it is, and its content.
    package struct Item: Hashable, Sendable {
        package var label: String
        package var text: String
    }

    /// The items of an advertisement; none for what was not advertised.
    package static func items(_ data: AdvertisedData) -> [Item] {
        var items: [Item] = []
        if !data.services.isEmpty {
            items.append(Item(label: "services", text: data.services.map { named($0) }.joined(separator: ", ")))
        }
        for company in data.companies {
            let number = "0x" + Hexadecimal.text(UInt64(company.identifier), digits: 4)
            let name = AssignedNames.company(company.identifier).map { "\(number) \($0)" } ?? number
            items.append(Item(label: "company data", text: "\(name): \(octets(company.octets))"))
        }
        for data in data.serviceData {
            items.append(Item(label: "service data", text: "\(named(data.uuid)): \(octets(data.octets))"))
        }
        if let appearance = data.appearance {
            items.append(Item(label: "appearance", text: BluetoothAppearance(rawValue: appearance).description))
        }
        if let power = data.transmitPower { items.append(Item(label: "TX power", text: "\(power) dBm")) }
        if !data.flags.isEmpty {
            let names = AssignedNames.flags(data.flags)
            let text = ([octets(data.flags)] + names).joined(separator: ", ")
            items.append(Item(label: "flags", text: text))
        }
        return items
    }

    /// A UUID from the air with its name, if it has one: "180D Heart Rate".
    ///
    /// - Parameters:
    ///   - uuid: The UUID as text.
    ///   - name: Where names are looked up; those of services by default.
    package static func named(
        _ uuid: String, by name: (BluetoothUUID) -> String? = { AssignedNames.service($0) }
    ) -> String {
        let text = sanitized(uuid, limit: 40)
        return BluetoothUUID(uuid).flatMap(name).map { "\(text) \($0)" } ?? text
    }

    private static func octets(_ octets: [UInt8]) -> String { octets.isEmpty ? "(empty)" : Hexadecimal.text(octets) }
}
