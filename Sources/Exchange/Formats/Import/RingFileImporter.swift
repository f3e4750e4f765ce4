import Base
import Nights
import VitalDecoders
import Vitals

/// Reads the file of a night as a ring stores it.
enum RingFileImporter {
    static func read(_ bytes: [UInt8], _ context: ImportContext) throws(ImportError) -> ImportedFile {
        let file: ViatomNightFile
        do throws(MalformedValueError) {
            file = try ViatomNightFile(bytes)
        } catch {
            throw ImportError("\(error.reason), at octet \(error.offset); fetch it from the ring again")
        }
        guard file.isComplete, let start = file.start else {
            throw ImportError(
                "the ring has not completed it; fetch it again two minutes after the ring was taken off")
        }
        let rows: [ImportedNights.Timed]
        do throws(RefusedEntry) {
            let text = start.description
            let first = wholeSecond(try ImportTime.read(text, now: context.now))
            rows = file.samples.enumerated().map { index, sample in
                ImportedNights.Timed(
                    second: first.addingSaturated(Int64(index * file.interval)),
                    sample: NightSample(
                        saturation: sample.saturation, pulseRate: sample.pulseRate, movement: sample.movement))
            }
        } catch {
            throw ImportError(String(error.reason.dropLast()))
        }
        var imported = ImportedFile()
        imported.nights = try ImportedNights.nights(
            rows, of: ImportedNights.sensor(""), interval: { _ in file.interval }
        ).map { ImportedFile.Night(place: "its night", night: $0) }
        guard !imported.nights.isEmpty else {
            throw ImportError("it has no measurement; choose a night in which the ring was worn")
        }
        return imported
    }
}
