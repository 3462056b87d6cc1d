const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** One call with modules that the caller has loaded its own way. */
exports.call = async ({ core, tools, livekit, agents, openai }, baseURL) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cuecard-consumer-'));
  const documents = path.join(folder, 'documents');
  mkdirSync(documents);
  writeFileSync(path.join(documents, 'refunds.md'), 'A refund takes five working days.\n');
  const base = new core.KnowledgeBase({
    name: 'refunds',
    documents,
    indexDir: path.join(folder, 'index'),
  });
  await base.bake();
  const userData = {};
  await livekit.prewarmKnowledge(base)({ userData });
  await livekit.refreshKnowledge(base);
  const plan = new tools.TaskPlan({
    tools: [base.tool({ announce: 'One moment.' })],
    start: 'greet',
    tasks: {
      greet: { when: 'First.', instructions: 'Greet.', next: ['refunds'] },
      refunds: { when: 'Money.', instructions: 'Refunds.', tools: ['look_up'] },
    },
  });
  agents.initializeLogger({ pretty: false, level: 'silent' });
  const session = new agents.voice.AgentSession({
    llm: new openai.LLM({ model: 'fake', apiKey: 'test-key', baseURL, parallelToolCalls: false }),
    vad: null,
    turnHandling: { turnDetection: null },
    userData: {},
  });
  const { start } = livekit.liveKitAgents(plan);
  await session.start({ agent: start, record: false });
  await session.run({ userInput: 'I want my money back.' }).wait();
  await session.run({ userInput: 'How long does it take?' }).wait();
  const last = session.history.items.at(-1);
  console.log(session.currentAgent.id, last.textContent);
  await session.close();
  await base.close();
  rmSync(folder, { recursive: true, force: true });
};
