/** Ctrl-C, as a terminal sends it. */
export const INTERRUPT = '\x03';
