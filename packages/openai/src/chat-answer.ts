import type { ChatCall, ChatEnd, ChatEvent, ChatUsage } from '@cuecard/core/tools';

import { isRecord } from './is-record.js';

interface PartialCall {
  readonly index: unknown;
  id: string;
  name: string;
  text: string;
}

/** An answer that comes in chunks. Servers differ in how they cut calls: any cut is put together again. */
export class ChatAnswer {
  readonly #calls: PartialCall[] = [];
  #finish: string | undefined;
  #hasRefused = false;
  #usage: ChatUsage | undefined;

  /** Whether the server has said why the answer ends; only the usage may follow. */
  get isFinished(): boolean {
    return this.#finish !== undefined;
  }

  /** What a chunk brings. */
  read(chunk: unknown): readonly ChatEvent[] {
    const { usage, choices } = fields(chunk);
    this.#usage = usageOf(usage) ?? this.#usage;
    const { delta, finish_reason: finish } = fields(list(choices)[0]);
    const { content, refusal, tool_calls: calls } = fields(delta);
    this.#finish = textOf(finish) || this.#finish;
    this.#hasRefused ||= textOf(refusal) !== '';
    const texts = [textOf(content), textOf(refusal)].filter((text) => text !== '');
    return [
      ...texts.map((text) => ({ kind: 'text', text }) as const),
      ...list(calls).flatMap((call) => this.#readCall(fields(call))),
    ];
  }

  /** What is known at the end. */
  end(): readonly ChatEvent[] {
    const reason = this.#reason();
    const calls = reason === 'calls' ? this.#wholeCalls() : [];
    return [
      ...calls.map((call) => ({ kind: 'call', call }) as const),
      { kind: 'end', reason, usage: this.#usage },
    ];
  }

  #readCall({ index, id: sentId, function: called }: Fields): readonly ChatEvent[] {
    const { name: sentName, arguments: sentText } = fields(called);
    const [id, name, text] = [textOf(sentId), textOf(sentName), textOf(sentText)];
    const call = this.#callOf(index, id, name);
    const isFirst = call.text === '' && text !== '';
    call.id ||= id;
    // Some servers repeat the name with every piece.
    if (name !== call.name) call.name += name;
    call.text += text;
    return isFirst ? [{ kind: 'calling', name: call.name }] : [];
  }

  /** Some servers leave the index out, or send the same for all calls. */
  #callOf(index: unknown, id: string, name: string): PartialCall {
    const known = this.#calls.findLast((call) => index === undefined || call.index === index);
    const isOther = id !== '' && known?.id !== '' && known?.id !== id;
    const isNext = index === undefined && name !== '' && known?.text !== '';
    if (known && !isOther && !isNext) return known;
    const call: PartialCall = { index, id, name: '', text: '' };
    this.#calls.push(call);
    return call;
  }

  /** Some servers say `stop` when they call, or `tool_calls` when they do not. */
  #reason(): ChatEnd {
    if (this.#finish === 'length') return 'length';
    if (this.#finish === 'content_filter') return 'filtered';
    if (this.#calls.length > 0) return 'calls';
    return this.#hasRefused ? 'refused' : 'stop';
  }

  #wholeCalls(): readonly ChatCall[] {
    const seen = new Set(['']);
    return this.#calls.map(({ id: sent, name, text }) => {
      const id = seen.has(sent) ? `call_${crypto.randomUUID()}` : sent;
      seen.add(id);
      return { id, name, arguments: text.trim() === '' ? '{}' : text };
    });
  }
}

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function usageOf(usage: unknown): ChatUsage | undefined {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = fields(usage);
  const isKnown = typeof inputTokens === 'number' && typeof outputTokens === 'number';
  return isKnown ? { inputTokens, outputTokens } : undefined;
}
