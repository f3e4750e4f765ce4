// Types of another module that the interface of this one consists of, so that `import BlueZSimulator` is enough.
@_exported import BluetoothValues
