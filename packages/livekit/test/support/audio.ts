import { ReadableStream } from 'node:stream/web';

import { tts, voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';

const sampleRate = 24_000;

/** A speaker that plays frames in no time. */
export class FakeSpeaker extends voice.AudioOutput {
  #seconds = 0;

  constructor() {
    super(sampleRate, undefined, { pause: false });
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    if (this.#seconds === 0) this.onPlaybackStarted(Date.now());
    this.#seconds += frame.samplesPerChannel / frame.sampleRate;
  }

  override flush(): void {
    super.flush();
    this.#finish(false);
  }

  clearBuffer(): void {
    this.#finish(true);
  }

  #finish(interrupted: boolean): void {
    if (this.#seconds === 0) return;
    this.onPlaybackFinished({ playbackPosition: this.#seconds, interrupted });
    this.#seconds = 0;
  }
}

/** A voice in name only: `speaking` does its work. */
export class FakeVoice extends tts.TTS {
  label = 'fake.TTS';

  constructor() {
    super(sampleRate, 1, { streaming: true });
  }

  synthesize(): tts.ChunkedStream {
    throw new Error('not used');
  }

  stream(): tts.SynthesizeStream {
    throw new Error('not used');
  }
}

/** Lets an agent speak 10 ms of silence for each line, and writes the lines down. */
export function speaking(agent: voice.Agent, spoken: string[]): void {
  agent.ttsNode = async (text) => {
    let line = '';
    for await (const piece of text) line += piece;
    if (line.trim() !== '') spoken.push(line.trim());
    const samples = sampleRate / 100;
    const frame = new AudioFrame(new Int16Array(samples), sampleRate, 1, samples);
    return new ReadableStream({
      start(controller) {
        controller.enqueue(frame);
        controller.close();
      },
    });
  };
}
