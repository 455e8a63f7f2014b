import { jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { startServers, withCore } from '../core.ts';
import { firstLine, table } from '../format.ts';

export const addTools: AddCommand = (program, terminal) => {
  program
    .command('tools')
    .description("list every tool: Causeway's own and those of attached servers")
    .addOption(jsonOption('names, descriptions and schemas'))
    .action((options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        await startServers(app, terminal);
        const definitions = app.collection.tools().map(({ execute: _execute, ...definition }) => definition);
        terminal.answer(
          options.json
            ? JSON.stringify(definitions)
            : table(definitions.map((tool) => [tool.name, firstLine(tool.description)])),
        );
      }),
    );
};
