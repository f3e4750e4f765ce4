import Foundation
import TestSupport
import Testing

@testable import Sounds

/// The measurements of `measure.py`.
enum Measurement {
    /// Whether SciPy is here.
    static let isPossible = PythonScript.isHere(with: "scipy")

    /// Starts the program that measures.
    static func script() throws -> PythonScript {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try PythonScript(folder.appendingPathComponent("measure.py").path)
    }

    /// Writes samples to a file; answers its path.
    static func write(_ samples: [Int16], to name: String, in folder: ScratchFolder) throws -> String {
        let path = folder.path + "/" + name
        try Data(WaveFile.bytes(samples)).write(to: URL(fileURLWithPath: path))
        return path
    }
}
