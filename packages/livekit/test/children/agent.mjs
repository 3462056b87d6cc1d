// A job process that writes down how it is doing: one line of JSON an event.
import { appendFileSync, readFileSync } from 'node:fs';

import { KnowledgeBase } from '@cuecard/core';
import { liveKitTool, prewarmKnowledge, refreshKnowledge } from '@cuecard/livekit';
import { defineAgent, voice } from '@livekit/agents';
import { LLM } from '@livekit/agents-plugin-openai';

const { REPORT, INDEX_DIR, DIMENSIONS, CHAT_URL, WITHOUT_BASE } = process.env;
const report = (event) =>
  appendFileSync(REPORT, `${JSON.stringify({ pid: process.pid, ...event })}\n`);

// One vector for every query: what an embedder itself takes is not what is measured here.
const vector = new Float32Array(Number(DIMENSIONS));
vector[0] = 1;
const embedder = {
  id: 'hash',
  revision: '1',
  dimensions: vector.length,
  maxTokens: 512,
  maxBatch: 256,
  weight: 0.5,
  embed: async (texts) => texts.map(() => vector),
};
const hotel = new KnowledgeBase({
  name: 'hotel',
  indexDir: INDEX_DIR,
  mode: 'hybrid',
  embed: () => embedder,
});
const missing = new KnowledgeBase({ name: 'missing', indexDir: `${INDEX_DIR}-missing` });
const loadedMs = performance.now();
report({ event: 'loaded' });

// oxlint-disable-next-line import/no-default-export -- LiveKit loads the default export of an agent file.
export default defineAgent({
  prewarm: async (proc) => {
    const before = privateBytes();
    const startedMs = performance.now();
    const cpu = process.cpuUsage();
    if (!WITHOUT_BASE) await prewarmKnowledge(hotel, missing)(proc);
    const readyMs = performance.now();
    const { user, system } = process.cpuUsage(cpu);
    if (!WITHOUT_BASE) for (let at = 0; at < 50; at++) await hotel.lookUp(`what about part ${at}`);
    report({
      event: 'prewarmed',
      states: proc.userData.knowledge?.map(({ state }) => state),
      startMs: readyMs - startedMs,
      startCpuMs: (user + system) / 1000,
      sinceImportMs: readyMs - loadedMs,
      readyMs,
      grownBytes: privateBytes() - before,
    });
  },
  entry: async (ctx) => {
    // A busy machine may take more than the second that it is given.
    let status;
    do [status] = await refreshKnowledge(hotel);
    while (status.error);
    const { generation } = status;
    const llm = new LLM({ model: 'fake', apiKey: 'test-key', baseURL: CHAT_URL });
    const tools = [hotel.tool(), missing.tool({ name: 'look_up_missing' })];
    const agent = new voice.Agent({
      instructions: 'Help.',
      tools: tools.map((spec) => liveKitTool(spec)),
    });
    const session = new voice.AgentSession({
      llm,
      vad: null,
      turnHandling: { turnDetection: null },
    });
    await session.start({ agent, record: false });
    await session.run({ userInput: 'What is new?' }).wait();
    const outputs = session.history.items
      .filter(({ type }) => type === 'function_call_output')
      .map(({ output }) => output);
    report({ event: 'answered', job: ctx.job.id, generation, outputs });
    await session.close();
    ctx.shutdown('done');
  },
});

/**
 * Memory of this process alone, after a collection. Clean pages are left out: those of a mapped file belong to everyone, whoever
 * has read them first.
 */
function privateBytes() {
  globalThis.gc?.();
  const text = readFileSync('/proc/self/smaps_rollup', 'utf8');
  const [, kilobytes] = /^Private_Dirty: +(\d+) kB$/m.exec(text);
  return Number(kilobytes) * 1024;
}
