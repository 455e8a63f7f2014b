/** Longest message that is read from an app, in bytes: room for a file of some megabytes as an argument. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
