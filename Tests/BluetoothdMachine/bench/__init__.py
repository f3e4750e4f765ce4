"""The bench's own world: Bluetooth controllers, sensors in the air, the message bus and bluetoothd.

Nothing in here speaks to a D-Bus client: all that a client sees comes from the real bluetoothd and the real kernel.
"""
