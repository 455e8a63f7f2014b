/** The one IPC channel, both ways: RPC messages as JSON text. */
export const CHANNEL = 'causeway';
/** Where the window is served from. */
export const ORIGIN = 'causeway://app';
/** Where the frame of views is served from: an origin of its own. */
export const VIEW_ORIGIN = 'causeway://view';
