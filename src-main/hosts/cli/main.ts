/** The oldest Node that Causeway's native parts and the model client run on. */
const OLDEST_NODE = 22;

// Nothing is imported before this check: on an older Node the imports themselves would fail, in words nobody understands.
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `Causeway needs Node ${OLDEST_NODE} or newer and this is Node ${process.versions.node}. ` +
      'Install a newer one, or in a checkout use "npm run causeway", which brings its own.\n',
  );
  process.exitCode = 1;
} else {
  const { addDisposableStacks } = await import('./disposable-stacks.ts');
  addDisposableStacks();
  const { main } = await import('./program.ts');
  await main(process.argv.slice(2));
}

export {};
