import Foundation
import TestSupport
import Testing
import VitalDecoders

/// The tables in the articles are made from the declarations; with `UPDATE_DOCUMENTATION=1` the tests write them anew.
@Suite("Documentation")
struct DocumentationTests {
    private func check(_ article: String, _ text: String) throws {
        let file = UserDocuments.root.appending(
            path: "Libraries/Sources/Bluetooth/VitalDecoders/VitalDecoders.docc/\(article).md")
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTATION"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("the article about characteristics lists every one with its specification and its vectors")
    func characteristics() throws {
        var lines = [
            "# Characteristics", "", "Every characteristic that is decoded and encoded, and the evidence for it.", "",
            "## Overview", "",
            "Vectors are values with known meaning in the tests of this module: captured from sensors, taken from the",
            "tests of other decoders, from makers' documents, or computed by hand from the specification. Each is also",
            "cut short at every octet, and every octet of it is replaced by every other. Layouts, bits and lists were",
            "compared with these revisions, and with the GATT Specification Supplement at the commit of its repository",
            "that replaces a revision; the pulse oximeter's characteristics are in its service alone.",
            "",
            "| UUID | Name | Specification | Revision | Vectors | of them captured |", "|---|---|---|---|--:|--:|",
        ]
        for characteristic in CharacteristicType.all {
            let vectors = Vector.all.filter { $0.uuid == characteristic.uuid }
            let captured = vectors.count { $0.origin == "real" }
            let specification = characteristic.specification
            lines.append(
                "| `\(characteristic.uuid)` | \(characteristic.name) | \(specification.title) "
                    + "| \(specification.revision) | \(vectors.count) | \(captured) |")
        }
        lines += [
            "", "The advertisements of CORE (``CoreAdvertisement``) and of Polar straps (``PolarAdvertisement``) are",
            "decoded too; they are no characteristics and so not in the table.", "",
        ]
        try check("Characteristics", lines.joined(separator: "\n"))
    }

    @Test("the article about status bits has the readings that the code uses")
    func statusBits() throws {
        var lines = [
            "# Status bits", "", "What sensors say about their own values, and what it means for the screen.", "",
            "## Overview", "",
            "Each bit has a ``ClinicalReading``: how far the value may be used, and why. The worst bit decides.",
            "Bits that are not in these tables are reserved; they are kept and change nothing.", "",
            "The bits decide in the same way for a stream and for a record that a meter or a cuff hands over: an unusable measurement",
            "is listed with its time and the reason, but has no value, begins no alarm and ends none; a questionable one is marked as",
            "doubtful wherever it is shown and exported.", "",
        ]
        lines += table("PLX measurement status", PulseOximeterMeasurementStatus.table)
        lines += table("PLX device and sensor status", PulseOximeterDeviceAndSensorStatus.table)
        lines += table("Blood pressure measurement status", BloodPressureStatus.table)
        lines += table("Glucose sensor status annunciation", GlucoseSensorStatus.table)
        lines += table("CGM sensor status annunciation", ContinuousGlucoseAnnunciation.table)
        try check("StatusBits", lines.joined(separator: "\n"))
    }

    private func table(_ title: String, _ bits: [StatusBit]) -> [String] {
        ["### \(title)", "", "| Bit | Name | Value | Cause |", "|--:|---|---|---|"]
            + bits.map { "| \($0.bit) | \($0.name) | \($0.reading.usability) | \($0.reading.cause) |" } + [""]
    }
}
