import {
  CausewayError,
  estimateTokens,
  withHiddenShown,
  type TextFlag,
  type ToolTrust as ToolTrustView,
} from '../../../../src-shared/index.ts';
import type { ServerTool } from '../list-tools.ts';
import type { Admission, SeenServer, Trust } from './contract.ts';
import { compareDefinitions, definitionText } from './definition-text.ts';
import { toolKeys } from './fingerprint.ts';
import { flagsOfText } from './flags.ts';
import { effectiveSwitch, factsOf, firstRecord, isHeldBack, policyOf, refusalOf, standingOf } from './standing.ts';
import { whatRuns } from './what-runs.ts';
import { createMemoryTrustStore, type ServerRecord, type ToolRecord, type TrustStore } from './store.ts';

/** How often it is written down that a server was used that was the last one anyway, in milliseconds. */
const USED_EVERY_MS = 60_000;
/** Tools of one server that are kept: one that makes up new names without end gets no further ones offered. */
const MOST_KEPT = 5_000;
const UNSET: ServerRecord = { switch: null, hold: null, instructions: null };

/** @param store where decisions about the servers of the config file are kept; without one they end with the program. */
export function createTrust(store: TrustStore = createMemoryTrustStore()): Trust {
  const forProcess = createMemoryTrustStore();
  const ephemeral = new Set<string>();
  const memo = new WeakMap<readonly ServerTool[], { version: string; admissions: readonly Admission[] }>();
  /** Asked for in each request to a model. */
  const instructionFlags = new Map<string, { text: string; flags: TextFlag[] }>();
  let lastUsed: { server: string; at: number } | undefined;

  const storeOf = (server: string): TrustStore => (ephemeral.has(server) ? forProcess : store);

  /** What is kept of each tool, in order. Those never seen are noted. */
  function records(
    server: string,
    tools: readonly ServerTool[],
  ): { key: string; tool: ServerTool; record: ToolRecord }[] {
    const kept = storeOf(server).tools(server);
    const isNewServer = kept.size === 0;
    const keys = toolKeys(tools);
    const added = new Map<string, ToolRecord>();
    const found = tools.map((tool, index) => {
      const key = keys[index] ?? tool.name;
      const record = kept.get(key) ?? firstRecord(tool, isNewServer);
      if (kept.has(key)) return { key, tool, record };
      if (kept.size + added.size >= MOST_KEPT) return { key, tool, record: { ...record, hash: null, definition: '' } };
      added.set(key, record);
      return { key, tool, record };
    });
    if (added.size > 0) storeOf(server).save(server, { tools: added }, false);
    return found;
  }

  function admit(server: string, tools: readonly ServerTool[]): readonly Admission[] {
    const version = `${server}\u0000${storeOf(server).version}`;
    const former = memo.get(tools);
    if (former?.version === version) return former.admissions;
    const own = storeOf(server).server(server) ?? UNSET;
    const admissions = records(server, tools).map(({ key, tool, record }) => {
      const set = effectiveSwitch(record, own);
      const hold = record.hold ?? own.hold ?? false;
      const standing = standingOf(tool, record);
      return {
        key,
        refusal: refusalOf(server, tool, { standing, set }),
        waits: isHeldBack(standing) && record.declined !== factsOf(tool).hash,
        trust: policyOf(server, tool, { set, hold }),
      };
    });
    memo.set(tools, { version, admissions });
    return admissions;
  }

  function changeTool(server: string, key: string, change: Partial<ToolRecord>): void {
    const record = storeOf(server).tools(server).get(key);
    if (!record) throw noTool(server, key);
    storeOf(server).save(server, { tools: new Map([[key, { ...record, ...change }]]) }, true);
  }

  function instructionsOf(server: string, text: string) {
    const former = instructionFlags.get(server);
    const flags = former?.text === text ? former.flags : flagsOfText(text, 'instructions');
    instructionFlags.set(server, { text, flags });
    const chosen = storeOf(server).server(server)?.instructions ?? null;
    return { flags, on: chosen ?? flags.length === 0 };
  }

  function viewTool(item: { key: string; tool: ServerTool; record: ToolRecord }, name: string): ToolTrustView {
    const { key, tool, record } = item;
    const { hash, flags, tokens } = factsOf(tool);
    const standing = standingOf(tool, record);
    const isHeld = isHeldBack(standing);
    return {
      ...{ key, name, tokens, standing, hash, flags: [...flags] },
      description: withHiddenShown(tool.description),
      declined: isHeld && record.declined === hash,
      switch: record.switch,
      hold: record.hold,
      ...(tool.title !== undefined && { title: withHiddenShown(tool.title) }),
      ...(isHeld && { change: compareDefinitions(record.definition, definitionText(tool)) }),
    };
  }

  return {
    get version() {
      return store.version + forProcess.version;
    },
    keepForProcess: (server) => void ephemeral.add(server),
    enter: (server, config) => storeOf(server).enter(server, whatRuns(config)),
    follow: (server, config) => storeOf(server).follow(server, whatRuns(config)),
    admit,
    held: (server, tools) => admit(server, tools).filter(({ waits }) => waits).length,
    instructions: (server, text) => (instructionsOf(server, text).on ? text : undefined),
    view({ name, tools, modelNames, instructions }) {
      const own = storeOf(name).server(name) ?? UNSET;
      const views = records(name, tools).map((item, index) => viewTool(item, modelNames[index] ?? item.tool.name));
      const admissions = admit(name, tools);
      const offered = views.filter((_view, index) => admissions[index]?.refusal === undefined);
      return {
        server: name,
        switch: own.switch,
        hold: own.hold ?? false,
        tokens: offered.reduce((sum, { tokens }) => sum + tokens, 0),
        tools: views,
        ...(instructions !== undefined && {
          instructions: {
            ...instructionsOf(name, instructions),
            text: withHiddenShown(instructions),
            tokens: estimateTokens(instructions),
          },
        }),
      };
    },
    setSwitch(server, key, value) {
      if (key === undefined) storeOf(server).save(server, { server: { switch: value } }, true);
      else changeTool(server, key, { switch: value });
    },
    setHold(server, key, value) {
      if (key === undefined) storeOf(server).save(server, { server: { hold: value } }, true);
      else changeTool(server, key, { hold: value });
    },
    setInstructions: (server, on) => storeOf(server).save(server, { server: { instructions: on } }, true),
    answer(seen, { key, hash, accept }) {
      const tool = toolOf(seen, key);
      if (factsOf(tool).hash !== hash) {
        throw new CausewayError(
          'conflict',
          `The definition of "${key}" has changed once more since you looked at it.`,
          {
            hint: 'Look at it again.',
          },
        );
      }
      changeTool(
        seen.name,
        key,
        accept ? { hash, definition: definitionText(tool), fresh: false, declined: null } : { declined: hash },
      );
    },
    forget(server) {
      storeOf(server).forget(server);
      ephemeral.delete(server);
    },
    used(server) {
      const now = Date.now();
      if (lastUsed?.server === server && now - lastUsed.at < USED_EVERY_MS) return;
      lastUsed = { server, at: now };
      storeOf(server).used(server, now);
    },
    recent: () => [...forProcess.recent(), ...store.recent()],
  };
}

function toolOf({ name, tools }: SeenServer, key: string): ServerTool {
  const tool = tools[toolKeys(tools).indexOf(key)];
  if (!tool) throw noTool(name, key);
  return tool;
}

function noTool(server: string, key: string): CausewayError {
  return new CausewayError('not_found', `The server "${server}" has no tool "${withHiddenShown(key)}" now.`);
}
