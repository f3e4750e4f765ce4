// Types of another module in the interface of this one, so that `import VitalDecoders` is enough. Type aliases would
// not be enough: where a client enables `MemberImportVisibility`, the members of an aliased type stay hidden.
@_exported import BluetoothValues
