import Base
import EventLoops

extension Device {
    /// Waits until the device is heard, connects to it, and tries again until it is connected.
    ///
    /// This is how a program takes up a device that it remembers, and that may be switched off now or carried in later. A
    /// discovery runs while it waits. Failed attempts are one second to a minute apart. Cancel the task to give up; an
    /// attempt that is under way is still finished.
    ///
    /// - Throws: ``DeviceError/missing(service:characteristic:)`` when it is no such device, which trying again would not
    ///   change, and `CancellationError`.
    public func connectWhenNearby() async throws {
        try await link.connectWhenNearby()
    }
}

extension DeviceLink {
    fileprivate func connectWhenNearby() async throws {
        var delays = Backoff(first: .seconds(1), last: .seconds(60))
        while true {
            if await central.peripheral(address)?.isPresent != true { await hear() }
            try Task.checkCancellation()
            guard await central.peripheral(address)?.isPresent == true else {
                // Without a daemon nothing is heard, at once.
                try await central.loop.sleep(for: .seconds(1))
                continue
            }
            do throws(DeviceError) {
                return try await connect(timeout: .seconds(45))
            } catch {
                if case .missing = error { throw error }
            }
            try await central.loop.sleep(for: delays.next())
        }
    }
}
