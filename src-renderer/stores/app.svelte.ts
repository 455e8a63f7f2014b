import { createContext } from 'svelte';
import {
  defaultSettings,
  type HostInfo,
  type ServerOffers,
  type ServerView,
  type SessionSummary,
  type Settings,
  type ToolDefinition,
} from '../../src-shared/index.ts';
import { createConflicts, type Conflicts } from '../conflicts/conflicts.svelte.ts';
import type { ConnectionState, Rpc } from '../rpc/client.ts';
import { createLoadable, type Loadable } from './loadable.svelte.ts';
import { withSession } from './groups.ts';
import { createNotices, type Notices } from './notices.svelte.ts';
import { createRouter, type Router } from './router.svelte.ts';

/** What all views share: the line to the core, and the lists that the core keeps current. */
export interface App {
  readonly rpc: Rpc;
  readonly router: Router;
  readonly notices: Notices;
  readonly conflicts: Conflicts;
  readonly connection: ConnectionState;
  readonly host: Loadable<HostInfo>;
  readonly sessions: Loadable<readonly SessionSummary[]>;
  readonly servers: Loadable<readonly ServerView[]>;
  readonly tools: Loadable<readonly ToolDefinition[]>;
  /** What attached servers offer beside tools. */
  readonly offers: Loadable<ServerOffers>;
  readonly settings: Settings;
  /** False until the settings are here: until then they are the defaults. */
  readonly settingsKnown: boolean;
  /**
   * Changes some settings of a section. One change goes after the other, each on top of what came back from the one before:
   * the core takes settings only as a whole, and two quick changes must not undo each other. False when the core refused.
   */
  readonly change: <S extends keyof Settings>(section: S, values: Partial<Settings[S]>) => Promise<boolean>;
  /** Ticks once a second, for "running since". */
  readonly now: number;
}

export function createApp(rpc: Rpc): App {
  let connection = $state<ConnectionState>(rpc.state);
  let known = $state.raw<Settings>();
  const settings = $derived(known ?? defaultSettings);
  let now = $state(Date.now());
  let changes: Promise<boolean> = Promise.resolve(true);
  const notices = createNotices();
  const host = createLoadable<HostInfo>(() => rpc.call('host.info', {}));
  const sessions = createLoadable<readonly SessionSummary[]>(() => rpc.call('session.list', {}));
  const servers = createLoadable<readonly ServerView[]>(() => rpc.call('server.list', {}));
  const tools = createLoadable<readonly ToolDefinition[]>(() => rpc.call('tool.list', {}));

  const offers = createLoadable<ServerOffers>(() => rpc.call('server.offers', {}));

  async function loadAll(): Promise<void> {
    await Promise.all([
      host.load().then(() => host.value?.warnings.forEach(notices.show)),
      sessions.load(),
      servers.load(),
      tools.load(),
      offers.load(),
      notices.guard(async () => (known = await rpc.call('settings.get', {}))),
    ]);
  }

  rpc.onPush((message) => {
    switch (message.push) {
      case 'session':
        return sessions.set(withSession(sessions.value ?? [], message.session));
      case 'servers':
        servers.set(message.servers);
        return void tools.load();
      case 'offers':
        return offers.set(message.offers);
      case 'settings':
        known = message.settings;
        return void host.load();
    }
  });
  rpc.onState((state) => {
    const again = connection === 'reconnecting';
    connection = state;
    if (state === 'connected' && again) void loadAll();
  });
  setInterval(() => (now = Date.now()), 1000);
  void loadAll();

  return {
    rpc,
    router: createRouter(),
    notices,
    conflicts: createConflicts(),
    host,
    sessions,
    servers,
    tools,
    offers,
    get connection() {
      return connection;
    },
    get settings() {
      return settings;
    },
    get settingsKnown() {
      return known !== undefined;
    },
    get now() {
      return now;
    },
    change(section, values) {
      changes = changes.then(async () => {
        const next = { ...settings, [section]: { ...settings[section], ...values } };
        const saved = await notices.guard(() => rpc.call('settings.set', next));
        if (saved) known = saved;
        return saved !== undefined;
      });
      return changes;
    },
  };
}

export const [useApp, provideApp] = createContext<App>();
