import { describe, expect, it } from 'vitest';
import { checkAddress } from '../../../src-main/mcp/client/auth/addresses.ts';

const FAR = new URL('https://mcp.example/mcp');
const NEAR = new URL('http://127.0.0.1:3000/mcp');
const INTRANET = new URL('https://10.1.2.3/mcp');

describe('an address that a server points to', () => {
  it.each([
    ['https://auth.example/token', FAR],
    ['https://auth.example:8443/token', FAR],
    ['https://auth.example/token', NEAR],
    ['http://localhost:9000/token', NEAR],
    ['http://[::1]:9000/token', NEAR],
    ['https://192.168.1.2/token', INTRANET],
  ])('%s is gone to', (address, server) => {
    expect(checkAddress(address, server).href).toBe(address);
  });

  it.each([
    ['http://auth.example/token', FAR, 'not https'],
    ['http://auth.example/token', NEAR, 'not https'],
    ['file:///etc/passwd', NEAR, 'not https'],
    ['javascript:alert(1)', NEAR, 'not https'],
    ['https://user:word@auth.example/', FAR, 'name or password'],
    ['http://localhost:631/', FAR, 'on this machine'],
    ['https://localhost./', FAR, 'on this machine'],
    ['https://app.localhost/', FAR, 'on this machine'],
    ['https://127.8.8.8/', FAR, 'on this machine'],
    ['https://2130706433/', FAR, 'on this machine'],
    ['https://[::1]/', FAR, 'on this machine'],
    ['https://[::ffff:127.0.0.1]/', FAR, 'on this machine'],
    ['https://169.254.169.254/latest', FAR, 'private network'],
    ['https://[::ffff:169.254.169.254]/', FAR, 'private network'],
    ['https://[fd00:ec2::254]/', FAR, 'private network'],
    ['https://10.0.0.1/', FAR, 'private network'],
    ['https://0.0.0.0/', FAR, 'private network'],
    ['http://10.0.0.1/', INTRANET, 'not https'],
    ['http://127.0.0.1/', INTRANET, 'on this machine'],
  ])('%s is not gone to', (address, server, why) => {
    expect(() => checkAddress(address, server)).toThrow(why);
  });
});
