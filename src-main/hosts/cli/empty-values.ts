import type { Command } from 'commander';
import { BadUsage } from './command.ts';

/**
 * Nothing has an empty name: an empty value is mostly a variable of a script that was never set, and must not mean "any".
 * What is passed on to another program (the rest of the arguments) may be empty.
 * @throws BadUsage
 */
export function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    if (command.getOptionValue(option.attributeName()) === '') throw empty(option.long ?? option.name());
  }
  command.registeredArguments.forEach((argument, index) => {
    if (!argument.variadic && command.args[index] === '') throw empty(`<${argument.name()}>`);
  });
}

function empty(what: string): BadUsage {
  return new BadUsage(`The value of ${what} is empty.`);
}
