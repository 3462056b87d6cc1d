// Stands for the LiveKit server as far as a worker needs one: it registers the worker and assigns it jobs.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

// What the installed framework itself speaks.
const require = createRequire(createRequire(import.meta.url).resolve('@livekit/agents'));
const { Job, JobType, Room, ServerMessage, WorkerMessage } = require('@livekit/protocol');
const { WebSocketServer } = require('ws');

export async function startDispatcher() {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const jobs = new Map();
  const registered = Promise.withResolvers?.() ?? withResolvers();
  let worker;

  const send = (message) => worker.send(new ServerMessage({ message }).toBinary());
  sockets.on('connection', (socket) => {
    worker = socket;
    socket.on('message', (data) => {
      const { message } = WorkerMessage.fromBinary(new Uint8Array(data));
      if (message.case === 'register') {
        const serverInfo = { version: 'fake' };
        send({ case: 'register', value: { workerId: 'AW_fake', serverInfo } });
        registered.resolve();
      }
      if (message.case === 'availability' && message.value.available) {
        const job = jobs.get(message.value.jobId);
        send({ case: 'assignment', value: { job, token: 'fake' } });
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    registered: registered.promise,
    dispatch(id) {
      const room = new Room({ name: `room-${id}`, sid: `RM_${id}` });
      const job = new Job({ id, type: JobType.JT_ROOM, room });
      jobs.set(id, job);
      send({ case: 'availability', value: { job } });
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function withResolvers() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}
