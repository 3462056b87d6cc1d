import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';

import { requireBaked } from '@cuecard/core';
import { prefetchKnowledge, prewarmKnowledge, refreshKnowledge } from '@cuecard/livekit';
import { type AgentDefinition, cli, defineAgent, ServerOptions, voice } from '@livekit/agents';
import { STT, TTS } from '@livekit/agents-plugin-openai';

import { frontDesk, greeting } from './agents.js';
import { bases } from './bases.js';
import type { Caller } from './caller.js';
import { languageModel, type ModelSettings, modelSettings } from './language-model.js';
import { loadEnvironment } from './load-environment.js';

const agentFile = fileURLToPath(import.meta.url);

const agent: AgentDefinition = defineAgent({
  prewarm: prewarmKnowledge(...bases),
  entry: async ({ room }) => {
    await refreshKnowledge(...bases);
    const settings = requireModel();
    const { apiKey } = settings;
    const userData: Caller = {};
    const session = new voice.AgentSession({
      stt: new STT({ apiKey }),
      llm: languageModel(settings),
      tts: new TTS({ apiKey, model: 'gpt-4o-mini-tts' }),
      userData,
    });
    prefetchKnowledge(session, ...bases);
    // The session ends with `end_call`; without its room the caller is hung up, too.
    const inputOptions = { deleteRoomOnClose: true };
    await session.start({ agent: frontDesk(userData), room, inputOptions });
    session.say(greeting);
  },
});

// oxlint-disable-next-line import/no-default-export -- LiveKit loads the default export of an agent file.
export default agent;

function requireModel(): ModelSettings {
  const settings = modelSettings(env);
  if (settings === undefined) throw new Error('Set OPENAI_API_KEY: speech and model need it.');
  return settings;
}

loadEnvironment();
// Each job process imports this file, too.
if (argv[1] === agentFile) {
  requireModel();
  await requireBaked(...bases);
  cli.runApp(new ServerOptions({ agent: agentFile }));
}
