import { BlockList, isIP } from 'node:net';

/** Ports of a rule that names none. */
const USUAL_PORTS = [80, 443];

/** `host`, `*.domain`, each with `:port` or without. As in the setting `shell.network`. */
export interface HostRule {
  /** Lower case, without the `*.`; addresses without brackets. */
  readonly name: string;
  /** Any name below `name`, and not `name` itself. */
  readonly below: boolean;
  readonly ports: readonly number[];
}

/** Reads a rule of the form that settings allow. */
export function readRule(text: string): HostRule {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text.trim().toLowerCase()) ?? [];
  const below = host.startsWith('*.');
  return {
    name: plainName(below ? host.slice(2) : host),
    below,
    ports: port === undefined ? USUAL_PORTS : [Number(port)],
  };
}

/** The rule that lets this host be reached; one that names it before one that covers it. */
export function ruleFor(rules: readonly HostRule[], host: string, port: number): HostRule | undefined {
  const name = plainName(host.toLowerCase());
  const open = rules.filter(({ ports }) => ports.includes(port));
  return (
    open.find((rule) => !rule.below && rule.name === name) ??
    open.find((rule) => rule.below && name.endsWith(`.${rule.name}`))
  );
}

const own = blockList(
  ['127.0.0.0/8', '0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
  ['::1/128', '::/128', 'fe80::/10', 'ff00::/8'],
);
const nearby = blockList(
  ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15'],
  ['fc00::/7', '64:ff9b::/96', '2002::/16'],
);

/**
 * Whether a rule reaches an address that its host's name led to. Names are somebody else's to point where they like: none leads to
 * this machine or its link but an address or "localhost" in the rule itself, and to a private network only a rule without `*`.
 */
export function reaches(rule: HostRule, address: string): boolean {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return reaches(rule, mapped);
  const isLiteral = isIP(rule.name) !== 0 || rule.name === 'localhost';
  if (own.check(address, family)) return isLiteral;
  return !nearby.check(address, family) || !rule.below;
}

function plainName(host: string): string {
  return host.replace(/^\[|\]$|\.$/g, '');
}

function blockList(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [subnets, family] of [[ipv4, 'ipv4'] as const, [ipv6, 'ipv6'] as const]) {
    for (const subnet of subnets) {
      const [address = '', bits] = subnet.split('/');
      list.addSubnet(address, Number(bits), family);
    }
  }
  return list;
}
