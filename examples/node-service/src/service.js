// The service: makes IDs and shows their parts. Most are bigints in the program, and text in JSON,
// which has no bigints.

import { createServer } from 'node:http';
import { SaibanError, SaibanTypeError, inspect } from 'saiban';

const LARGEST_BODY = 10_000;
const MAX_IDS = 1000;

/** The HTTP status for saiban's errors, by kind. Other kinds mean bad input. */
const STATUS = {
  WOULD_WAIT: 503,
  CLOCK_BACKWARD: 503,
  CLOCK_UNAVAILABLE: 503,
  // The store was unreachable for longer than a lease, or this process is stopping.
  LEASE_EXPIRED: 503,
  LEASE_LOST: 503,
  INTERNAL: 500,
};

class BadRequest extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Converts to JSON, with bigints as text, because JavaScript clients would round numbers, and with
 * bytes as hexadecimal digits.
 */
const toJson = (value) =>
  JSON.stringify(value, (_key, part) => {
    if (part instanceof Uint8Array) return Buffer.from(part).toString('hex');
    return typeof part === 'bigint' ? String(part) : part;
  });

async function readBody(request) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (body.length > LARGEST_BODY) throw new BadRequest(413, 'TOO_LARGE', 'the body is too large');
  }
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch {
    throw new BadRequest(400, 'NOT_JSON', 'the body is not JSON');
  }
}

/**
 * Returns a server with these generators that does not listen yet. `secret` reads the Randflake IDs
 * of all processes.
 */
export function createService({ generators, secret }) {
  async function issue(request) {
    const { scheme = 'randflake', count = 1 } = await readBody(request);
    const ids = Object.hasOwn(generators, scheme) ? generators[scheme] : undefined;
    if (!ids) throw new BadRequest(400, 'UNKNOWN_NAME', `no scheme has this name: give ${Object.keys(generators).join(', ')}`);
    if (!Number.isInteger(count) || count < 1 || count > MAX_IDS) {
      throw new BadRequest(400, 'INVALID_ARGUMENT', `count: give 1 to ${MAX_IDS}`);
    }
    const made = [];
    // Waits for the next tick, if necessary, without blocking other requests.
    while (made.length < count) made.push(await ids.generateAsync());
    return { scheme, worker: process.pid, ids: made.map((id) => ({ id, text: ids.toText(id) })) };
  }

  function read(text, scheme) {
    if (scheme === null) return { text, canBe: inspect(text, { secret }) };
    if (!Object.hasOwn(generators, scheme)) throw new BadRequest(400, 'UNKNOWN_NAME', 'no scheme has this name');
    return { text, ...generators[scheme].inspect(text) };
  }

  async function answer(request) {
    const { pathname, searchParams } = new URL(request.url, 'http://service');
    const [, folder, name, ...more] = pathname.split('/');
    if (folder !== 'ids' || more.length > 0) throw new BadRequest(404, 'NOT_FOUND', 'there are POST /ids and GET /ids/TEXT');
    if (request.method === 'POST' && name === undefined) return [201, await issue(request)];
    if (request.method === 'GET' && name) return [200, read(decodeURIComponent(name), searchParams.get('scheme'))];
    throw new BadRequest(405, 'METHOD', 'there are POST /ids and GET /ids/TEXT');
  }

  function refusal(error) {
    if (error instanceof BadRequest) return [error.status, { code: error.code, message: error.message }];
    if (error instanceof SaibanError || error instanceof SaibanTypeError) {
      const { code, message, position } = error;
      return [STATUS[code] ?? 400, { code, message, position }];
    }
    if (error instanceof URIError) return [400, { code: 'NOT_TEXT', message: 'the path is not UTF-8' }];
    console.error(error);
    return [500, { code: 'INTERNAL', message: 'a defect of the service' }];
  }

  return createServer(async (request, response) => {
    let status;
    let body;
    try {
      [status, body] = await answer(request);
    } catch (error) {
      [status, body] = refusal(error);
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(`${toJson(body)}\n`);
  });
}
