/** Where the window is. Everything that can be looked at has an address. */
export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'session'; readonly id: string }
  | { readonly page: 'servers' }
  | { readonly page: 'tools'; readonly name?: string }
  | { readonly page: 'history'; readonly filter?: HistoryRoute }
  | { readonly page: 'settings' };

/** What of the history is shown. `span`: how many days back. `blame`: the lines of this file, by who wrote them. */
export type HistoryRoute = Partial<Record<(typeof HISTORY_KEYS)[number], string>>;
const HISTORY_KEYS = ['file', 'session', 'tool', 'caller', 'span', 'blame'] as const;

/** The route of a location hash such as `#/session/42`. Unknown addresses lead home. */
export function parseRoute(hash: string): Route {
  const [address = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [page = '', argument = ''] = address.split('/');
  const name = decode(argument);
  switch (page) {
    case 'session':
      return name === '' ? { page: 'home' } : { page, id: name };
    case 'tools':
      return name === '' ? { page } : { page, name };
    case 'history': {
      const filter = historyRoute(query);
      return Object.keys(filter).length === 0 ? { page } : { page, filter };
    }
    case 'servers':
    case 'settings':
      return { page };
    default:
      return { page: 'home' };
  }
}

/** The hash of a route. */
export function routeHash(route: Route): string {
  switch (route.page) {
    case 'home':
      return '#/';
    case 'session':
      return `#/session/${encodeURIComponent(route.id)}`;
    case 'tools':
      return route.name === undefined ? '#/tools' : `#/tools/${encodeURIComponent(route.name)}`;
    case 'history':
      return `#/history${historyQuery(route.filter ?? {})}`;
    default:
      return `#/${route.page}`;
  }
}

function historyRoute(query: string): HistoryRoute {
  const asked = new URLSearchParams(query);
  return Object.fromEntries(HISTORY_KEYS.flatMap((key) => (asked.get(key) ? [[key, asked.get(key)]] : [])));
}

function historyQuery(filter: HistoryRoute): string {
  const set = HISTORY_KEYS.flatMap((key) => (filter[key] ? [[key, filter[key]]] : []));
  return set.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(set)).toString()}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
