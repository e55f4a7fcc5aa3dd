// Real servers for tests, from tests/servers/run: in temporary folders, on free ports. They stop
// with the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('../../tests/servers/run', import.meta.url));

/** The kinds of servers that leases are tested with. */
export const KINDS = ['postgres', 'mysql', 'redis', 'etcd', 'zookeeper', 'saiban'];

/** Starts a server of this kind, passes it to the body, and stops it. */
export async function withServer(kind, body) {
  const server = spawn('python3', [RUN, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'close');
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const line = async () => {
    const { value } = await lines.next();
    return value ?? 'nothing more';
  };
  try {
    const [, url] = (await line()).match(/^URL (.*)$/) ?? [];
    if (!url) throw new Error(`${kind} did not start`);
    /** Runs a command of tests/servers/run: `stop`, `start`, … */
    const order = async (what) => {
      server.stdin.write(`${what}\n`);
      const answer = await line();
      if (answer !== 'ok') throw new Error(`${what}: ${answer}`);
    };
    return await body({ url, order });
  } finally {
    server.stdin.end();
    await ended;
  }
}
