"""The socket through which tests drive the world."""

from __future__ import annotations

import asyncio
from pathlib import Path

from .commands import Commands


class ControlSocket:
    """Takes commands, one a line, and answers each with a line."""

    def __init__(self, path: Path, commands: Commands) -> None:
        self._path = path
        self._commands = commands

    async def serve(self) -> None:
        """Serves until it is cancelled."""
        self._path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._serve_client, self._path)
        self._path.chmod(0o666)
        async with server:
            await server.serve_forever()

    async def _serve_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                text = line.decode(errors="replace").strip(" \r\n")
                if text and not text.startswith("#"):
                    writer.write((await self._commands.perform(text)).encode() + b"\n")
                    await writer.drain()
        except (ConnectionError, ValueError):  # It left, or its line has no end.
            pass
        finally:
            writer.close()
