// Types of another module that the interface of this one consists of, so that `import Vitals` is enough.
@_exported import enum BluetoothValues.BusState
@_exported import enum BluetoothValues.DaemonState
@_exported import enum BluetoothValues.TemperatureUnit
