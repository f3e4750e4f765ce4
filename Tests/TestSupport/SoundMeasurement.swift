import Foundation

/// The measurements of `measure_sound.py`, which shares no code with Bedside.
public enum SoundMeasurement {
    /// Whether SciPy is here.
    public static let isPossible = PythonScript.isHere(with: "scipy")

    /// Starts the program that measures.
    public static func script() throws -> PythonScript {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return try PythonScript(folder.appendingPathComponent("measure_sound.py").path)
    }
}
