import Monitoring
import Vitals

@testable import Dashboard

extension Ward {
    static let contacts = [
        Contact(name: "Haematology ward", role: "nurse on duty", number: "+49 351 1234-0", hours: "day and night"),
        Contact(name: "Dr. Ada Lovelace", role: "oncologist", number: "+49 351 1234-17", hours: "Mon-Fri 8-16"),
        Contact(name: "\u{1B}[2JEvil\u{202E}", number: "110"),
    ]

    /// The page of contacts, with a hostile one, beside a fever.
    static func contactsPage(_ contacts: [Contact] = Ward.contacts) -> Ward {
        var settings = MonitorSettings()
        settings.contacts = contacts
        var ward = Ward(settings: settings)
        ward.ready()
        ward.enter("t", "38.9 mouth -2m")
        ward.obey(.escape)
        ward.obey(.character("C"))
        return ward
    }
}
