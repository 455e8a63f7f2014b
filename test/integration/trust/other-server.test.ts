import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../src-shared/index.ts';
import { openShop, tool, type Shop } from './setup.ts';

/** The config file, edited by hand while Causeway does not run. */
const write = (shop: Shop, entry?: ServerConfig): void =>
  writeFileSync(path.join(shop.home, 'mcp.json'), JSON.stringify({ mcpServers: entry ? { shop: entry } : {} }));

/** The same program, run in another way. */
const another = ({ config }: Shop): ServerConfig =>
  'args' in config ? { ...config, args: ['--no-warnings', ...(config.args as string[])] } : config;

/** A shop of which the person has decided something. */
async function decided(): Promise<Shop> {
  const shop = openShop();
  shop.say({ tools: [tool('buy'), tool('look')] });
  await using first = await shop.open();
  first.servers.trust.setSwitch('shop', 'buy', 'off');
  first.servers.trust.setHold('shop', undefined, true);
  return shop;
}

describe('a server that was taken out of the config file by hand', () => {
  it('has what was decided about it when the same entry comes back', async () => {
    const shop = await decided();
    write(shop);
    await (await shop.open())[Symbol.asyncDispose]();
    write(shop, { ...shop.config, env: { ...(shop.config.env as Record<string, string>), KEY: 'new' } });
    const { offered, trust } = await shop.open();
    expect(offered()).toEqual(['look']);
    expect(trust()).toMatchObject({ hold: true });
  });

  it('leaves nothing to another one that gets its name, neither switches nor definitions, and has it again afterwards', async () => {
    const shop = await decided();
    write(shop, another(shop));
    shop.say({ tools: [tool('buy', { description: 'Another thing altogether.' }), tool('look')] });
    await using other = await shop.open();
    expect(other.offered()).toEqual(['buy', 'look']);
    expect(other.trust()).toMatchObject({ hold: false, switch: null });
    expect(other.tool('buy')).toMatchObject({ standing: 'known', switch: null });
    other.servers.trust.setSwitch('shop', 'look', 'off');
    await other[Symbol.asyncDispose]();
    write(shop, shop.config);
    const back = await shop.open();
    expect(back.tool('buy')).toMatchObject({ standing: 'changed', switch: 'off' });
    expect(back.tool('look')).toMatchObject({ standing: 'known', switch: null });
    expect(back.trust()).toMatchObject({ hold: true });
  });
});

describe('a server whose entry the person changes in the app', () => {
  it('stays the same one: what was decided holds on, also after a restart', async () => {
    const shop = await decided();
    await using first = await shop.open();
    await first.servers.update('shop', another(shop));
    await first.servers.settled({ deadlineMs: 20_000 });
    expect(first.tool('buy')).toMatchObject({ standing: 'known', switch: 'off' });
    await first[Symbol.asyncDispose]();
    const second = await shop.open();
    expect(second.offered()).toEqual(['look']);
  });
});
