import { historyQueryText, parseHistoryAddress, type HistoryAddress } from './history-address.ts';

/** Where the window is. Everything that can be looked at has an address. */
export type Route =
  | { readonly page: 'home' }
  | { readonly page: 'session'; readonly id: string }
  /** `add` is an install link that was opened. */
  | { readonly page: 'servers'; readonly add?: string }
  | { readonly page: 'tools'; readonly name?: string }
  | ({ readonly page: 'history' } & HistoryAddress)
  | { readonly page: 'settings' };

/** The route of a location hash such as `#/session/42`. Unknown addresses lead home. */
export function parseRoute(hash: string): Route {
  const [, place = '', query = ''] = /^#?\/?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const [page = '', argument = ''] = place.split('/');
  const name = decode(argument);
  switch (page) {
    case 'session':
      return name === '' ? { page: 'home' } : { page, id: name };
    case 'tools':
      return name === '' ? { page } : { page, name };
    case 'history':
      return { page, ...parseHistoryAddress(query) };
    case 'servers': {
      const link = place.slice('servers/add/'.length);
      return argument === 'add' && link !== '' ? { page, add: decode(link) } : { page };
    }
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
      return `#/history${historyQueryText(route)}`;
    case 'servers':
      return route.add === undefined ? '#/servers' : `#/servers/add/${encodeURIComponent(route.add)}`;
    default:
      return `#/${route.page}`;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
