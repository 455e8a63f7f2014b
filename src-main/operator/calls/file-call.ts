import type { FileStat } from '../contract.ts';

/** What can be asked for where files are worked on: the methods of a `FileOperator`. Bytes travel beside it. */
export type FileCall =
  | { readonly method: 'stat'; readonly path: string; readonly follow: boolean }
  | { readonly method: 'read'; readonly path: string; readonly range?: { offset: number; length: number } }
  /** For `holds`: the hash of a file of this size, so that what is expected need not travel. */
  | { readonly method: 'digest'; readonly path: string; readonly size: number }
  | {
      readonly method: 'write';
      readonly path: string;
      readonly mode?: number;
      readonly follow: boolean;
      readonly syncFolder: boolean;
      readonly ifStill?: FileStat | null;
    }
  | { readonly method: 'remove'; readonly path: string; readonly syncFolder: boolean }
  | { readonly method: 'setMode'; readonly path: string; readonly mode: number }
  | { readonly method: 'makeFolder'; readonly path: string; readonly mode?: number }
  | { readonly method: PlainMethod; readonly path: string };

const PLAIN_METHODS = [
  ...(['realPath', 'entry', 'holds', 'syncFolder', 'readLink', 'makeLink', 'removeFolder', 'list', 'settle'] as const),
] as const;
type PlainMethod = (typeof PLAIN_METHODS)[number];
const METHODS: readonly string[] = [
  ...PLAIN_METHODS,
  ...['stat', 'read', 'digest', 'write', 'remove', 'setMode', 'makeFolder'],
];

/** A call's answer: a value as JSON, and bytes beside it. */
export interface Answer {
  readonly value: unknown;
  readonly payload: Uint8Array;
}

/** Where calls are done. @throws CausewayError */
export type Send = (call: FileCall, payload?: readonly Uint8Array[]) => Promise<Answer>;

/** The form of a call, no further. */
export function isCall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('method' in value) || !('path' in value)) return false;
  return METHODS.includes(String(value.method)) && typeof value.path === 'string';
}
