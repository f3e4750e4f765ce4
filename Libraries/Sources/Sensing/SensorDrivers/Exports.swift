// A driver uses types of these modules, so that `import SensorDrivers` is enough.
@_exported import BlueZ
@_exported import VitalDecoders
@_exported import Vitals
@_exported import Waves
