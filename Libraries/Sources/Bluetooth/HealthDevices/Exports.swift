// A declaration uses types of both libraries, and the lists are about its devices, so that `import HealthDevices` is
// enough.
@_exported import BlueZ
@_exported import DeviceLists
@_exported import VitalDecoders
