import Base
import JSON

/// The patients of the resources in a file.
///
/// References and identifiers of the same patient are merged: `Patient/1`, `https://example.org/fhir/Patient/1`,
/// `Patient/1/_history/2`, the address of a Patient in the same Bundle, and each of its identifiers. Equal paths of two
/// servers are two patients.
struct FHIRSubjects {
    /// One of the ways to name a patient.
    enum Name: Hashable {
        /// A reference without its version; the server is empty for a relative one.
        case reference(server: String, path: String)
        case identifier(system: String, value: String)
    }

    /// A name for each patient, as in the file, in alphabetical order.
    private(set) var patients: [String] = []
    /// Another name of the same patient, leading to the representative name.
    private var parents: [Name: Name] = [:]

    init(_ resources: [Resource]) {
        var subjects: [(name: Name, text: String)] = []
        for resource in resources {
            if resource.type == "Patient" { join(Self.names(ofPatient: resource.value, resource.address)) }
            let names = Self.names(of: resource)
            join(names.map(\.name))
            if let first = names.first { subjects.append(first) }
        }
        joinServers()
        joinUnlinked(subjects.map(\.name))
        var texts: [Name: String] = [:]
        for (name, text) in subjects {
            let patient = root(name)
            texts[patient] = min(texts[patient] ?? text, text)
        }
        patients = texts.values.sorted()
    }

    /// The patient of a resource; `nil` if it is only described in words.
    func patient(of resource: Resource) -> Name? { Self.names(of: resource).first.map { root($0.name) } }

    /// The patient of a typed reference or identifier; `nil` if the file does not contain it.
    func patient(called text: String) -> Name? {
        let name = Self.name(ofReference: text)
        if parents[name] != nil { return root(name) }
        let found = parents.keys.filter { known in
            switch (known, name) {
            case (.reference(_, let path), .reference(_, let typed)): path == typed
            case (.identifier(let system, let value), _): text == value || text == "\(system)|\(value)"
            default: false
            }
        }
        let patients = Set(found.map(root))
        return patients.count == 1 ? patients.first : nil
    }

    // MARK: One patient of several names

    private func root(_ name: Name) -> Name {
        var name = name
        while let parent = parents[name], parent != name { name = parent }
        return name
    }

    private mutating func join(_ names: [Name]) {
        for name in names {
            if parents[name] == nil { parents[name] = name }
            guard let first = names.first else { return }
            parents[root(name)] = root(first)
        }
    }

    /// Resolves relative references to the only server in the file.
    private mutating func joinServers() {
        var servers: [String: Set<String>] = [:]
        for case .reference(let server, let path) in parents.keys { servers[path, default: []].insert(server) }
        for (path, names) in servers where names.contains("") && names.count == 2 {
            join(names.map { .reference(server: $0, path: path) })
        }
    }

    /// Resolves identifiers alone to the only patient in the file, unless that one is known to have another.
    private mutating func joinUnlinked(_ subjects: [Name]) {
        let roots = Set(subjects.map(root))
        var identifiers: [Name: [String: Set<String>]] = [:]
        var referred: Set<Name> = []
        for name in parents.keys {
            switch name {
            case .reference: referred.insert(root(name))
            case .identifier(let system, let value):
                identifiers[root(name), default: [:]][system, default: []].insert(value)
            }
        }
        let known = roots.intersection(referred)
        guard known.count <= 1 else { return }
        var others = subjects.map(root).filter { !referred.contains($0) }
        guard let one = known.first ?? others.first else { return }
        others.removeAll { $0 == one }
        var own = identifiers[one] ?? [:]
        for other in others {
            let theirs = identifiers[other] ?? [:]
            guard theirs.allSatisfy({ own[$0.key]?.isDisjoint(with: $0.value) != true }) else { continue }
            own.merge(theirs) { $0.union($1) }
            parents[root(other)] = root(one)
        }
    }

    // MARK: Names

    /// The names of a resource's subject, each with its text in the file.
    private static func names(of resource: Resource) -> [(name: Name, text: String)] {
        guard let subject = resource.value["subject"] else { return [] }
        var names: [(name: Name, text: String)] = []
        if let text = subject["reference"]?.text {
            let contained = resource.value["contained"]?.elements ?? []
            let patient = contained.first { "#\($0["id"]?.text ?? "")" == text }
            if let patient, patient["identifier"] != nil {
                names += identifiers(patient["identifier"])
            } else {
                names.append((name(ofReference: text, from: resource.address), text))
            }
        }
        return names + identifiers(subject["identifier"])
    }

    private static func names(ofPatient value: JSON5Value, _ address: String?) -> [Name] {
        var names: [Name] = []
        if let address { names.append(name(ofReference: address)) }
        if let id = value["id"]?.text { names.append(name(ofReference: "Patient/\(id)", from: address)) }
        return names + identifiers(value["identifier"]).map(\.name)
    }

    private static func identifiers(_ value: JSON5Value?) -> [(name: Name, text: String)] {
        (value.map { $0.elements ?? [$0] } ?? []).prefix(16).compactMap { identifier in
            guard let text = identifier["value"]?.text else { return nil }
            let system = identifier["system"]?.text ?? ""
            return (.identifier(system: system, value: text), system.isEmpty ? text : "\(system)|\(text)")
        }
    }

    /// A reference without its version, split into server and path; a relative one belongs to the server of its
    /// resource.
    private static func name(ofReference text: String, from address: String? = nil) -> Name {
        var path = Substring(text)
        if let version = text.firstPlace(of: "/_history/") { path = path[..<version.lowerBound] }
        while path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return .reference(server: "", path: path.lowercased()) }
        let before = path[..<slash]
        let start = before.lastIndex { $0 == "/" || $0 == ":" }.map { before.index(after: $0) } ?? before.startIndex
        var server = String(before[..<start])
        while let last = server.last, last == "/" || last == ":" { server.removeLast() }
        if server.isEmpty, let address, case .reference(let other, _) = name(ofReference: address) { server = other }
        for scheme in ["http://", "https://"] where server.hasPrefix(scheme) { server.removeFirst(scheme.count) }
        return .reference(server: server.lowercased(), path: String(path[start...]))
    }
}
