// Types of another module in the interface of this one, so that `import Vitals` is enough.
@_exported import enum BluetoothValues.BusState
@_exported import enum BluetoothValues.DaemonState
@_exported import enum BluetoothValues.TemperatureUnit
