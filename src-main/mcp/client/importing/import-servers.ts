import {
  CausewayError,
  shortHash,
  type ImportChoice,
  type ImportSource,
  type NamedServer,
  type ServerView,
} from '../../../../src-shared/index.ts';
import { propose } from '../adding/propose.ts';
import type { Servers } from '../contract.ts';
import { placesOf, type Surroundings } from './places.ts';
import { readPlace, type ReadPlace } from './read-place.ts';

/** Takes servers over from the settings of other programs, which are never written. */
export interface Importer {
  /** What there is; secrets are masked. */
  preview(): Promise<ImportSource[]>;
  /** Reads the files again and adds what was chosen, all or none. @throws CausewayError. */
  take(choices: readonly ImportChoice[]): Promise<ServerView[]>;
}

export function createImporter(servers: Servers, surroundings: Surroundings): Importer {
  async function readAll(): Promise<ReadPlace[]> {
    const read = await Promise.all(placesOf(surroundings).map((place) => readPlace(place)));
    return read.filter((item) => item !== undefined);
  }

  return {
    async preview() {
      const attached = servers.entries();
      return (await readAll()).map(({ place, entries, problem }) => ({
        app: place.app,
        key: place.key,
        file: place.file,
        candidates: entries.map((entry, index) => {
          const { config: _config, ...shown } = propose(entry, attached);
          return { ...shown, id: idOf(place.file, index, entry.name) };
        }),
        ...(problem !== undefined && { problem }),
      }));
    },
    async take(choices) {
      const read = await readAll();
      const known = new Map(
        read.flatMap(({ place, entries, inputs }) =>
          entries.map((entry, index) => [idOf(place.file, index, entry.name), { entry, inputs }] as const),
        ),
      );
      const found = choices.map(({ id, name }) => {
        const item = known.get(id);
        if (item && 'config' in item.entry) return { server: { name, config: item.entry.config }, inputs: item.inputs };
        throw new CausewayError('not_found', `"${name}" is no longer in the settings it was found in.`, {
          hint: 'Look at what there is again.',
        });
      });
      const chosen: NamedServer[] = found.map(({ server }) => server);
      return servers.addAll(
        chosen,
        found.flatMap(({ inputs }) => inputs),
      );
    },
  };
}

function idOf(file: string, index: number, name: string): string {
  return shortHash(`${file}\u0000${index}\u0000${name}`);
}
