/// The exported objects of a connection.
struct ExportTable {
    private(set) var objects: [ObjectPath: [ExportedInterface]] = [:]
    /// The paths in the order of their export, so that parents are announced before children.
    private(set) var order: [ObjectPath] = []
    var managers: Set<ObjectPath> = []

    func interface(_ path: ObjectPath, _ name: String) -> ExportedInterface? {
        objects[path]?.first { $0.name == name }
    }

    mutating func add(_ path: ObjectPath, _ interfaces: [ExportedInterface]) {
        if objects[path] == nil { order.append(path) }
        let names = Set(interfaces.map(\.name))
        objects[path, default: []].removeAll { names.contains($0.name) }
        objects[path, default: []].append(contentsOf: interfaces)
    }

    /// Removes interfaces, all of them when no names are given; returns the names of the removed ones.
    mutating func remove(_ path: ObjectPath, _ names: [String]?) -> [String] {
        guard let present = objects[path]?.map(\.name) else { return [] }
        let removed = names.map { names in present.filter { names.contains($0) } } ?? present
        objects[path]?.removeAll { removed.contains($0.name) }
        if objects[path]?.isEmpty ?? true {
            objects[path] = nil
            order.removeAll { $0 == path }
        }
        return removed
    }

    /// Changes property values; a missing property is added.
    ///
    /// Returns whether the interface exists.
    mutating func setProperties(_ path: ObjectPath, _ interface: String, _ values: [(String, DBusValue)]) -> Bool {
        guard let index = objects[path]?.firstIndex(where: { $0.name == interface }) else { return false }
        for (name, value) in values {
            if let property = objects[path]?[index].properties.firstIndex(where: { $0.name == name }) {
                objects[path]?[index].properties[property].value = value
            } else {
                objects[path]?[index].properties.append((name, value))
            }
        }
        return true
    }

    mutating func removeProperties(_ path: ObjectPath, _ interface: String, _ names: [String]) {
        guard let index = objects[path]?.firstIndex(where: { $0.name == interface }) else { return }
        objects[path]?[index].properties.removeAll { names.contains($0.name) }
    }

    /// Whether there is an object at a path, or an ancestor of one.
    func isKnown(_ path: ObjectPath) -> Bool {
        objects[path] != nil || managers.contains(path) || order.contains { $0.isBelow(path) }
    }

    /// The manager whose tree a path belongs to.
    func manager(of path: ObjectPath) -> ObjectPath? {
        managers.filter { path.isBelow($0) }.max { $0.description.utf8.count < $1.description.utf8.count }
    }

    /// The result of `GetManagedObjects`, `a{oa{sa{sv}}}`.
    func managedObjects(below manager: ObjectPath) -> DBusValue {
        let entries = order.filter { $0.isBelow(manager) }.map { path in
            DBusEntry(.objectPath(path), Self.interfacesAndProperties(objects[path] ?? []))
        }
        return .dictionary(entries, key: .objectPath, value: .dictionary(key: .string, value: .properties))
    }

    /// Interfaces with their properties, `a{sa{sv}}`.
    static func interfacesAndProperties(_ interfaces: [ExportedInterface]) -> DBusValue {
        .dictionary(
            interfaces.map { DBusEntry(.string($0.name), .properties($0.properties.map { ($0.name, $0.value) })) },
            key: .string, value: .properties)
    }

    /// The names of the next path elements below a path, for introspection.
    func children(of path: ObjectPath) -> [String] {
        let prefix = path == .root ? "/" : path.description + "/"
        var names: [String] = []
        for other in order where other.isBelow(path) {
            let name = String(other.description.dropFirst(prefix.count).prefix { $0 != "/" })
            if !names.contains(name) { names.append(name) }
        }
        return names
    }
}
