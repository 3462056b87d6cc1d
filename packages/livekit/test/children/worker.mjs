import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

import { cli, ServerOptions } from '@livekit/agents';

// For the worker's health checks; LiveKit takes 0 for its default.
const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');

cli.runApp(
  new ServerOptions({
    agent: fileURLToPath(new URL('./agent.mjs', import.meta.url)),
    // A busy machine that runs tests is no reason to kill a process.
    initializeProcessTimeout: 60_000,
    numIdleProcesses: Number(process.env.PROCESSES),
    host: '127.0.0.1',
    port,
  }),
);
