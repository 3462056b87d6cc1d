import { readFileSync } from 'node:fs';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import { bake } from './bake.js';
import { check } from './check.js';
import { embedderNames } from './embedders.js';
import { exitCodes, exitCodesHelp } from './exit-codes.js';
import { describeFailure, exitCodeOf, stackOf } from './failure.js';
import { inspect } from './inspect.js';
import type { BakeOptions, CommonOptions } from './load-bases.js';
import { look, type LookOptions } from './look.js';
import { claimStandardOutput, printable, type Report } from './output.js';

type Write = (text: string) => Promise<void>;
type Finish = (report: Report, options: CommonOptions) => Promise<void>;

/** Runs the command line `argv`; resolves with its exit code and never rejects. */
export async function run(argv: readonly string[]): Promise<number> {
  const write = claimStandardOutput();
  let exitCode: number = exitCodes.done;
  const finish: Finish = async ({ json, lines, exitCode: reported }, options) => {
    exitCode = reported;
    await write(options.json ? asJson(json) : lines.map((line) => `${printable(line)}\n`).join(''));
  };
  try {
    await program(write, finish).parseAsync(argv);
    return exitCode;
  } catch (error) {
    return fail(error, argv.includes('--json'), write);
  }
}

async function fail(thrown: unknown, json: boolean, write: Write): Promise<number> {
  const ofCommander = thrown instanceof CommanderError;
  // Help and version end this way too.
  if (ofCommander && thrown.exitCode === 0) return exitCodes.done;
  const failure = describeFailure(thrown);
  if (!ofCommander) process.stderr.write(printable(`cuecard: ${failure.message}\n`));
  const stack = process.env['CUECARD_DEBUG'] ? stackOf(thrown) : undefined;
  if (stack !== undefined) process.stderr.write(`${stack}\n`);
  if (json) await write(asJson({ error: failure })).catch(() => undefined);
  return exitCodeOf(failure.code);
}

function program(write: Write, finish: Finish): Command {
  const cuecard = new Command('cuecard')
    .description('Bake documents into an index, look things up in it, inspect it and check it.')
    .version(version())
    .exitOverride()
    .configureOutput({ writeOut: (text) => void write(text).catch(() => undefined) })
    .addHelpText('afterAll', exitCodesHelp);
  const command = (usage: string, summary: string): Command =>
    cuecard
      .command(usage)
      .summary(summary)
      .description(`${summary}; without a target: of cuecard.config.ts in the working directory`)
      .option('--index <dir>', 'folder of the index')
      .option('--base <name>', 'with a config: only this base')
      .addOption(
        new Option('--embedder <name>', 'search by meaning too, with this embedder').choices(
          embedderNames,
        ),
      )
      .option('--json', 'print one JSON document');

  addBakeSettings(
    command('bake [target]', 'write the index of a documents folder or a config'),
  ).action(async (target: string | undefined, options: BakeOptions) =>
    finish(await bake(target, options), options),
  );
  command('look <query> [target]', 'look a query up in an index, a config or documents')
    .addOption(modeOption())
    .option('--top-k <n>', 'the most passages of a base, 1 to 20; default: as the base says', topK)
    .action(async (query: string, target: string | undefined, options: LookOptions) =>
      finish(await look(query, target, options), options),
    );
  command('inspect [target]', 'show what an index, a config or documents hold').action(
    async (target: string | undefined, options: CommonOptions) =>
      finish(await inspect(target, options), options),
  );
  command('check [target]', 'tell whether indexes are intact and fit their documents').action(
    async (target: string | undefined, options: CommonOptions) =>
      finish(await check(target, options), options),
  );
  return cuecard;
}

function addBakeSettings(command: Command): Command {
  return command
    .addOption(modeOption())
    .option('--name <name>', "name of the base; default: the folder's")
    .option('--tenant <tenant>', 'whose base it is')
    .option('--chunk-size <n>', 'longest passage, in tokens', Number)
    .option('--chunk-overlap <n>', 'how much of a passage the next may repeat, in tokens', Number)
    .option('--language <code>', 'language of the documents, such as en; default: detected')
    .option('--fresh', 'embed every passage again; default: those that have changed')
    .option('--quiet', 'no progress and no summary');
}

function modeOption(): Option {
  const text = 'how to search; default: hybrid with an embedder, else keyword';
  return new Option('--mode <mode>', text).choices(['keyword', 'meaning', 'hybrid']);
}

function topK(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 20) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 20.');
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version: current }: { version: string } = JSON.parse(text);
  return current;
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
