import Foundation
import TestSupport

/// Counts what a program allocates from its start on, all threads together.
struct AllocationCounter {
    private let folder: ScratchFolder
    private var file: URL { URL(fileURLWithPath: folder.path + "/count") }

    /// Makes a counter for one program, which counts nothing yet.
    init() throws {
        folder = try ScratchFolder(isInMemory: true)
        try Data(count: MemoryLayout<UInt64>.size).write(to: file)
    }

    /// What the program must be started with.
    var environment: [String: String] {
        // Of `Tests/CAllocationCount`.
        ["LD_PRELOAD": Harness.built("libAllocationCount.so"), "BEDSIDE_ALLOCATION_COUNT": file.path]
    }

    /// How often the program has allocated memory until now.
    func count() throws -> Int {
        Int(try Data(contentsOf: file).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    }
}
