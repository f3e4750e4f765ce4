// A declaration uses types of both libraries, so that `import HealthDevices` is enough.
@_exported import BlueZ
@_exported import VitalDecoders
