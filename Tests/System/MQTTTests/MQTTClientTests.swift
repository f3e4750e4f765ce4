import EventLoops
import Glibc
import Testing
import TestSupport

@testable import MQTT

@Suite("A client of a broker", .serialized, .enabled(if: PrivateBroker.isHere))
struct MQTTClientTests {
    /// A client with what it reported.
    private final class Party: Sendable {
        let thread = LoopThread(named: "client")
        let events = Recorder<MQTTClient.Event>()
        let client: MQTTClient

        init(_ address: String, _ name: String, will: MQTTMessage? = nil, files: MQTTOptions.TLSFiles? = nil) throws {
            let broker = try #require(BrokerAddress(address))
            let events = events
            client = MQTTClient(on: thread.loop) { () throws(MQTTError) in
                var options = MQTTOptions(broker: broker, clientID: name)
                options.will = will
                if let files { options.files = files }
                return options
            } report: {
                events.record($0)
            }
        }

        func start(_ topics: [String] = []) async throws {
            await client.subscribe(to: topics)
            await client.start()
            try await awaitConnections(1)
        }

        func awaitConnections(_ count: Int) async throws {
            try await awaitCondition("connection \(count)") {
                events.elements.count { if case .connected = $0 { true } else { false } } >= count
            }
        }

        var received: [ReceivedMessage] {
            events.elements.compactMap { if case .received(let message) = $0 { message } else { nil } }
        }

        var errors: [MQTTError] {
            events.elements.compactMap { if case .disconnected(let error) = $0 { error } else { nil } }
        }
    }

    private func awaitSubscription(_ party: Party, _ count: Int = 1) async throws {
        try await awaitCondition("a subscription") {
            party.events.elements.count { if case .subscribed = $0 { true } else { false } } >= count
        }
    }

    @Test("Messages arrive in order, and a retained one also later, marked both times")
    func messages() async throws {
        let broker = try PrivateBroker()
        let (one, other) = (try Party(broker.address, "one"), try Party(broker.address, "other"))
        try await other.start(["a/+"])
        try await awaitSubscription(other)
        try await one.start()
        await one.client.publish([
            MQTTMessage("a/kept", [1], .atLeastOnce, isRetained: true), MQTTMessage("a/b", [2], expirySeconds: 10),
        ])
        await one.client.publish((3..<50).map { MQTTMessage("a/\($0)", [$0], .atLeastOnce) })
        try await awaitCondition("all messages") { other.received.count == 49 }
        #expect(other.received.map(\.payload) == (1..<50).map { [$0] })
        #expect(other.received.map(\.isRetained) == [true] + Array(repeating: false, count: 48))
        let late = try Party(broker.address, "late")
        try await late.start(["a/kept"])
        try await awaitCondition("the retained message") { late.received.count == 1 }
        #expect(late.received.first?.isRetained == true)
        for party in [one, other, late] { await party.client.stop() }
    }

    @Test("A broker that is killed and started again is reached again, with its subscriptions")
    func restart() async throws {
        let broker = try PrivateBroker()
        let party = try Party(broker.address, "party")
        try await party.start(["echo"])
        // A broker killed before it confirms the first subscription would leave only one to be counted.
        try await awaitSubscription(party)
        broker.kill()
        try await awaitCondition("the loss") { !party.errors.isEmpty }
        await party.client.publish([MQTTMessage("echo", [1])])
        try broker.start()
        try await party.awaitConnections(2)
        try await awaitSubscription(party, 2)
        await party.client.publish([MQTTMessage("echo", [2], .atLeastOnce)])
        try await awaitCondition("the echo") { !party.received.isEmpty }
        #expect(party.received.map(\.payload) == [[2]])
        await party.client.stop()
    }

    @Test("The broker publishes the will of a client that is lost, and not of one that says goodbye")
    func will() async throws {
        let broker = try PrivateBroker()
        let watcher = try Party(broker.address, "watcher")
        try await watcher.start(["state"])
        try await awaitSubscription(watcher)
        let leaver = try Party(broker.address, "leaver", will: MQTTMessage("state", Array("lost".utf8)))
        try await leaver.start()
        await leaver.client.stop(after: [MQTTMessage("state", Array("closed".utf8), .atLeastOnce)])
        // The same name again ends the connection of the first one, whose will is published.
        let first = try Party(broker.address, "twice", will: MQTTMessage("state", Array("lost".utf8)))
        try await first.start()
        let second = try Party(broker.address, "twice")
        try await second.start()
        try await awaitCondition("the will") { watcher.received.count == 2 }
        #expect(watcher.received.map { String(decoding: $0.payload, as: UTF8.self) } == ["closed", "lost"])
        await first.client.stop()
        await second.client.stop()
        await watcher.client.stop()
    }

    @Test("A broker that stands still is given up within a few keep-alives, and nothing waits for it meanwhile")
    func halfOpen() async throws {
        let broker = try PrivateBroker()
        let party = try Party(broker.address, "party")
        try await party.start()
        broker.setStopped(true)
        // More than sockets hold; what has no room is dropped, not waited for.
        let large = [UInt8](repeating: 0, count: 1 << 16)
        // Elsewhere, so that a client that waits for the broker makes this fail instead of hanging.
        let handedOver = Recorder<Int>()
        let client = party.client
        Task {
            for number in 0..<400 {
                await client.publish([MQTTMessage("a/\(number)", large)])
                handedOver.record(number)
            }
        }
        try await awaitCondition("all messages are handed over") { handedOver.elements.count == 400 }
        #expect(await party.client.waitingCount <= 32)
        try await awaitCondition("the loss") { !party.errors.isEmpty }
        broker.setStopped(false)
        try await party.awaitConnections(2)
        await party.client.stop()
    }

    @Test("A broker whose messages come octet by octet holds up nothing else on the client's loop")
    func trickling() async throws {
        let broker = try PrivateBroker()
        let proxy = try FadingProxy(to: broker.port)
        let party = try Party("mqtt://127.0.0.1:\(proxy.port)", "party")
        let other = try Party(broker.address, "other")
        try await party.start(["a"])
        try await awaitSubscription(party)
        try await other.start()
        proxy.setTrickling(true)
        // It would take more than a minute.
        let large = [UInt8](repeating: 7, count: 100_000)
        await other.client.publish([MQTTMessage("a", large, .atLeastOnce)])
        var rounds = 0
        while proxy.trickled < 500 {
            await party.client.publish([MQTTMessage("b", [UInt8(rounds % 256)])])
            rounds += 1
        }
        // A client that waits for the rest of a message would be here after all of it.
        #expect(proxy.trickled < large.count / 2 && party.received.isEmpty && party.errors.isEmpty)
        #expect(rounds > 10)
        proxy.setTrickling(false)
        try await awaitCondition("the message") { party.received.map(\.payload) == [large] }
        await party.client.stop()
        await other.client.stop()
    }

    @Test("Where nobody listens, and where somebody accepts and says nothing, the reason is said")
    func unreachable() async throws {
        let port = try PrivateBroker.freePort()
        let party = try Party("mqtt://127.0.0.1:\(port)", "party")
        await party.client.start()
        try await awaitCondition("two failures") { party.errors.count >= 2 }
        #expect(party.errors.first?.description == "Connection refused")
        await party.client.stop()
        let nowhere = try Party("mqtt://nowhere.invalid", "party")
        await nowhere.client.start()
        try await awaitCondition("a failure") { !nowhere.errors.isEmpty }
        #expect(nowhere.errors.first?.description == "the name nowhere.invalid is unknown")
        await nowhere.client.stop()
    }

    @Test("A subscription and a message that the access list forbids are reported")
    func forbidden() async throws {
        let access = try ScratchFolder()
        let list = try access.write("topic readwrite mine/#\n", to: "acl")
        let broker = try PrivateBroker("listener PORT 127.0.0.1\nallow_anonymous true\nacl_file \(list)")
        let party = try Party(broker.address, "party")
        try await party.start(["mine/#"])
        await party.client.publish([MQTTMessage("other/a", [], .atLeastOnce), MQTTMessage("mine/a", [], .atLeastOnce)])
        try await awaitCondition("both answers") {
            party.events.elements.contains { if case .delivered("mine/a") = $0 { true } else { false } }
        }
        #expect(party.events.elements.contains { if case .publishRefused("other/a") = $0 { true } else { false } })
        await party.client.stop()
    }
}

@Suite("Messages that wait for a broker")
struct OutgoingQueueTests {
    @Test("The newest message of a topic replaces the one that waits, at the end of the queue")
    func replacement() {
        var queue = OutgoingQueue()
        queue.append(MQTTMessage("a", [1]))
        queue.append(MQTTMessage("b", [2]))
        queue.append(MQTTMessage("a", [3]))
        #expect(queue.next(acknowledgeable: true)?.payload == [2])
        #expect(queue.next(acknowledgeable: true)?.payload == [3])
        #expect(queue.next(acknowledgeable: true) == nil)
    }

    @Test("A full queue drops the oldest message that may be lost, before any that must arrive")
    func bound() {
        var queue = OutgoingQueue()
        queue.append(MQTTMessage("alarm", [], .atLeastOnce))
        for number in 0..<1000 { queue.append(MQTTMessage("vital/\(number)", [])) }
        #expect(queue.count == OutgoingQueue.bounds.messages)
        #expect(queue.dropped == 1001 - OutgoingQueue.bounds.messages)
        #expect(queue.next(acknowledgeable: true)?.topic == "alarm")
        #expect(queue.next(acknowledgeable: true)?.topic == "vital/\(1000 - OutgoingQueue.bounds.messages + 1)")
    }

    @Test("Its payloads are bounded, too")
    func bytes() {
        var queue = OutgoingQueue()
        for number in 0..<8 {
            queue.append(MQTTMessage("\(number)", [UInt8](repeating: 0, count: 1 << 19), .atLeastOnce))
        }
        #expect(queue.count == 4)
        #expect(queue.next(acknowledgeable: true)?.topic == "4")
    }

    @Test("What must be acknowledged waits while enough is unacknowledged, and what need not does not wait for it")
    func window() {
        var queue = OutgoingQueue()
        queue.append(MQTTMessage("alarm", [], .atLeastOnce))
        queue.append(MQTTMessage("vital", []))
        #expect(queue.next(acknowledgeable: false)?.topic == "vital")
        #expect(queue.next(acknowledgeable: false) == nil)
        #expect(!queue.isEmpty)
    }
}
