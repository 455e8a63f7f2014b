import type { RpcInput } from '../../src-shared/index.ts';
import type { HistoryFilter, HistoryTime } from '../stores/history-address.ts';

const DAYS: Readonly<Record<HistoryTime, number>> = { today: 0, week: 6, month: 29 };

/** The beginning of the first day that counts. Days are those of this machine's clock, and today is one of them. */
export function startOf(time: HistoryTime, now: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - DAYS[time]);
  return day.getTime();
}

/** A filter as the core takes it. */
export function queryOf(filter: HistoryFilter, now: number): RpcInput<'history.list'> {
  const { session, tool, caller, time } = filter;
  const pathPart = filter.file?.trim() ?? '';
  return {
    ...(pathPart !== '' && { pathPart }),
    ...(session !== undefined && { sessionId: session }),
    ...(tool !== undefined && { tool }),
    ...(caller !== undefined && { caller }),
    ...(time !== undefined && { from: startOf(time, now) }),
  };
}

/** Whether anything is left out of the list. */
export function isFiltered(filter: HistoryFilter): boolean {
  return Object.keys(queryOf(filter, 0)).length > 0;
}
