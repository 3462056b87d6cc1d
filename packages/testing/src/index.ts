export {
  startFakeOpenAI,
  type FakeOpenAI,
  type FakeOpenAIOptions,
  type RecordedRequest,
} from './fake-openai.js';
export type { Fault, FaultSchedule } from './faults.js';
export { hashVector } from './hash-vector.js';
