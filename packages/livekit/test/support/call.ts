import {
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type FakeOpenAI,
  readChatRequest,
  startFakeOpenAI,
} from '@cuecard/testing';
import { initializeLogger, voice } from '@livekit/agents';
import { LLM } from '@livekit/agents-plugin-openai';
import { onTestFinished } from 'vitest';

import type { LiveKitAgents } from '../../src/index.js';

initializeLogger({ pretty: false, level: 'silent' });

/** Writes down what an agent says, announce lines too. */
function hear<State>(agent: voice.Agent<State>, said: string[]): void {
  const transcriptionNode = agent.transcriptionNode.bind(agent);
  agent.transcriptionNode = async (text, settings) => {
    const at = said.push('') - 1;
    const heard = (async function* () {
      for await (const piece of text) {
        said[at] += typeof piece === 'string' ? piece : piece.text;
        yield piece;
      }
    })();
    return transcriptionNode(heard, settings);
  };
}

/** A call in text, with LiveKit's own session and OpenAI plugin, and a scripted model. */
export interface Call<State> {
  readonly session: voice.AgentSession<State>;
  readonly server: FakeOpenAI;
  /** All that the agent said, announce lines too. */
  readonly said: readonly string[];
  /** What the session reported as errors. */
  readonly errors: readonly unknown[];
  /** The requests the model got. */
  requests(): readonly ChatRequest[];
  /** Says a sentence, and waits until the agent has answered it. */
  say(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a call; it ends with the test. */
export async function startCall<State = undefined>(
  given: voice.Agent<State> | LiveKitAgents<State>,
  model: ChatModel | readonly ChatReply[],
  options: { readonly userData?: State; readonly audio?: voice.AudioOutput } = {},
): Promise<Call<State>> {
  const server = await startFakeOpenAI(typeof model === 'function' ? { chat: model } : {});
  if (typeof model !== 'function') server.reply(...model);
  const { userData, audio } = options;
  const session = new voice.AgentSession<State>({
    llm: new LLM({
      model: 'fake',
      apiKey: 'test-key',
      baseURL: server.url,
      parallelToolCalls: false,
    }),
    vad: null,
    turnHandling: { turnDetection: null },
    ...(userData === undefined ? {} : { userData }),
  });
  if (audio !== undefined) session.output.audio = audio;
  const errors: unknown[] = [];
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => void errors.push(error));
  const said: string[] = [];
  const { start, agents } =
    'start' in given ? given : { start: given, agents: new Map([['', given]]) };
  for (const agent of agents.values()) hear(agent, said);
  await session.start({ agent: start, record: false });
  const close = async (): Promise<void> => {
    await session.close();
    await server.close();
  };
  onTestFinished(close);
  return {
    session,
    server,
    get said() {
      return said.filter((line) => line !== '');
    },
    errors,
    requests: () =>
      server.requests
        .filter(({ path }) => path === '/v1/chat/completions')
        .map(({ body }) => readChatRequest(body)),
    say: async (text) => {
      await session.run({ userInput: text }).wait();
    },
    close,
  };
}

/** The model calls a tool. */
export function calls(name: string, args: object = {}): ChatReply {
  return { calls: [{ name, arguments: args }] };
}

export function lastMessage(request: ChatRequest | undefined): ChatMessage | undefined {
  return request?.messages.at(-1);
}

/** Whether a message is what the caller said, and not a note of the adapter. */
export function isCaller({ role, content }: ChatMessage): boolean {
  return role === 'user' && !content.startsWith('Note for the agent, not said by the caller');
}

/** What tools gave the model, as JSON values, oldest first. */
export function toolResults(request: ChatRequest | undefined): unknown[] {
  const results = request?.messages.filter(({ role }) => role === 'tool') ?? [];
  return results.map(({ content }): unknown => JSON.parse(content));
}
