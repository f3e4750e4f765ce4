import DBus
import Testing

@Suite("An object path")
struct ObjectPathTests {
    @Test("is made from what the specification allows", arguments: ["/", "/a", "/org/bluez/hci0", "/_/A9/dev_00_11"])
    func valid(text: String) {
        #expect(ObjectPath(text)?.description == text)
    }

    @Test(
        "is not made from anything else",
        arguments: ["", "a", "a/b", "//", "/a/", "/a//b", "/a-b", "/a.b", "/ä", "/a b", "/a\0", "\0/", "/a\n"])
    func invalid(text: String) {
        #expect(ObjectPath(text) == nil)
    }

    @Test(
        "lies below its ancestors only",
        arguments: [
            ("/org/bluez", "/org", true), ("/org/bluez", "/", true), ("/org/bluez/hci0", "/org", true),
            ("/org", "/org", false), ("/", "/", false), ("/organ", "/org", false), ("/org", "/org/bluez", false),
        ])
    func isBelow(path text: String, ancestor: String, expected: Bool) throws {
        #expect(try path(text).isBelow(path(ancestor)) == expected)
    }

    @Test("has a parent", arguments: [("/a/b/c", "/a/b"), ("/a", "/"), ("/", "/")])
    func parent(path text: String, expected: String) throws {
        #expect(try path(text).parent == path(expected))
    }

    @Test(
        "has children of valid names",
        arguments: [
            ("/", "a", "/a"), ("/a", "b_1", "/a/b_1"), ("/a", "", "/a"), ("/a", "b-c", "/a"), ("/a", "b/c", "/a"),
        ])
    func child(path text: String, name: String, expected: String) throws {
        #expect(try path(text).child(name) == path(expected))
    }
}
