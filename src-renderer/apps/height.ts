/** Pixels of a view in the timeline: until it says how tall it is, and what it may have. */
export const START_HEIGHT = 240;
const LEAST_HEIGHT = 48;
export const MOST_HEIGHT = 720;

/** The height that a view gets for the one it wants. */
export function clampHeight(wanted: number): number {
  return Math.round(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, wanted)));
}
