import { env, stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';

import { KnowledgeError, requireBaked } from '@cuecard/core';

import { bases } from './bases.js';
import { languageModel, type ModelSettings, modelSettings } from './language-model.js';
import { loadEnvironment } from './load-environment.js';
import { startTextCall } from './text-call.js';

const withoutModel = `The chat needs a model. Set one of these, in the environment or in .env beside this app's package.json:
  OPENAI_API_KEY    a key of OpenAI
  OPENAI_BASE_URL   a server that speaks OpenAI's API, for example http://127.0.0.1:11434/v1
and, where its default does not suit:
  OPENAI_MODEL      the name of the model; default gpt-4.1-mini`;

const bake = 'Bake with: pnpm --filter livekit-front-desk bake';

function print(line: string): void {
  stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  loadEnvironment();
  const settings = modelSettings(env);
  if (settings === undefined) return stop(withoutModel);
  try {
    await requireBaked(...bases);
  } catch (error) {
    if (error instanceof KnowledgeError) return stop(`${error.message}\n${bake}`);
    throw error;
  }
  await Promise.all(bases.map((base) => base.start()));
  await chat(settings);
  await Promise.all(bases.map((base) => base.close()));
}

function stop(reason: string): void {
  stderr.write(`${reason}\n`);
  process.exitCode = 1;
}

/** A call, line by line, until either side ends it. */
async function chat(settings: ModelSettings): Promise<void> {
  const call = await startTextCall(languageModel(settings), print);
  const lines = createInterface({ input: stdin, output: stdout, prompt: 'You:  ' });
  lines.prompt();
  for await (const line of lines) {
    if (!stdin.isTTY) print(line);
    if (line.trim() !== '') await call.say(line);
    if (call.isOver) break;
    lines.prompt();
  }
  lines.close();
  print(call.isOver ? 'The call is over.' : '\nYou hang up.');
  await call.close();
}

await main();
