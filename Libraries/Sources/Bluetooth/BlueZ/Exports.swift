// Types of other modules in the interface of this one, so that `import BlueZ` is enough. Type aliases would not be
// enough: where a client enables `MemberImportVisibility`, the members of an aliased type stay hidden.
@_exported import BluetoothValues
@_exported import enum DBus.BusAddress
@_exported import struct DBus.ObjectPath
@_exported import class EventLoops.Broadcast
@_exported import class EventLoops.BroadcastDelivery
@_exported import struct EventLoops.BroadcastSequence
@_exported import class EventLoops.EventLoop
@_exported import struct EventLoops.Timestamp
