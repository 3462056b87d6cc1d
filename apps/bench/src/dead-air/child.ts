// The embeddings server, in a process of its own: its load must not count as ours.
import { startFakeOpenAI, hashVector } from '@cuecard/testing';

import { isFaults, type ServerMessage } from './messages.js';

/** How long an answer takes, each as likely as the others: as with a server across the internet. */
const delays = [80, 100, 120, 140, 160, 180, 200, 220];

const answered = new Set<string>();
const server = await startFakeOpenAI({
  vector(text, dimensions) {
    answered.add(text);
    return hashVector(text, dimensions);
  },
});

process.on('message', (message) => {
  if (!isFaults(message)) tell({ answered: [...answered] });
  else {
    const { hanging, failing, seed } = message;
    server.fault({ kind: 'hang' }, { probability: hanging, seed });
    // Drawn only where no hang was, so that this share of all requests fails.
    const probability = failing / (1 - hanging);
    server.fault({ kind: 'status', status: 500 }, { probability, seed: seed + 1 });
    delays.forEach((milliseconds, at) => {
      const share = 1 / (delays.length - at);
      server.fault({ kind: 'delay', milliseconds }, { probability: share, seed: seed + 2 + at });
    });
    answered.clear();
    tell({ url: server.url });
  }
});
process.on('disconnect', () => process.exit());
tell({ url: server.url });

function tell(message: ServerMessage): void {
  process.send?.(message);
}
