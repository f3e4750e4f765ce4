// Types of other modules that the interface of this one consists of, so that `import BlueZ` is enough. An alias would
// not do: where a client enables `MemberImportVisibility`, the members of an aliased type stay hidden.
@_exported import BluetoothValues
@_exported import enum DBus.BusAddress
@_exported import struct DBus.ObjectPath
@_exported import class EventLoops.EventLoop
@_exported import struct EventLoops.Timestamp
