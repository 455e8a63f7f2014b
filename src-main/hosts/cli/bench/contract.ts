import type { JsonObject, ToolResult } from '../../../../src-shared/index.ts';
import type { App } from '../../../app.ts';

/**
 * One measured line of `causeway bench`. Less is better for every row: `value` and `floor` are costs in the same unit,
 * measured in the same run, because absolute values drift from machine to machine.
 */
export interface BenchRow {
  /** Stable, dotted: `shell.roundtrip`. */
  name: string;
  /** What Causeway needs. */
  value: number;
  /** `ms`, `MB` ... */
  unit: string;
  /** What the bare work needs without Causeway: physically near. */
  floor: number;
  /** `value / floor`. */
  ratio: number;
  /** The largest ratio that counts as good. */
  goal: number;
  /** `ratio <= goal`. */
  ok: boolean;
  /** What the floor is, or what stands out, in a sentence. */
  note?: string;
}

/** What a benchmark is given. App and folder belong to this run alone and are gone afterwards. */
export interface BenchContext {
  /** An app of its own: empty home, approvals off, `folder` as workspace, no servers attached. */
  readonly app: App;
  /** Absolute path of a temporary folder; it is the app's workspace. */
  readonly folder: string;
  /** A session of that app, for tool calls and edits. */
  readonly sessionId: string;
  /** Aborts when the person stops the benchmark. */
  readonly signal: AbortSignal;
  /** One tool call by the person through the gateway, in that session. @throws Error when the result is an error. */
  call(tool: string, input: JsonObject): Promise<ToolResult>;
}

/** One benchmark: one row. `run` closes whatever it opened. @throws an error whose sentence becomes the row's failure. */
export interface Bench {
  readonly name: string;
  run(context: BenchContext): Promise<BenchRow>;
}
