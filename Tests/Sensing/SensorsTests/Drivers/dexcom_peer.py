"""A Dexcom G5 transmitter as public descriptions have it, with the cryptography of Python's cryptography.

Each line of the input is answered with one line:

    begin IDENTIFIER SEED BONDED    a new transmitter; answers what glucose it has, in mg/dL, and its state
    write ATTRIBUTE OCTETS          a write to characteristic 3534 or 3535; answers what it indicates, as the same words

It answers only what it should: nothing of its values to who has not proved to know its identifier.
"""

import binascii
import random
import struct
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

CONTROL, AUTHENTICATION = "3534", "3535"


def with_checksum(octets):
    """A frame of the control characteristic; `crc_hqx` is the CRC of XMODEM."""
    return octets + struct.pack("<H", binascii.crc_hqx(octets, 0))


class Transmitter:
    def __init__(self, identifier, seed, bonded):
        source = random.Random(int(seed))
        self.key = b"00" + identifier.encode() + b"00" + identifier.encode()
        self.challenge = source.randbytes(8)
        self.bonded = int(bonded)
        self.is_authenticated = False
        self.time = source.randrange(1, 2**31)
        self.session = source.choice([0xFFFFFFFF, self.time - source.randrange(0, self.time)])
        self.sequence = source.randrange(2**32)
        self.glucose = source.randrange(40, 401)
        self.is_display_only = source.random() < 0.3
        self.state = source.choice([6, 6, 6, 7, 2, 4, 0x18])
        self.trend = source.randrange(-128, 128)

    def hash(self, octets):
        encryptor = Cipher(algorithms.AES(self.key), modes.ECB()).encryptor()
        return (encryptor.update(octets + octets) + encryptor.finalize())[:8]

    def written(self, attribute, octets):
        if attribute == AUTHENTICATION:
            return self.authenticate(octets)
        return self.control(octets) if self.is_authenticated and attribute == CONTROL else b""

    def authenticate(self, octets):
        if octets[0] == 0x01 and len(octets) == 10 and octets[9] in (1, 2):
            return b"\x03" + self.hash(octets[1:9]) + self.challenge
        if octets[0] == 0x04 and len(octets) == 9:
            self.is_authenticated = octets[1:] == self.hash(self.challenge)
            return bytes([0x05, self.is_authenticated, self.bonded])
        return b""

    def control(self, octets):
        if octets == b"\x09":
            return b""
        if with_checksum(octets[:-2]) != octets:
            return b""
        match octets[0]:
            case 0x24:
                return with_checksum(struct.pack("<BBIII", 0x25, 0, self.time, self.session, 1))
            case 0x30:
                glucose = self.glucose | (0x1000 if self.is_display_only else 0)
                return with_checksum(
                    struct.pack("<BBIIHBb", 0x31, 0, self.sequence, self.time, glucose, self.state, self.trend)
                )
            case 0x22:
                return with_checksum(struct.pack("<BBHHHBB", 0x23, 0, 300, 290, 600, 20, 30))
        raise SystemExit(f"a monitor must not send {octets.hex()}")


def main():
    transmitter = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "begin":
            transmitter = Transmitter(*words[1:])
            has_session = transmitter.session != 0xFFFFFFFF
            print(transmitter.glucose, transmitter.state if has_session else "none", flush=True)
        else:
            answer = transmitter.written(words[1], bytes.fromhex(words[2]))
            print(words[1] if answer else "", answer.hex(), flush=True)


main()
