import { runService } from '@codelab/service-shell';
import { readProxyConfig } from '../config.js';
import { llmProxyService } from '../llm-proxy-service.js';

/** The proxy as `main.ts` starts it, on the Redis of a test: its socket is the first argument. */
await runService(llmProxyService(() => Object.assign(readProxyConfig(), { redisUrl: `unix:${process.argv[2]}` })));
