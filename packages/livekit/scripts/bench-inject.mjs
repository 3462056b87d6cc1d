// Time to the first word of an answer: passages in the request (`injectKnowledge`) against the tool call, with one fake model
// that takes 300 ms to its first token and 10 ms for each further one.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KnowledgeBase } from '@cuecard/core';
import { injectKnowledge, liveKitTool } from '@cuecard/livekit';
import { startFakeOpenAI } from '@cuecard/testing';
import { initializeLogger, voice } from '@livekit/agents';
import { LLM } from '@livekit/agents-plugin-openai';

const turns = 15;
const question = 'How long does a refund take?';
const answer = 'A refund takes five working days.';

initializeLogger({ pretty: false, level: 'silent' });
const folder = await mkdtemp(join(tmpdir(), 'cuecard-inject-'));
const documents = join(folder, 'documents');
await mkdir(documents);
await writeFile(join(documents, 'refunds.md'), `# Refunds\n\n${answer}\n`);
const base = new KnowledgeBase({ name: 'refunds', documents, indexDir: join(folder, 'index') });
await base.bake();
await base.start();

const server = await startFakeOpenAI({
  firstTokenMs: 300,
  tokenMs: 10,
  // It answers once it has read the passage, and asks for it until then.
  chat: ({ messages }) =>
    messages
      .slice(messages.findLastIndex(({ content }) => content === question) - 1)
      .some(({ content }) => content.includes(answer))
      ? { text: 'Five working days.' }
      : { calls: [{ name: 'look_up', arguments: { query: question } }] },
});

const helper = () => new voice.Agent({ instructions: 'Help.', tools: [liveKitTool(base.tool())] });
const tool = await firstWords(helper());
const inject = await firstWords(injectKnowledge(helper(), base));
console.log(
  `tool call ${tool.toFixed(0)} ms, inject ${inject.toFixed(0)} ms to the first word (medians of ${turns} turns)`,
);
console.log(`ratio ${(inject / tool).toFixed(2)}`);

await base.close();
await server.close();
await rm(folder, { recursive: true, force: true });

/** Median of the milliseconds from the caller's words to the first word of the answer, a call for each turn. */
async function firstWords(agent) {
  const times = [];
  let heard;
  const transcriptionNode = agent.transcriptionNode.bind(agent);
  agent.transcriptionNode = async (text, settings) => transcriptionNode(hearing(text), settings);
  async function* hearing(text) {
    for await (const piece of text) {
      heard ??= performance.now();
      yield piece;
    }
  }
  const llm = new LLM({ model: 'fake', apiKey: 'test-key', baseURL: server.url });
  const turnHandling = { turnDetection: null };
  const session = new voice.AgentSession({ llm, vad: null, turnHandling });
  await session.start({ agent, record: false });
  for (let turn = 0; turn < turns; turn++) {
    heard = undefined;
    const asked = performance.now();
    await session.run({ userInput: question }).wait();
    times.push(heard - asked);
  }
  await session.close();
  return times.toSorted((a, b) => a - b)[Math.floor(turns / 2)];
}
