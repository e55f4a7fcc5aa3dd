"""PostgreSQL."""

from __future__ import annotations

import signal
import struct

from .server import DATABASE, HOST, PASSWORD, USER, Server, program


class Postgres(Server):
    STOP = signal.SIGINT  # SIGTERM would wait until all clients disconnect
    ORPHANED = "QUIT"  # also ends its child processes and frees its shared memory
    NOT_ROOT = "postgres"

    def make_data(self) -> None:
        password = self.folder / "password"
        password.write_text(PASSWORD)
        self.prepare(
            _program("initdb"),
            f"--pgdata={self.data}",
            f"--username={USER}",
            f"--pwfile={password}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        )
        create = f"CREATE DATABASE {DATABASE}".encode()
        self.prepare(_program("postgres"), "--single", "-F", "-D", str(self.data), "postgres", stdin=create)

    def command(self) -> list[str]:
        fsync = "on" if self.durable else "off"
        settings = [
            f"port={self.port}",
            f"listen_addresses={HOST}",
            "unix_socket_directories=",
            f"fsync={fsync}",
            f"full_page_writes={fsync}",
            "shared_buffers=16MB",
            "max_wal_size=64MB",
            "min_wal_size=32MB",
        ]
        return [_program("postgres"), "-D", str(self.data), *(part for each in settings for part in ("-c", each))]

    def answers(self) -> bool:
        with self.connect() as connection:
            message = struct.pack("!i", 3 << 16) + f"user\0{USER}\0database\0{DATABASE}\0\0".encode()
            connection.sendall(struct.pack("!i", len(message) + 4) + message)
            return connection.recv(1) == b"R"  # R requests the password; E is an error

    @property
    def url(self) -> str:
        return f"postgres://{USER}:{PASSWORD}@{HOST}:{self.port}/{DATABASE}"


def _program(name: str) -> str:
    return program(f"/usr/lib/postgresql/*/bin/{name}", name)
