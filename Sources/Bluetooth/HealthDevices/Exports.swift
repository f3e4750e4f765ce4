// A declaration names types of both libraries, so `import HealthDevices` is enough.
@_exported import BlueZ
@_exported import VitalDecoders
