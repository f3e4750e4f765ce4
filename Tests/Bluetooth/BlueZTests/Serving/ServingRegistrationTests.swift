import DBus
import Testing

@testable import BlueZ

@Suite("What is registered of a served device")
struct ServingRegistrationTests {
    private let first = ObjectPath.root.child("hci0")
    private let second = ObjectPath.root.child("hci1")

    private func adapter(_ path: ObjectPath, isPowered: Bool = true) -> Adapter {
        Adapter(path: path, isPowered: isPowered)
    }

    /// One to whom bus, daemon and an adapter have been reported.
    private func ready(isAdvertising: Bool = true) -> ServingRegistration {
        var registration = ServingRegistration(on: nil, isAdvertising: isAdvertising)
        for kind in [BlueZEvent.Kind.bus(.connected), .daemon(.running), .adapter(.added, adapter(first))] {
            #expect(registration.handle(kind) == .changed)
        }
        return registration
    }

    /// One whose services and advertisement are registered.
    private func complete() -> ServingRegistration {
        var registration = ready()
        registration.succeeded(.services(first), in: registration.epoch)
        registration.succeeded(.advertisement(first), in: registration.epoch)
        return registration
    }

    @Test("is first the services, then the advertisement, as soon as there are bus, daemon and adapter")
    func order() {
        var registration = ServingRegistration(on: nil, isAdvertising: true)
        var states = [registration.state]
        for kind in [
            BlueZEvent.Kind.bus(.connected), .daemon(.running), .adapter(.added, adapter(first, isPowered: false)),
        ] {
            _ = registration.handle(kind)
            states.append(registration.state)
            #expect(registration.nextStep == nil)
        }
        #expect(states == [.waitingForBus, .waitingForDaemon, .waitingForAdapter, .adapterOff])
        #expect(registration.handle(.adapter(.changed, adapter(first))) == .changed)
        #expect(registration.state == .registering)
        #expect(registration.nextStep == .services(first))
        registration.succeeded(.services(first), in: registration.epoch)
        #expect(registration.nextStep == .advertisement(first))
        registration.succeeded(.advertisement(first), in: registration.epoch)
        #expect(registration.nextStep == nil)
        #expect(registration.state == .serving(on: first))
    }

    @Test("is the services alone where nothing is advertised")
    func unadvertised() {
        var registration = ready(isAdvertising: false)
        registration.succeeded(.services(first), in: registration.epoch)
        #expect(registration.nextStep == nil)
        #expect(registration.state == .serving(on: first))
    }

    @Test(
        "is lost with the daemon, the bus and its adapter",
        arguments: [BlueZEvent.Kind.daemon(.gone), .bus(.lost(reason: "")), .adapter(.removed, Adapter(path: .root))])
    func lost(kind: BlueZEvent.Kind) {
        var registration = complete()
        var lost = kind
        if case .adapter = kind { lost = .adapter(.removed, adapter(first)) }
        #expect(registration.handle(lost) == .lost)
        #expect(registration.servicesAdapter == nil && !registration.isAdvertising)
        #expect(registration.nextStep == nil)
        for kind in [BlueZEvent.Kind.bus(.connected), .daemon(.running), .adapter(.added, adapter(second))] {
            _ = registration.handle(kind)
        }
        #expect(registration.nextStep == .services(second))
    }

    @Test("is the advertisement alone that is registered again after a time without power")
    func power() {
        var registration = complete()
        #expect(registration.handle(.adapter(.changed, adapter(first, isPowered: false))) == .changed)
        #expect(registration.state == .adapterOff)
        #expect(registration.nextStep == nil)
        #expect(registration.handle(.adapter(.changed, adapter(first))) == .changed)
        #expect(registration.nextStep == .advertisement(first))
    }

    @Test("stays on its adapter, also when another one comes and goes")
    func otherAdapter() {
        var registration = complete()
        _ = registration.handle(.adapter(.added, adapter(second)))
        #expect(registration.state == .serving(on: first))
        #expect(registration.handle(.adapter(.removed, adapter(second))) == .changed)
        #expect(registration.state == .serving(on: first))
    }

    @Test("is on the adapter that is on, or only on the wanted one")
    func choice() {
        var registration = ServingRegistration(on: nil, isAdvertising: true)
        var strict = ServingRegistration(on: first, isAdvertising: true)
        for kind in [
            BlueZEvent.Kind.bus(.connected), .daemon(.running), .adapter(.added, adapter(second)),
            .adapter(.added, adapter(first, isPowered: false)),
        ] {
            _ = registration.handle(kind)
            _ = strict.handle(kind)
        }
        #expect(registration.nextStep == .services(second))
        #expect(strict.nextStep == nil && strict.state == .adapterOff)
    }

    @Test("waits after a refusal, longer each time, and says why")
    func refused() throws {
        var registration = ready()
        let error = BlueZError(.notSupported)
        let first = registration.failed(error, in: registration.epoch)
        let delay = try #require(first)
        #expect(registration.state == .refused(error))
        #expect(registration.nextStep == nil)
        registration.retryIsDue(in: registration.epoch)
        #expect(registration.nextStep == .services(self.first))
        let second = registration.failed(error, in: registration.epoch)
        #expect(try #require(second) > delay)
    }

    @Test("does not change by an answer of a former daemon or adapter")
    func outdated() {
        var registration = ready()
        let epoch = registration.epoch
        _ = registration.handle(.adapter(.removed, adapter(first)))
        _ = registration.handle(.adapter(.added, adapter(first)))
        registration.succeeded(.services(first), in: epoch)
        #expect(registration.nextStep == .services(first))
        let delay = registration.failed(BlueZError(.failed), in: epoch)
        #expect(delay == nil)
        #expect(registration.state == .registering)
    }

    @Test("is advertised again a while after the daemon has released the advertisement")
    func released() {
        var registration = complete()
        let delay = registration.released()
        #expect(delay != nil)
        guard case .refused = registration.state else {
            Issue.record("\(registration.state)")
            return
        }
        let again = registration.released()
        #expect(again == nil)
        registration.retryIsDue(in: registration.epoch)
        #expect(registration.nextStep == .advertisement(first))
    }

    @Test("is nothing more after its end")
    func ended() {
        var registration = ready()
        registration.end()
        #expect(registration.nextStep == nil)
        #expect(registration.isEnded)
    }
}
