import { ReadableStream } from 'node:stream/web';

import type { ChatReply } from '@cuecard/testing';
import { llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';

/** What a realtime model was given when it was asked for a reply. */
export interface RealtimeRequest {
  readonly tools: readonly string[];
  readonly items: readonly llm.ChatItem[];
}

/** A realtime model with scripted replies. */
export class ScriptedRealtimeModel extends llm.RealtimeModel {
  readonly requests: RealtimeRequest[] = [];
  readonly replies: ChatReply[];
  /** Whether it takes no new history. */
  refusesHistory = false;

  constructor(replies: readonly ChatReply[]) {
    super({
      messageTruncation: false,
      turnDetection: false,
      userTranscription: false,
      autoToolReplyGeneration: false,
      audioOutput: false,
      manualFunctionCalls: false,
      midSessionChatCtxUpdate: true,
      midSessionInstructionsUpdate: true,
      midSessionToolsUpdate: true,
    });
    this.replies = [...replies];
  }

  get model(): string {
    return 'scripted';
  }

  session(): llm.RealtimeSession {
    return new ScriptedRealtimeSession(this, this);
  }

  async close(): Promise<void> {
    // Nothing to let go of.
  }
}

class ScriptedRealtimeSession extends llm.RealtimeSession {
  readonly #script: ScriptedRealtimeModel;
  #chatCtx = llm.ChatContext.empty();
  #tools: llm.ToolContext = llm.ToolContext.empty();

  constructor(model: llm.RealtimeModel, script: ScriptedRealtimeModel) {
    super(model);
    this.#script = script;
  }

  get chatCtx(): llm.ChatContext {
    return this.#chatCtx;
  }

  get tools(): llm.ToolContext {
    return this.#tools;
  }

  async updateChatCtx(chatCtx: llm.ChatContext): Promise<void> {
    if (this.#script.refusesHistory) throw new llm.RealtimeError('refused');
    this.#chatCtx = chatCtx.copy();
  }

  async updateTools(tools: llm.ToolContext): Promise<void> {
    this.#tools = tools.copy();
  }

  async generateReply(): Promise<llm.GenerationCreatedEvent> {
    const { requests, replies } = this.#script;
    const at = requests.push({
      tools: Object.keys(this.#tools.functionTools),
      items: [...this.#chatCtx.items],
    });
    const { text = '', calls = [] } = replies.shift() ?? {};
    return {
      messageStream: streamOf({
        messageId: `message_${at}`,
        textStream: streamOf(text),
        audioStream: streamOf<AudioFrame>(),
        modalities: Promise.resolve(['text']),
      }),
      functionStream: streamOf(
        ...calls.map(({ name, arguments: args }, index) =>
          llm.FunctionCall.create({
            // Used again in each reply, as some servers do.
            callId: `call_${index}`,
            name,
            args: typeof args === 'string' ? args : JSON.stringify(args),
          }),
        ),
      ),
      userInitiated: true,
    };
  }

  async updateInstructions(): Promise<void> {}
  updateOptions(): void {}
  pushAudio(): void {}
  async commitAudio(): Promise<void> {}
  async clearAudio(): Promise<void> {}
  async interrupt(): Promise<void> {}
  async truncate(): Promise<void> {}
}

function streamOf<T>(...items: readonly T[]): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}
