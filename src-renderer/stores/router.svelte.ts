import { parseRoute, routeHash, type Route } from './route.ts';

export interface Router {
  readonly route: Route;
  readonly go: (route: Route) => void;
  /** Goes there without a step for the back button: for what changes with every letter that is typed. */
  readonly replace: (route: Route) => void;
}

/** Follows the address bar, so that back and forward work. */
export function createRouter(): Router {
  let route = $state.raw(parseRoute(location.hash));
  window.addEventListener('hashchange', () => (route = parseRoute(location.hash)));
  return {
    get route() {
      return route;
    },
    go: (next) => (location.hash = routeHash(next)),
    replace(next) {
      history.replaceState(history.state, '', routeHash(next));
      route = next;
    },
  };
}
