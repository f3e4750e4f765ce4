"""What is no sensor: things that advertise in the same room."""

from __future__ import annotations

import struct

from bumble.core import AdvertisingData
from bumble.gatt import Service

from .peripheral import Peripheral


class Stranger(Peripheral):
    """Something that advertises: with a name and manufacturer data, or with whatever octets it was given."""

    def __init__(self, *arguments, company: int | None = None, data: bytes = b"", raw: bytes | None = None, **options):
        self.company = company
        self.data = data
        self.raw = raw
        """Its whole advertisement, right or wrong."""
        super().__init__(*arguments, **options)

    def services(self) -> list[Service]:
        return []

    def advertising_data(self) -> list[tuple[int, bytes]]:
        data = self.flags_and_services()
        if self.company is not None:
            manufacturer = struct.pack("<H", self.company) + self.data
            data.append((AdvertisingData.MANUFACTURER_SPECIFIC_DATA, manufacturer))
        return self.with_name(data)

    def scan_response(self) -> list[tuple[int, bytes]]:
        return []

    def advertisement(self) -> bytes:
        return super().advertisement() if self.raw is None else self.raw
