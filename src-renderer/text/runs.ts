/** Characters of a line that look the same. `looks` are class names, the outermost first. */
export interface Run {
  readonly text: string;
  readonly looks: readonly string[];
}

/** A line of coloured code. `open` says that something which began in it (a comment, a string) goes on in the next one. */
export interface RunLine {
  readonly runs: readonly Run[];
  readonly open: boolean;
}

/** From one character to before another. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/* What the highlighter makes: spans with nothing but a class, and five characters escaped. Anything else is text. */
const TOKEN = /<span class="([\w -]*)">|(<\/span>)|(\n)|&(amp|lt|gt|quot|#x27);|[^<&\n]+|[<&]/g;
const ESCAPED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** Highlighted code as lines: what is open at the end of a line is closed there and opened again in the next. */
export function htmlLines(html: string): RunLine[] {
  const lines: RunLine[] = [];
  const looks: string[] = [];
  let runs: Run[] = [];
  for (const [token, opened, closed, lineEnd, escaped] of html.matchAll(TOKEN)) {
    if (opened !== undefined) looks.push(opened);
    else if (closed !== undefined) looks.pop();
    else if (lineEnd !== undefined) {
      lines.push({ runs, open: looks.length > 0 });
      runs = [];
    } else addText(runs, escaped === undefined ? token : (ESCAPED[escaped] ?? token), looks);
  }
  return [...lines, { runs, open: looks.length > 0 }];
}

/**
 * Runs as nodes of the page. They are text and spans with a class, whatever was coloured: there is no HTML in between that would
 * have to be sanitised.
 */
export function runNodes(runs: readonly Run[]): Node[] {
  return runs.map(({ text, looks }) =>
    looks.reduceRight<Node>((inner, look) => {
      const span = document.createElement('span');
      span.className = look;
      span.append(inner);
      return span;
    }, document.createTextNode(text)),
  );
}

/** The same runs, with one more look for the characters in `ranges` (in order, not overlapping). */
export function markRuns(runs: readonly Run[], ranges: readonly Range[], look: string): Run[] {
  const marked: Run[] = [];
  let start = 0;
  for (const { text, looks } of runs) {
    const end = start + text.length;
    let at = start;
    for (const { from, to } of ranges) {
      if (to <= at || from >= end) continue;
      const begin = Math.max(from, at);
      const stop = Math.min(to, end);
      if (begin > at) marked.push({ text: text.slice(at - start, begin - start), looks });
      marked.push({ text: text.slice(begin - start, stop - start), looks: [...looks, look] });
      at = stop;
    }
    if (at < end) marked.push({ text: text.slice(at - start), looks });
    start = end;
  }
  return marked;
}

/** Text after an escape is one run with the text before it. */
function addText(runs: Run[], text: string, looks: readonly string[]): void {
  const last = runs.at(-1);
  const same = last?.looks.length === looks.length && last.looks.every((look, at) => look === looks[at]);
  if (last && same) runs[runs.length - 1] = { text: last.text + text, looks: last.looks };
  else runs.push({ text, looks: [...looks] });
}
