/// A slot in a value that is being encoded; containers may fill it in any order.
final class JSONSlot {
    var content = Content.null

    enum Content {
        case null
        case boolean(Bool)
        case integer(Int64)
        case integers([Int64])
        case string(String)
        case list([JSONSlot])
        case object([(key: String, slot: JSONSlot)])
    }

    func append() -> JSONSlot {
        let slot = JSONSlot()
        guard case .list(var slots) = content else {
            content = .list([slot])
            return slot
        }
        // Emptied meanwhile, so that the list is not copied for each element.
        content = .null
        slots.append(slot)
        content = .list(slots)
        return slot
    }

    func member(_ key: String) -> JSONSlot {
        let slot = JSONSlot()
        guard case .object(var members) = content else {
            content = .object([(key, slot)])
            return slot
        }
        content = .null
        members.append((key, slot))
        content = .object(members)
        return slot
    }

    var count: Int {
        if case .list(let slots) = content { slots.count } else { 0 }
    }

    func write(to writer: inout JSONWriter) {
        switch content {
        case .null: writer.null()
        case .boolean(let value): writer.bool(value)
        case .integer(let value): writer.integer(value)
        case .string(let value): writer.string(value)
        case .integers(let values):
            writer.beginArray()
            for value in values { writer.integer(value) }
            writer.endArray()
        case .list(let slots):
            writer.beginArray()
            for slot in slots { slot.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.key(member.key)
                member.slot.write(to: &writer)
            }
            writer.endObject()
        }
    }
}
