// The conformance suites of core's contracts. They need vitest, which the package that runs them brings.
export { describeChatDriver } from './testing/describe-chat-driver.js';
export type {
  ChatModelSetup,
  ChatScript,
  ChatSeen,
  StartChatModel,
} from './testing/describe-chat-driver-model.js';
export { describeEmbedder, type EmbedderSuiteOptions } from './testing/describe-embedder.js';
export { describeHost } from './testing/describe-host.js';
export type {
  HostCall,
  HostCapabilities,
  HostDriver,
  HostReply,
  HostRequest,
  HostSetup,
} from './testing/host-driver.js';
