// Types of another module that the interface of this one consists of, so that `import VitalDecoders` is enough. An alias
// would not do: where a client enables `MemberImportVisibility`, the members of an aliased type stay hidden.
@_exported import BluetoothValues
