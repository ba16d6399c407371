import { runService } from '@codelab/service-shell';
import { llmProxyService } from './llm-proxy-service.js';

await runService(llmProxyService());
