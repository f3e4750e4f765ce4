import Testing

extension BothBackEnds {
    @Suite("The bus's policy forbids us to call bluetoothd")
    struct PermissionTests {
        static let trouble = "BLUETOOTH REFUSES US"

        @Test("at the start: the refusal is reported with a remedy, and everything comes up when it is permitted")
        func refused() async throws {
            let world = try await World.start()
            try await world.permitCalls(false)
            let bedside = try await ProgramInTerminal.start(["--connect", "all"], on: world)
            try await bedside.waitFor(trouble: Self.trouble, remedy: "sudo usermod -aG bluetooth")
            try await world.permitCalls(true)
            try await bedside.expectRecovery(from: Self.trouble, in: world)
        }
    }
}
