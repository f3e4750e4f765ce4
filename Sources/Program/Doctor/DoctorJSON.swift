import Base
import Formats
import JSON
import Vitals

/// The report of `bedside doctor --json`: one object, whose version changes with every incompatible change.
public enum DoctorJSON {
    /// The version of the format.
    public static let version = 1

    /// The report as one line.
    public static func text(_ report: Report, _ facts: Facts) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.key("v")
        json.integer(version)
        json.key("bedside")
        json.string(Product.version)
        json.key("verdict")
        json.string(report.verdict == .skipped ? "ok" : report.verdict.rawValue)
        json.key("kernel")
        json.string(facts.bluetooth.kernel)
        json.key("bluetoothd")
        if let version = facts.bluetooth.version { json.string(version) } else { json.null() }
        json.key("simulated")
        json.bool(facts.bluetooth.isSimulated)
        json.key("checks")
        json.beginArray()
        for check in report.checks {
            json.beginObject()
            json.key("name")
            json.string(check.name.exchanging(" ", for: "_"))
            json.key("verdict")
            json.string(check.verdict.rawValue)
            json.key("finding")
            json.string(check.finding)
            if let remedy = check.remedy {
                json.key("remedy")
                json.string(remedy)
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.newline()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
