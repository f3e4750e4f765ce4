// Types of other modules in the interface of this one, so that `import BlueZSimulator` is enough.
@_exported import BluetoothValues
@_exported import struct DBus.ObjectPath
@_exported import class EventLoops.EventLoop
@_exported import struct VitalDecoders.CharacteristicType
