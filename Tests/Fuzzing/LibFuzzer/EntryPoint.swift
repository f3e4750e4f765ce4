import Glibc

/// Whether nothing is done but decoding and encoding; set once, before the first input.
nonisolated(unsafe) private var onlyDecoding = false

/// What libFuzzer calls with each input.
///
/// The process ends with the reason when a property does not hold.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let problem = FuzzInput(UnsafeBufferPointer(start: octets, count: count))?.problem(onlyDecoding: onlyDecoding) {
        fatalError(problem)
    }
    return 0
}

/// What libFuzzer calls first, with the arguments of the program.
///
/// - `--unpack CORPUS VECTORS FOLDER` writes the inputs that the repository keeps to a folder and ends the process.
/// - `--pack FOLDER` prints the inputs in a folder as the repository keeps them and ends the process.
/// - `--only-decoding` leaves out everything but decoding and encoding.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
    let words = (0..<Int(count.pointee)).map { String(cString: arguments.pointee[$0]) }
    onlyDecoding = words.contains("--only-decoding")
    if words.count == 5, words[1] == "--unpack" {
        let inputs =
            FuzzCorpus.inputs(String(decoding: contents(of: words[2]), as: UTF8.self))
            + FuzzCorpus.inputs(vectors: String(decoding: contents(of: words[3]), as: UTF8.self))
        for (place, input) in inputs.enumerated() {
            write(input, to: "\(words[4])/\(place)")
        }
        exit(0)
    }
    if words.count == 3, words[1] == "--pack" {
        let lines = files(in: words[2]).compactMap { FuzzCorpus.line(contents(of: $0)) }
        print(lines.sorted().joined(separator: "\n"))
        exit(0)
    }
    return 0
}

private func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        guard count > 0 else { return result }
        result.append(contentsOf: buffer[..<count])
    }
}

private func write(_ octets: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else {
        perror(path)
        exit(EX_CANTCREAT)
    }
    fwrite(octets, 1, octets.count, file)
    fclose(file)
}

private func files(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { result.append("\(folder)/\(name)") }
    }
    return result
}
