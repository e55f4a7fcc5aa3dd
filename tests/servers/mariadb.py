"""MariaDB, the store `mysql` of saiban."""

from __future__ import annotations

import os

from .server import DATABASE, HOST, PASSWORD, USER, Server, program

SQL = f"""CREATE DATABASE IF NOT EXISTS {DATABASE};
CREATE USER IF NOT EXISTS '{USER}'@'{HOST}' IDENTIFIED BY '{PASSWORD}';
GRANT ALL ON *.* TO '{USER}'@'{HOST}' WITH GRANT OPTION;
"""


class MariaDb(Server):
    def make_data(self) -> None:
        self.prepare(
            program("mariadb-install-db", "mysql_install_db"),
            "--no-defaults",
            *self._common(),
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        )
        (self.folder / "first.sql").write_text(SQL)

    def command(self) -> list[str]:
        return [
            program("mariadbd", "mysqld"),
            "--no-defaults",
            *self._common(),
            f"--port={self.port}",
            f"--bind-address={HOST}",
            f"--socket={self.folder / 'socket'}",
            f"--pid-file={self.folder / 'pid'}",
            f"--init-file={self.folder / 'first.sql'}",
            f"--innodb-flush-log-at-trx-commit={1 if self.durable else 2}",
            "--skip-name-resolve",
            "--performance-schema=off",
        ]

    def answers(self) -> bool:
        with self.connect() as connection:
            greeting = connection.recv(64)
            return len(greeting) > 4 and greeting[4] == 10  # the protocol's version; an error has 255 there

    @property
    def url(self) -> str:
        return f"mysql://{USER}:{PASSWORD}@{HOST}:{self.port}/{DATABASE}"

    def _common(self) -> list[str]:
        user = ["--user=root"] if os.geteuid() == 0 else []
        return [
            *user,
            f"--datadir={self.data}",
            f"--tmpdir={self.folder}",
            "--innodb-log-file-size=8M",
            "--innodb-buffer-pool-size=32M",
        ]
