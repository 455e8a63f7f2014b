import { isSpecType, type CallToolResult, type ReadResourceResult } from '@modelcontextprotocol/client';
import { AppBridge, PostMessageTransport, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge';
import { isJsonObject, type JsonObject, type ResourceContents, type ToolResult } from '../../src-shared/index.ts';
import { readText } from './content.ts';

/** How long a view has to clean up before it goes, and to show that it is alive, in milliseconds. */
const TEARDOWN_MS = 600;
const ALIVE_MS = 8_000;
const STOPPED = 'ui/notifications/sandbox-stopped';

/** What a view may ask for, each answered by the card it is in. What rejects is told to the view as an error. */
export interface ViewRequests {
  call(tool: string, input: JsonObject, signal: AbortSignal): Promise<ToolResult>;
  read(uri: string): Promise<ResourceContents[]>;
  /** False when the person does not want it. */
  openLink(url: string): Promise<boolean>;
  say(text: string): Promise<boolean>;
  tell(text: string): Promise<void>;
  /** Gives what is really shown then. */
  show(mode: 'inline' | 'fullscreen'): 'inline' | 'fullscreen';
}

/** What a view says of itself. */
export interface ViewEvents {
  ready(): void;
  resized(height: number): void;
  /** It was ended, because it sent too much. */
  stopped(reason: 'flood' | 'size'): void;
  /** It wants to be closed. */
  leaving(): void;
}

/** The line to one view. */
export interface ViewLine {
  input(input: JsonObject): void;
  result(result: ToolResult): void;
  cancelled(reason: string): void;
  context(changed: McpUiHostContext): void;
  /** Whether it can be shown large. */
  readonly canFill: boolean;
  /** Asks for a sign of life; undefined when it never gives any. */
  alive(): Promise<boolean | undefined>;
  /** Lets it clean up, for a moment, and ends the line. */
  end(): Promise<void>;
}

/**
 * Connects the official bridge to the page in `frame`, which must not have been loaded yet.
 * @param html the view, handed to the frame when it is ready.
 */
export function connectView(
  frame: { window: Window; address: string },
  { html, context, version }: { html: string; context: McpUiHostContext; version: string },
  requests: ViewRequests,
  events: ViewEvents,
): ViewLine {
  const { origin } = new URL(frame.address);
  const bridge = new AppBridge(
    null,
    { name: 'Causeway', version },
    {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      message: { text: {} },
      updateModelContext: { text: {}, structuredContent: {} },
      sandbox: { permissions: {} },
    },
    { hostContext: context },
  );
  const transport = new PostMessageTransport(frame.window, frame.window);
  transport.send = async (message) => frame.window.postMessage(message, origin);
  let answers = false;

  bridge.onsandboxready = () => void bridge.sendSandboxResourceReady({ html });
  bridge.oninitialized = () => events.ready();
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined && Number.isFinite(height)) events.resized(height);
  };
  bridge.onrequestteardown = () => events.leaving();
  bridge.onloggingmessage = () => undefined;
  bridge.oncalltool = async ({ name, arguments: input = {} }, { mcpReq }) => {
    if (!isJsonObject(input)) throw new Error('The arguments of a call must be an object.');
    return toCallResult(await requests.call(name, input, mcpReq.signal));
  };
  bridge.onreadresource = async ({ uri }) => toReadResult(await requests.read(uri));
  bridge.onopenlink = async ({ url }) => refusedUnless(await requests.openLink(url));
  bridge.onmessage = async ({ content }) => refusedUnless(await requests.say(readText({ content })));
  bridge.onupdatemodelcontext = async (said) => {
    await requests.tell(readText(said));
    return {};
  };
  bridge.onrequestdisplaymode = async ({ mode }) => ({ mode: requests.show(mode === 'fullscreen' ? mode : 'inline') });

  const onStopped = ({ source, origin: from, data }: MessageEvent): void => {
    if (source !== frame.window || from !== origin || !isJsonObject(data) || data['method'] !== STOPPED) return;
    const reason = isJsonObject(data['params']) ? data['params']['reason'] : undefined;
    events.stopped(reason === 'size' ? 'size' : 'flood');
  };
  window.addEventListener('message', onStopped);
  // A view that is gone gets nothing more, and that is nobody's fault.
  const quietly = (sent: Promise<unknown>): void => void sent.catch(() => undefined);
  quietly(bridge.connect(transport));

  return {
    input: (input) => quietly(bridge.sendToolInput({ arguments: input })),
    result: (result) => quietly(bridge.sendToolResult(toCallResult(result))),
    cancelled: (reason) => quietly(bridge.sendToolCancelled({ reason })),
    context: (changed) => quietly(Promise.resolve(bridge.sendHostContextChange(changed))),
    get canFill() {
      return bridge.getAppCapabilities()?.availableDisplayModes?.includes('fullscreen') === true;
    },
    async alive() {
      try {
        await bridge.request({ method: 'ping' }, { timeout: ALIVE_MS });
        answers = true;
        return true;
      } catch {
        return answers ? false : undefined;
      }
    },
    async end() {
      try {
        await bridge.teardownResource({}, { timeout: TEARDOWN_MS });
      } catch {
        // It had its time.
      } finally {
        window.removeEventListener('message', onStopped);
        await bridge.close();
      }
    },
  };
}

function refusedUnless(done: boolean): { isError?: boolean } {
  return done ? {} : { isError: true };
}

function toCallResult({ content, structuredContent, isError, meta }: ToolResult): CallToolResult {
  const result = {
    content,
    isError,
    ...(structuredContent && { structuredContent }),
    ...(meta && { _meta: meta }),
  };
  if (isSpecType.CallToolResult(result)) return result;
  // A part that is no part of the protocol; views of the protocol could not read it either.
  return { content: [{ type: 'text', text: JSON.stringify(content) }], isError };
}

function toReadResult(contents: readonly ResourceContents[]): ReadResourceResult {
  const result = { contents };
  if (isSpecType.ReadResourceResult(result)) return result;
  throw new Error('The server gave something that is no resource.');
}
