import * as core from '@cuecard/core';
import * as tools from '@cuecard/core/tools';
import * as livekit from '@cuecard/livekit';
import * as agents from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';

import { call } from './call.cjs';

await call({ core, tools, livekit, agents, openai }, process.argv[2]);
