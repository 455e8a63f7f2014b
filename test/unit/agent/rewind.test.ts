import { describe, expect, it } from 'vitest';
import type { EventBody, SessionEvent } from '../../../src-shared/index.ts';
import { effectiveEvents } from '../../../src-main/agent/rewind.ts';

const said = (text: string): EventBody => ({ type: 'message.user', runId: 'r', text });
const back = (to: number, from: number, conversation = true): EventBody => ({
  type: 'session.rewound',
  ...{ to, from, conversation, files: 0 },
});

function heard(...bodies: EventBody[]): string[] {
  const events = bodies.map((body, index): SessionEvent => ({ ...body, seq: index + 1, sessionId: 's', at: index }));
  return effectiveEvents(events).map((event) => (event.type === 'message.user' ? event.text : event.type));
}

describe('what a conversation consists of', () => {
  it('is all that was said, while nobody went back in it', () => {
    expect(heard(said('one'), said('two'), back(1, 2, false))).toEqual(['one', 'two', 'session.rewound']);
  });

  it('is without what was said since a point that the person went back to', () => {
    expect(heard(said('one'), said('two'), back(1, 2), said('three'))).toEqual(['one', 'three']);
  });

  it('is with it again after going forward', () => {
    expect(heard(said('one'), said('two'), back(1, 2), said('three'), back(2, 4))).toEqual(['one', 'two']);
    expect(heard(said('one'), said('two'), back(1, 2), said('three'), back(2, 4), back(4, 5))).toEqual([
      'one',
      'three',
    ]);
  });

  it('can be nothing at all', () => {
    expect(heard(said('one'), back(0, 1))).toEqual([]);
  });
});
