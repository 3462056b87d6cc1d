import { setTimeout as wait } from 'node:timers/promises';

import { finishReason, wireCalls, type ChatReply } from './chat-reply.js';
import type { Exchange } from './exchange.js';

/** What every chunk of an answer begins with. */
export interface ChunkHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** A reply in the pieces that a stream brings it in; `usage` is sent last when it is asked for. */
export function chatChunks(
  reply: ChatReply,
  head: ChunkHead,
  usage: object | undefined,
): readonly object[] {
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
  const chunks = [
    chunk({ role: 'assistant', content: reply.text === undefined ? null : '' }),
    ...pieces(reply.text ?? '', /\s*\S+\s*$|\s*\S+/g).map((content) => chunk({ content })),
    ...wireCalls(reply, head.id).flatMap((call, index) =>
      callDeltas(call, index).map((delta) => chunk(delta)),
    ),
    chunk({}, finishReason(reply)),
  ];
  if (usage === undefined) return chunks;
  return [...chunks, { ...head, object: 'chat.completion.chunk', choices: [], usage }];
}

/** Sends chunks as server-sent events, and stops when nobody listens any more. */
export async function streamChunks(
  { response, fault }: Exchange,
  chunks: readonly object[],
  { firstTokenMs = 0, tokenMs = 0 }: Pick<ChatReply, 'firstTokenMs' | 'tokenMs'>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  const isCut = fault?.kind === 'stall' || fault?.kind === 'half-body';
  const sent = isCut ? chunks.slice(0, Math.ceil(chunks.length / 2)) : chunks;
  for (const [at, chunk] of sent.entries()) {
    const pause = at === 0 ? firstTokenMs : tokenMs;
    if (pause > 0) await wait(pause);
    if (response.destroyed) return;
    const text = JSON.stringify(chunk);
    response.write(`data: ${fault?.kind === 'not-json' ? text.slice(0, -5) : text}\n\n`);
  }
  if (fault?.kind === 'half-body') response.write('data: {"id', () => void response.destroy());
  else if (fault?.kind !== 'stall') response.end('data: [DONE]\n\n');
}

/** A call comes with its name first, then its arguments bit by bit. */
function callDeltas(call: ReturnType<typeof wireCalls>[number], index: number): readonly object[] {
  const { id, type, function: called } = call;
  const first = { index, id, type, function: { name: called.name, arguments: '' } };
  const rest = pieces(called.arguments, /[^]{1,8}/g).map((text) => ({
    index,
    function: { arguments: text },
  }));
  return [first, ...rest].map((delta) => ({ tool_calls: [delta] }));
}

function pieces(text: string, pattern: RegExp): readonly string[] {
  return text.match(pattern) ?? [];
}
