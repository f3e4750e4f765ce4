import Monitoring
import Nights

extension Recorder {
    /// Keeps the file of a night beside the store, and hands the night to the inbox.
    ///
    /// Nothing is kept while the store fails, so that the sensor is asked for the night again.
    ///
    /// - Parameters:
    ///   - night: The night.
    ///   - octets: Its file as the sensor handed it over.
    ///   - inbox: The inbox of this recorder.
    /// - Returns: Why nothing is kept, a clause; `nil` if all is.
    public func keep(_ night: StoredNight, file octets: [UInt8], by inbox: RecorderInbox) -> String? {
        switch reporter.reported {
        case .working, .incomplete: break
        // What is left is for readings and alarms.
        case .nearlyFull: return "there is hardly any space left for the store"
        case .full: return "there is no space left for the store"
        case .failed(let reason): return reason
        }
        guard store != nil else { return "the store is not open" }
        do throws(NightFileError) {
            try reporter.onDisk { () throws(NightFileError) in
                try NightFiles(beside: place.path).write(octets, name: night.name, from: night.sensor.address)
            }
        } catch {
            return error.description
        }
        inbox.append(night, at: now())
        return nil
    }

    /// Removes the files of nights that are no longer in the store, because they were too old.
    func removeOutlivedNightFiles() throws(StoreError) {
        guard let database = store?.database else { return }
        let (nights, files) = (NightStore(database: database), NightFiles(beside: place.path))
        for night in try nights.outlived() {
            do throws(NightFileError) {
                try files.remove(name: night.name, from: night.address)
            } catch {
                // Said once, and not each minute.
                onNotice("The file of a night that is too old was not removed: \(error)")
            }
            try nights.fileIsGone(night)
        }
    }
}
