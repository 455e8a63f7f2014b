// Inside a sandbox that has no network: hands connections to its loopback on to a proxy outside, through a Unix socket.
// Arguments: port, folder and name of the socket. Says "ready" on standard output once it listens.
import net from 'node:net';

const [, , port, folder, name] = process.argv;
// Names of sockets must be short; folders need not be.
process.chdir(folder);
const server = net.createServer({ allowHalfOpen: true }, (inner) => {
  const outer = net.connect({ path: name, allowHalfOpen: true });
  inner.pipe(outer).pipe(inner);
  for (const [one, other] of [
    [inner, outer],
    [outer, inner],
  ]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.end('ready\n'));
