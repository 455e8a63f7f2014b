import { z } from 'zod';

/** Bytes as text. */
const base64 = z.base64();
const terminalId = z.string().min(1);
/** Columns or rows. */
const cells = z.number().int().min(1).max(1000);

/** Typed text of one message, in characters: a longer paste takes several. */
export const MOST_TYPED = 32_768;

/** The running command of a session's shell, or a background job of it, opened for a person. */
export const openTerminal = z.object({
  terminalId,
  command: z.string(),
  /** The size that the program knows, until somebody changes it. */
  columns: cells,
  rows: cells,
  /** What it wrote so far, raw; of much, the end. */
  data: base64,
});
export type OpenTerminal = z.infer<typeof openTerminal>;

/** What a terminal wrote since the last read. */
export const terminalChunk = z.object({
  data: base64,
  /** `start`: there was more than could be kept for this reader; `data` is the newest of all, to be shown instead. */
  from: z.enum(['here', 'start']),
  /** The command has ended, and this is the last of it. */
  ended: z.boolean(),
});
export type TerminalChunk = z.infer<typeof terminalChunk>;

/**
 * What happens to typed text: the terminal shows it; nobody does, as for a password; or the program that reads it decides
 * (raw mode: editors, prompts with line editing).
 */
export const typedText = z.enum(['shown', 'hidden', 'program']);
export type TypedText = z.infer<typeof typedText>;

const nothing = z.object({});

/** Methods for the live terminals of a window. What is typed goes to the program and nowhere else. */
export const terminalContract = {
  /** Null when nothing runs there. */
  'terminal.open': {
    input: z.object({ sessionId: z.string().min(1), job: z.string().optional() }),
    output: z.object({ terminal: openTerminal.nullable() }),
  },
  /** Answers as soon as there is something; the next read says that the last was shown, so nothing piles up. */
  'terminal.read': { input: z.object({ terminalId }), output: terminalChunk },
  'terminal.write': { input: z.object({ terminalId, text: z.string().max(MOST_TYPED) }), output: nothing },
  'terminal.resize': { input: z.object({ terminalId, columns: cells, rows: cells }), output: nothing },
  /** What becomes of what is typed; `hidden` also when that cannot be found out. */
  'terminal.typing': { input: z.object({ terminalId }), output: z.object({ typedText }) },
  /** Ends the command: Ctrl-C first, then harder. The shell stays. */
  'terminal.stop': { input: z.object({ terminalId }), output: nothing },
  'terminal.close': { input: z.object({ terminalId }), output: nothing },
} satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;
