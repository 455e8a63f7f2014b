import { z } from 'zod';
import type { StoredResult } from '../../src-shared/index.ts';

const table = z.object({
  columns: z.array(z.string()).min(1),
  /** As text, as the program shows them; a missing value is null. */
  rows: z.array(z.array(z.string().nullable())),
  totalRows: z.number().int().nonnegative(),
  totalColumns: z.number().int().nonnegative(),
});

/** A table of a result: as much of it as came along. */
export type DataTable = z.infer<typeof table>;

/** The tables that a call gave back beside their text. They come from code, so what has not their form is left out. */
export function tablesOf({ structuredContent }: StoredResult): DataTable[] {
  const given = structuredContent?.['tables'];
  return Array.isArray(given) ? given.flatMap((one) => table.safeParse(one).data ?? []) : [];
}

/** The rows in the order of a column: numbers as numbers, missing values last. `direction` 1 is upwards, -1 downwards. */
export function sortedRows(
  rows: DataTable['rows'],
  column: number,
  direction: 1 | -1,
  locale: string,
): DataTable['rows'] {
  const words = new Intl.Collator(locale, { numeric: true });
  return rows.toSorted((a, b) => {
    const [x, y] = [a[column] ?? null, b[column] ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const [n, m] = [Number(x), Number(y)];
    const order = Number.isNaN(n) || Number.isNaN(m) ? words.compare(x, y) : n - m;
    return order * direction;
  });
}

/** Comma-separated values as spreadsheets read them (RFC 4180). */
export function toCsv({ columns, rows }: Pick<DataTable, 'columns' | 'rows'>): string {
  const cell = (value: string | null): string => {
    const text = value ?? '';
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n');
}
