// What Rust's standard library asks of a system, in WASI's preview 1: clocks, randomness, sleep and
// standard error. There are no files, arguments or environment variables.
// https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md

const [SUCCESS, BADF, INVAL, NOSYS] = [0, 8, 28, 52];
const [REALTIME, MONOTONIC] = [0, 1];
const NS_PER_MS = 1_000_000n;
const STDERR = 2;
/** The real clocks, read before a test can install fake ones. */
const { now } = Date;
const elapsed = performance.now.bind(performance);
/** The size of a request and of an answer of `poll_oneoff`, and the kind of those for clocks. */
const [SUBSCRIPTION, EVENT, OF_CLOCK] = [48, 32, 0];

/** Returns the functions, over the memory that `memory()` returns. */
export function wasi(memory) {
  const view = () => new DataView(memory().buffer);
  const bytes = (place, count) => new Uint8Array(memory().buffer, place, count);
  const read = {
    [REALTIME]: () => BigInt(now()) * NS_PER_MS,
    [MONOTONIC]: () => BigInt(Math.floor(elapsed() * 1e6)),
  };
  let text;
  let line = '';

  /** Waits by running, because the main thread of a page must not sleep. */
  function wait(ns) {
    const end = read[MONOTONIC]() + ns;
    while (read[MONOTONIC]() < end);
  }

  const functions = {
    clock_time_get(clock, _precision, time) {
      if (read[clock] === undefined) return INVAL;
      view().setBigUint64(time, read[clock](), true);
      return SUCCESS;
    },
    random_get(place, count) {
      // getRandomValues refuses more than 65,536 bytes, and shared memory.
      for (let begin = 0; begin < count; begin += 65_536) {
        const some = new Uint8Array(Math.min(count - begin, 65_536));
        bytes(place + begin, some.length).set(crypto.getRandomValues(some));
      }
      return SUCCESS;
    },
    poll_oneoff(requests, answers, count, answered) {
      for (let index = 0; index < count; index += 1) {
        const request = requests + index * SUBSCRIPTION;
        if (view().getUint8(request + 8) !== OF_CLOCK) return NOSYS;
        const [clock, time, flags] = [
          view().getUint32(request + 16, true),
          view().getBigUint64(request + 24, true),
          view().getUint16(request + 40, true),
        ];
        if (read[clock] === undefined) return INVAL;
        // Flag 1: the time is one of the clock, and no duration.
        wait(flags & 1 ? time - read[clock]() : time);
        const answer = answers + index * EVENT;
        bytes(answer, EVENT).fill(0);
        view().setBigUint64(answer, view().getBigUint64(request, true), true);
      }
      view().setUint32(answered, count, true);
      return SUCCESS;
    },
    /** Standard error, which has the message of a panic. */
    fd_write(file, parts, count, written) {
      if (file !== STDERR) return BADF;
      let total = 0;
      // jsdom has none.
      text ??= new TextDecoder();
      for (let part = parts; part < parts + count * 8; part += 8) {
        const some = bytes(view().getUint32(part, true), view().getUint32(part + 4, true));
        line += text.decode(some.slice(), { stream: true });
        total += some.length;
      }
      const lines = line.split('\n');
      line = lines.pop();
      for (const whole of lines) console.error(whole);
      view().setUint32(written, total, true);
      return SUCCESS;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    sched_yield: () => SUCCESS,
    proc_exit(code) {
      throw new Error(`saiban's WebAssembly ended with exit code ${code}`);
    },
  };
  // Everything else is about files.
  return new Proxy(functions, { get: (known, name) => known[name] ?? (() => BADF) });
}
