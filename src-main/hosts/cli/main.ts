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
  await keepCompiledCode();
  const { addDisposableStacks } = await import('./disposable-stacks.ts');
  addDisposableStacks();
  const { main } = await import('./program.ts');
  await main(process.argv.slice(2));
}

/**
 * Half of a start is the compiling of code. It is kept beside the code: whoever could write something else there could change the
 * code as well. Where that folder can not be written, each start compiles. Node has this since 22.1.
 */
async function keepCompiledCode(): Promise<void> {
  const nodeModule = await import('node:module');
  if ('enableCompileCache' in nodeModule) nodeModule.enableCompileCache(`${import.meta.dirname}/.compiled`);
}

export {};
