import Foundation
import JSON
import TestSupport
import Testing
import Vitals

@testable import WardMessages

@Suite("A bed as a device of Home Assistant")
struct HomeAssistantDeviceTests {
    private static func token(_ text: String) -> WardToken {
        guard let token = WardToken(text) else { preconditionFailure("\(text) is no name") }
        return token
    }

    private static let bed = WardBed(site: token("ward-2"), bed: token("12"))

    private static func device(isSimulated: Bool = false, session: String = "session-1") -> HomeAssistantDevice {
        HomeAssistantDevice(
            bed, session: token(session), isSimulated: isSimulated, staleFactor: 3,
            vitals: Dictionary(uniqueKeysWithValues: Vital.allCases.map { ($0, 6) }))
    }

    /// The texts of a member of all components.
    private static func texts(_ name: String, _ device: HomeAssistantDevice) throws -> [String] {
        let components = try JSON5Parser.parse(device.payload, .json)["components"]?.members ?? []
        return components.compactMap { component in
            if case .string(let text)? = component.value[name]?.content { text } else { nil }
        }
    }

    @Test(
        "is announced as Home Assistant documents it", .enabled(if: PythonScript.isHere(with: "jsonschema")),
        arguments: [false, true])
    func schema(isSimulated: Bool) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let validator = try PythonScript(
            folder.appending(path: "validate.py").path,
            [folder.appending(path: "home-assistant-device.schema.json").path])
        let text = String(decoding: Self.device(isSimulated: isSimulated).payload, as: UTF8.self)
        #expect(try validator.answer(to: text) == "ok")
        // The schema is one that can fail.
        for (old, new) in [
            ("\"origin\"", "\"origins\""), ("\"unique_id\"", "\"unique\""),
            ("\"platform\":\"sensor\"", "\"platform\":1"),
            ("\"°C\"", "\"Cel\""), ("\"identifiers\":[", "\"identifiers\":[],\"x\":["),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(try validator.answer(to: changed) != "ok", "\(old)")
        }
    }

    @Test("has a topic whose parts Home Assistant allows, and whose bed is a level that an access list can compare")
    func topics() {
        let own = HomeAssistantDevice.topic(Self.bed, isSimulated: false)
        #expect(own == "homeassistant/device/bedside-ward-2/12/config")
        for topic in HomeAssistantDevice.topics(Self.bed) {
            #expect(topic.wholeMatch(of: #/homeassistant/device/[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+/config/#) != nil)
        }
        #expect(Set(HomeAssistantDevice.topics(Self.bed)).count == 2)
    }

    @Test("keeps its entities over sessions, and shares none between simulated and real sensors")
    func identity() throws {
        let (first, second) = (Self.device(), Self.device(session: "session-2"))
        #expect(first.payload != second.payload)
        let own = try Self.texts("unique_id", first)
        #expect(own == (try Self.texts("unique_id", second)))
        #expect(own.count == Vital.allCases.count + 1 && Set(own).count == own.count)
        let simulated = try Self.texts("unique_id", Self.device(isSimulated: true))
        #expect(Set(own).isDisjoint(with: simulated))
        #expect(String(decoding: Self.device(isSimulated: true).payload, as: UTF8.self).contains("SIMULATED"))
    }

    @Test("reads only topics of the bed that its monitor publishes")
    func sources() throws {
        for topic in try Self.texts("state_topic", Self.device()) + Self.texts("json_attributes_topic", Self.device()) {
            #expect(WardTopic(topic)?.bed == Self.bed, "\(topic)")
        }
    }

    @Test("lets values expire after twice the time for which they count as present, and changes that only for a reason")
    func expiry() {
        func expiry(_ milliseconds: Int64, _ announced: Int? = nil) -> Int {
            HomeAssistantDevice.expiry(intervalMilliseconds: milliseconds, staleFactor: 3, announced: announced)
        }
        #expect(expiry(1000) == 6)
        #expect(expiry(300_000) == 1800)
        #expect(expiry(1001) == 7)
        // An interval that trembles announces nothing new.
        #expect(expiry(1001, 6) == 6 && expiry(990, 6) == 6)
        #expect(expiry(2000, 6) == 12 && expiry(1000, 12) == 6)
        #expect(expiry(0) == 1 && expiry(.max, 0) == 21_600)
    }

    @Test("knows the vitals of an earlier announcement, and nothing from what is none")
    func earlier() {
        #expect(HomeAssistantDevice.vitals(announcedIn: Self.device().payload) == Set(Vital.allCases))
        for text in ["", "{", "[]", "{\"components\":[]}", "{\"components\":{\"mood\":{}}}", "\u{0}"] {
            #expect(HomeAssistantDevice.vitals(announcedIn: Array(text.utf8)).isEmpty)
        }
    }
}
