import Testing
import UserFiles

@Suite("The user's folders")
struct UserDirectoriesTests {
    private func folders(_ variables: [String: String], account: String? = nil) throws(UserFileError) -> UserDirectories
    {
        try UserDirectories(for: "bedside", environment: { variables[$0] }, accountHome: { account })
    }

    @Test("without variables they are the usual ones below the home folder, and there is no runtime folder")
    func usual() throws {
        let found = try folders(["HOME": "/people/ada"])
        #expect(found.configuration == "/people/ada/.config/bedside")
        #expect(found.state == "/people/ada/.local/state/bedside")
        #expect(found.data == "/people/ada/.local/share/bedside")
        #expect(found.runtime == nil)
    }

    @Test("each variable moves its folder, and slashes at its end do not matter")
    func moved() throws {
        let found = try folders([
            "HOME": "/people/ada", "XDG_CONFIG_HOME": "/c/", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d//",
            "XDG_RUNTIME_DIR": "/run/user/1000",
        ])
        #expect(found.configuration == "/c/bedside")
        #expect(found.state == "/s/bedside")
        #expect(found.data == "/d/bedside")
        #expect(found.runtime == "/run/user/1000/bedside")
    }

    @Test("a relative or empty variable counts as not set", arguments: ["", "state", "./state", "~/state"])
    func relative(value: String) throws {
        let found = try folders(["HOME": "/people/ada", "XDG_STATE_HOME": value, "XDG_RUNTIME_DIR": value])
        #expect(found.state == "/people/ada/.local/state/bedside")
        #expect(found.runtime == nil)
    }

    @Test("without HOME the list of accounts gives the home folder")
    func account() throws {
        #expect(try folders([:], account: "/var/lib/ward").state == "/var/lib/ward/.local/state/bedside")
        #expect(try folders(["HOME": "here"], account: "/").state == "/.local/state/bedside")
    }

    @Test("without any home it is an error that says what to do, unless no folder needs one")
    func homeless() throws {
        #expect(throws: UserFileError.noHome) { try folders([:]) }
        #expect(UserFileError.noHome.description.contains("Set HOME"))
        let all = ["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d"]
        #expect(try folders(all).data == "/d/bedside")
    }

    @Test("the present user has some")
    func current() throws {
        #expect(try UserDirectories.current().state.hasSuffix("/bedside"))
    }
}
