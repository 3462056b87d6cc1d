const { call } = require('./call.cjs');

void call(
  {
    core: require('@cuecard/core'),
    tools: require('@cuecard/core/tools'),
    livekit: require('@cuecard/livekit'),
    agents: require('@livekit/agents'),
    openai: require('@livekit/agents-plugin-openai'),
  },
  process.argv[2],
);
