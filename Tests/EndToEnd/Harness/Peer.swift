import Foundation

/// Programs of the tests' own that share nothing with Bedside.
enum Peer {
    /// The path of one.
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Peers/\(name)").standardized.path
    }
}

extension [String] {
    /// The arguments behind a program of the tests' own.
    func withPeer(_ name: String) -> [String] { [Peer.path(name)] + self }
}
