/** How long a server may take, and how much it may send. Times in milliseconds. */
export interface Limits {
  /** From launch until the server has said who it is. */
  connectMs: number;
  /** For `server/discover`, within the above; a stdio server that is silent that long is taken for one of the older protocol. */
  probeMs: number;
  /** For all pages of the list of tools. */
  listMs: number;
  /** For a call without any progress. */
  callIdleMs: number;
  /** For a whole call. */
  callTotalMs: number;
  /** For a sign of life of a server that may be gone. */
  pingMs: number;
  /** Starts again of a server that ended: the first wait, the longest, how many in a row, and what counts as having lasted. */
  restart: { firstMs: number; mostMs: number; attempts: number; calmMs: number };
  /** For a person to sign in in the browser. */
  signInMs: number;
  /** For each answer of an authorization server. */
  signInAnswerMs: number;
  /** For each step of the shutdown: after its stdin is closed, and after SIGTERM. */
  stopMs: number;
  /** Bytes of one message over stdio. */
  messageBytes: number;
  /** Pages, and tools, that one server's list may have. */
  pages: number;
  tools: number;
  /** Characters of a server's instructions that are kept. */
  instructionsLength: number;
  /** Launches at a time: of package runners (which download and unpack), and of all servers. */
  packageLaunches: number;
  launches: number;
}

export const DEFAULT_LIMITS: Limits = {
  connectMs: 30_000,
  probeMs: 10_000,
  listMs: 15_000,
  callIdleMs: 60_000,
  callTotalMs: 600_000,
  pingMs: 5_000,
  restart: { firstMs: 1_000, mostMs: 30_000, attempts: 5, calmMs: 60_000 },
  signInMs: 600_000,
  signInAnswerMs: 15_000,
  stopMs: 2_000,
  messageBytes: 32 * 1024 * 1024,
  pages: 100,
  tools: 2_000,
  instructionsLength: 8_192,
  packageLaunches: 2,
  launches: 16,
};
