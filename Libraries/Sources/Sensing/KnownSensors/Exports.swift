// Who uses a known sensor has the conversation with it, so that `import KnownSensors` is enough.
@_exported import SensorDrivers
