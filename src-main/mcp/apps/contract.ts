import type { JsonObject, OpenView, ResourceContents, ToolResult } from '../../../src-shared/index.ts';

/** A call, as a window names it. */
export interface CallPlace {
  sessionId: string;
  callId: string;
}

/** The views of tool calls (MCP Apps): kept with the call, and served when they ask for something. */
export interface Views extends Disposable {
  /** The page that shows a call. @throws CausewayError `not_found` when it has none. */
  open(place: CallPlace): Omit<OpenView, 'frame'>;
  /** The result of the call, whole where it was shortened for the log. @throws CausewayError `not_found` while there is none. */
  result(place: CallPlace): ToolResult;
  /**
   * Calls a tool of the view's own server, as a call of its own.
   * @throws CausewayError `refused` for tools of others, for tools that are not for views, and for too many calls.
   */
  call(place: CallPlace, request: { id: string; tool: string; input: JsonObject }): Promise<ToolResult>;
  /** Reads a resource of the view's own server. @throws CausewayError */
  read(place: CallPlace, uri: string): Promise<ResourceContents[]>;
  /** What the model is to be told with the next message; undefined takes it back. */
  tell(place: CallPlace, text: string | undefined): void;
  /** Puts what the views of a session want the model to know into its log, once. */
  passOn(sessionId: string): void;
}
