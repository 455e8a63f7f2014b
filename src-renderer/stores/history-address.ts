/** How far back the history looks. */
export const HISTORY_TIMES = ['today', 'week', 'month'] as const;
export type HistoryTime = (typeof HISTORY_TIMES)[number];

/** Which edits the history page lists. All that is given must hold. */
export interface HistoryFilter {
  /** A part of the path. */
  readonly file?: string;
  readonly session?: string;
  readonly tool?: string;
  /** `agent`, `person`, or the id of an app. */
  readonly caller?: string;
  readonly time?: HistoryTime;
}

/** What the history page shows: a list of edits, one edit, or who wrote each line of a file. */
export interface HistoryAddress extends HistoryFilter {
  readonly edit?: number;
  /** Absolute path of the file whose lines are looked at. */
  readonly blame?: string;
}

/** The address that stands behind the `?` of a location hash. What is empty or makes no sense is left out. */
export function parseHistoryAddress(query: string): HistoryAddress {
  const values = new URLSearchParams(query);
  const given = (key: string): string | undefined => values.get(key) || undefined;
  const [file, session, tool, caller, blame] = ['file', 'session', 'tool', 'caller', 'blame'].map(given);
  const time = HISTORY_TIMES.find((one) => one === given('time'));
  const edit = Number(given('edit'));
  return {
    ...(file !== undefined && { file }),
    ...(session !== undefined && { session }),
    ...(tool !== undefined && { tool }),
    ...(caller !== undefined && { caller }),
    ...(time !== undefined && { time }),
    ...(Number.isSafeInteger(edit) && edit > 0 && { edit }),
    ...(blame !== undefined && { blame }),
  };
}

/** What stands behind the `#/history` of an address: nothing for all edits. */
export function historyQueryText({ file, session, tool, caller, time, edit, blame }: HistoryAddress): string {
  const values = new URLSearchParams();
  for (const [key, value] of Object.entries({ file, session, tool, caller, time, edit, blame })) {
    if (value !== undefined && value !== '') values.set(key, String(value));
  }
  // Slashes are allowed here, and paths are easier to read with them.
  const text = values.toString().replaceAll('%2F', '/');
  return text === '' ? '' : `?${text}`;
}
