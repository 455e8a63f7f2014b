/** How often the clocks are compared, in milliseconds. */
const EVERY_MS = 5_000;
/** Clocks that are further apart than this since the last look have slept, in milliseconds. */
const JUMP_MS = 10_000;

export interface Clocks {
  /** Goes on while the machine sleeps. */
  wall(): number;
  /** Stops while the machine sleeps, on most systems. */
  monotonic(): number;
}

const REAL: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() };

/** Looks at the clocks; gives true when the machine slept since the last look (or the clock was set, which looks the same). */
export function createSleepDetector(clocks: Clocks = REAL): () => boolean {
  let wall = clocks.wall();
  let monotonic = clocks.monotonic();
  return () => {
    const passed = { wall: clocks.wall() - wall, monotonic: clocks.monotonic() - monotonic };
    wall += passed.wall;
    monotonic += passed.monotonic;
    // Where both go on in sleep, the look itself comes late.
    return Math.abs(passed.wall - passed.monotonic) > JUMP_MS || passed.monotonic > EVERY_MS + JUMP_MS * 2;
  };
}

/** Tells when the machine has woken up. The program does not stay alive for it. */
export function watchSleep(onWake: () => void, clocks?: Clocks): Disposable {
  const slept = createSleepDetector(clocks);
  const timer = setInterval(() => {
    if (slept()) onWake();
  }, EVERY_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
